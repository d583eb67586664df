import type { FleetParts } from '../parts.ts';

/**
 * Decisions that a daemon was carrying when it was killed: nobody can tell what became of them, and
 * no other daemon of this ledger carries any. Done before this one notes its first
 * (`Fleet.settleLeft`).
 */
export async function settleAnswers({
  ledger,
  surroundings,
}: Pick<FleetParts, 'ledger' | 'surroundings'>): Promise<void> {
  const reason = 'the daemon ended before it was known';
  const end = { outcome: 'unknown', reason, at: surroundings.clock.now() } as const;
  await ledger.write((tx) => tx.answers.settleAll(end));
}
