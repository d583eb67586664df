import { vi } from 'vitest';

/**
 * Until the expectations in `holds` are met. Vitest's own limit is a second, which a busy machine
 * passes; this one only ends a test that hangs.
 */
export function waitFor<T>(holds: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(holds, { timeout: 120_000, interval: 5 });
}
