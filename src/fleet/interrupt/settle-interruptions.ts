import type { FleetParts } from '../parts.ts';

/**
 * Those that a daemon had begun when it was killed: nobody can tell whether a key was pressed, and
 * none is pressed again, since the turn that runs now may be another one.
 */
export async function settleInterruptions({
  ledger,
  surroundings,
}: Pick<FleetParts, 'ledger' | 'surroundings'>): Promise<void> {
  const reason = 'the daemon ended before it was known';
  const end = { outcome: 'unknown', reason, presses: 0, at: surroundings.clock.now() } as const;
  await ledger.write((tx) => tx.interruptions.settleAll(end));
}
