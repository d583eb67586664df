import type { Ledger } from '../store/ledger.ts';

/**
 * Whether a turn that nobody told the end of was over at that moment: the agent was seen at rest,
 * held something already, and something that began a turn of its own went in after that. A person
 * broke it off, where no hook fires for that (Claude Code 2.1.325), and what waited was delivered
 * within the silence that a stand-in keeps.
 */
export async function wasBrokenOff(
  ledger: Ledger,
  { agent, epoch }: { readonly agent: string; readonly epoch: number },
  at: number,
): Promise<boolean> {
  return await ledger.read(async (tx) => {
    const entered = await tx.claims.listEntered(agent, epoch);
    if (!entered.some((each) => each.isIn && each.at < at)) return false;
    for (const { mark, route } of entered.filter((each) => each.at >= at)) {
      const begins = route === 'native' || route === 'paste';
      if (begins && (await tx.claims.findByMark(mark))?.isBehindTurn === false) return true;
    }
    return false;
  });
}
