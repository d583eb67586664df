/**
 * Ctrl-C, or a terminal that closes: what runs is ended before we are. A second signal changes
 * nothing: a terminal and a parent may both pass the same one on, and what is half removed would
 * stay.
 */
export function endOnSignals(end: () => Promise<unknown>): void {
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isEnding) return;
      isEnding = true;
      void end().finally(() => process.exit(130));
    });
  }
}
