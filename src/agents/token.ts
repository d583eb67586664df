import { createHash } from 'node:crypto';

/** The ledger keeps this instead of the token of a life. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
