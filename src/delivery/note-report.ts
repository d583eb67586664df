// Tests: test/contracts/mcp-reports.test.ts.

import { userAgentId } from '../agents/agent.ts';
import { mostReports } from '../messages/debt.ts';
import type { Message } from '../messages/message.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { claimFor } from './claim.ts';

/**
 * A debtor tells its creditor something and answers nothing by it. Many workers report so, and end
 * with "Done.": the completion names these messages, and whoever waits for the answer in a tool's
 * call gets them with it, and not a second time (rule 31). An urgent one takes its own way.
 */
export async function noteReport(
  tx: LedgerTransaction,
  now: number,
  message: Message,
): Promise<void> {
  if (message.kind !== 'message' || message.from === userAgentId) return;
  const owed = await tx.debts.listOwedBy(message.from);
  const about = owed.filter(
    ({ creditor, reports = [] }) => creditor === message.to && reports.length < mostReports,
  );
  for (const { task } of about) await tx.debts.addReport(task, message.id);
  const waiter = about.find((debt) => debt.waiter?.takesReports)?.waiter;
  if (waiter && !message.urgent) await claimFor(tx, now, waiter, message);
}
