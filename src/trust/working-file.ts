import { createHash } from 'node:crypto';
import { type ReadOnce, readOnce } from '../shared/read-once.ts';

/**
 * What a file of a working folder is read as. The same bytes may be harmless as one and not as
 * another.
 */
export type WorkingFileKind = 'profile' | 'claude-agent' | 'worktree-list';

/**
 * A file of a working folder, read once: judged by its hash, and used by exactly these bytes
 * (rule 46).
 */
export interface WorkingFile extends Omit<ReadOnce, 'entry'> {
  readonly kind: WorkingFileKind;
  /** As it was found; a link may lead from here to somewhere else. */
  readonly path: string;
  readonly sha256: string;
}

/** Throws an Error that says why it cannot be read. */
export function readWorkingFile(
  path: string,
  kind: WorkingFileKind,
  mostBytes: number,
): WorkingFile {
  const { realPath, bytes } = readOnce(path, mostBytes);
  return { kind, path, realPath, bytes, sha256: hash(bytes) };
}

export function hash(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
