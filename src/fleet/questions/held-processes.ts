import type { HeldCall } from './held-call.ts';

export interface Processes {
  /** When this process began; undefined when it has ended. */
  readonly startOf: (pid: number) => string | undefined;
  /** Its parent; 0 where nobody can tell. */
  readonly parentOf: (pid: number) => number;
}

/** Whether the hook is the process that asked us, and its CLI's still. */
export function lives(
  processes: Processes,
  { call, startedAt }: { readonly call: HeldCall; readonly startedAt: string },
): boolean {
  try {
    return processes.startOf(call.hook) === startedAt && isBelow(processes, call);
  } catch {
    // We could not look (out of file descriptors, say): that proves nobody dead.
    return true;
  }
}

/** Nobody has taken over an orphan: neither it, nor a shell between the CLI and it. */
export function isBelow({ startOf, parentOf }: Processes, { cli, hook }: HeldCall): boolean {
  if (startOf(cli) === undefined) return false;
  const parent = parentOf(hook);
  // Where nobody can tell, the hook itself looks with each poll.
  if (parent === 0 || parent === cli) return true;
  const above = parentOf(parent);
  return above === 0 || above === cli;
}
