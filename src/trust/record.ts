import { parseObject } from '../shared/json.ts';
import type { WorkingFileKind } from './working-file.ts';

/** That the user has trusted one file, exactly as it was. */
export interface TrustRecord {
  /** With every link followed. */
  readonly path: string;
  readonly kind: WorkingFileKind;
  readonly sha256: string;
  /** ISO 8601. */
  readonly trustedAt: string;
  /** Who consented, and from where (rule 54). */
  readonly by: string;
  /** What it said then, to show what has changed since. */
  readonly text: string;
  /**
   * Hashes of what was trusted under this path before, newest first: agents that were launched with
   * it may be restarted until the user takes the trust back. No launch counts them.
   */
  readonly earlier?: readonly string[];
}

/** Throws where it is not whole: a record that was cut or edited speaks for nothing. */
export function parseRecord(text: string): TrustRecord {
  const { path, kind, sha256, trustedAt, by, text: said, earlier = [] } = parseObject(text) ?? {};
  const isKnown = kinds.some((known) => known === kind);
  const areHashes = Array.isArray(earlier) && [sha256, ...earlier].every(isHash);
  const texts = [path, trustedAt, by, said];
  if (!isKnown || !areHashes || !texts.every((one) => typeof one === 'string')) {
    throw new Error('it is no record of trust');
  }
  return { path, kind, sha256, trustedAt, by, text: said, earlier } as TrustRecord;
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

const kinds: readonly WorkingFileKind[] = ['profile', 'claude-agent', 'worktree-list'];
