import { createHash } from 'node:crypto';

/** Of the secret of one life: the ledger keeps no more than this of it. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
