import type { TeamParts } from './parts.ts';

/**
 * At the start: those who waited through a process that is gone wait no more, and answers come as
 * messages (rule 31).
 */
export async function clearWaiters({
  ledger,
  surroundings,
}: Pick<TeamParts, 'ledger' | 'surroundings'>): Promise<void> {
  const isGone = (debts: Awaited<ReturnType<typeof list>>) =>
    debts.filter(({ waiter }) => waiter && surroundings.host.judge(waiter.holder) === 'dead');
  const list = () => ledger.read((tx) => tx.debts.listOpen());
  const gone = isGone(await list());
  if (gone.length === 0) return;
  await ledger.write(async (tx) => {
    for (const { task } of isGone(await tx.debts.listOpen()))
      await tx.debts.setWaiter(task, undefined);
  });
}
