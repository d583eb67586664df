import type { OnRecord } from '../delivery/on-record.ts';
import type { Ledger } from '../store/ledger.ts';

/**
 * Whether a turn that nobody told the end of was over at that moment: the agent was seen at rest,
 * held something already, and something that began a turn of its own went in after that; or what it
 * held is a task of which the records do not say that it is still in the conversation. A person
 * broke it off, where no hook fires for that (Claude Code 2.1.325), and what waited was delivered,
 * or the person said something else, within the silence that a stand-in keeps.
 */
export async function wasBrokenOff(
  ledger: Ledger,
  { agent, epoch }: { readonly agent: string; readonly epoch: number },
  at: number,
  onRecord?: OnRecord,
): Promise<boolean> {
  return await ledger.read(async (tx) => {
    const entered = await tx.claims.listEntered(agent, epoch);
    const before = entered.filter((each) => each.isIn && each.at < at);
    if (before.length === 0) return false;
    const owed = await tx.debts.listOwedBy(agent);
    const isDoubtful = before.some(
      ({ messageId, token }) =>
        owed.some(({ task }) => task === messageId) && !onRecord?.in.has(token),
    );
    if (onRecord && isDoubtful) return true;
    for (const { mark, route } of entered.filter((each) => each.at >= at)) {
      const begins = route === 'native' || route === 'paste';
      if (begins && (await tx.claims.findByMark(mark))?.isBehindTurn === false) return true;
    }
    return false;
  });
}
