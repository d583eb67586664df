import { readFileSync } from 'node:fs';

/** How many connections each listener may hold. */
export interface ConnectionBudget {
  /** On the port of loopback in all, and of those that have shown no token yet. */
  readonly port: number;
  readonly strangers: number;
  /** On the unix socket. */
  readonly socket: number;
}

/** Where the system does not tell: the least that is usual. */
const assumed = 256;

/**
 * Shares of the descriptors of this process. The port may take an eighth, so that the socket of the
 * user, the ledger, the terminals and the logs have theirs whatever comes to the port.
 */
export function shareDescriptors(limit = readLimit()): ConnectionBudget {
  const port = clamp(limit / 8, 16, 256);
  return { port, strangers: clamp(port / 4, 8, 32), socket: clamp(limit / 2, 64, 1024) };
}

function readLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? assumed : Number(soft);
  } catch {
    // This system has no such file.
    return assumed;
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.floor(Math.min(most, Math.max(least, value)));
}
