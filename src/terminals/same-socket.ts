import { realpathSync } from 'node:fs';

/** The same socket may be reached by several paths. */
export function isSameSocket(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    // One of them is not there.
    return false;
  }
}
