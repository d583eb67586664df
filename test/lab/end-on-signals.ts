/** Ctrl-C, or a terminal that closes: what runs is ended before we are. */
export function endOnSignals(end: () => Promise<unknown>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void end().finally(() => process.exit(130)));
  }
}
