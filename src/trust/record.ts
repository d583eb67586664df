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
}

/** Throws where it is not whole: a record that was cut or edited speaks for nothing. */
export function parseRecord(text: string): TrustRecord {
  const { path, kind, sha256, trustedAt, by, text: said } = parseObject(text) ?? {};
  const isKnown = kinds.some((known) => known === kind);
  const isHash = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256);
  const texts = [path, trustedAt, by, said];
  if (!isKnown || !isHash || !texts.every((one) => typeof one === 'string')) {
    throw new Error('it is no record of trust');
  }
  return { path, kind, sha256, trustedAt, by, text: said } as TrustRecord;
}

const kinds: readonly WorkingFileKind[] = ['profile', 'claude-agent', 'worktree-list'];
