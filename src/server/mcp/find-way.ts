import type { Agent } from '../../agents/agent.ts';
import type { Caller } from '../../agents/caller.ts';
import { nameFor } from '../../agents/reference.ts';
import { nameMessages } from '../../delivery/name-messages.ts';
import { findSent, type Outgoing } from '../../fleet/outgoing.ts';
import { requireParty } from '../../fleet/permissions.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { resolveMessage, resolveReply } from '../../fleet/resolve-message.ts';
import type { Debt } from '../../messages/debt.ts';
import { Fault } from '../../shared/fault.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';

interface Given {
  readonly to?: string | undefined;
  readonly reply_to?: string | undefined;
  readonly key?: string | undefined;
  readonly question?: boolean | undefined;
}

type Way = Pick<Outgoing, 'to' | 'replyTo'>;

/**
 * To whom a message goes, and in answer to what. Only what names a task answers it: "I have
 * started" must not end one (rule 30). A question is about the task it is asked in, which stays
 * open by that.
 */
export async function findWay(tx: LedgerTransaction, asker: Caller, given: Given): Promise<Way> {
  const caller = asker.agent;
  const { to, reply_to: replyTo, key, question = false } = given;
  if (to !== undefined && replyTo !== undefined)
    return { to, replyTo: await resolveReply(tx, replyTo, caller) };
  if (replyTo !== undefined) {
    const message = await resolveMessage(tx, replyTo, caller);
    requireParty(caller, message);
    const { id, from } = message;
    return { to: from === caller.id ? message.to : from, replyTo: id };
  }
  // Said again: what was open then may be settled by now, and it must not look for another.
  const first = key === undefined ? undefined : await findSent(tx, caller, key);
  if (first && to === undefined) {
    const [answered] = first.replyTo;
    return { to: first.to, ...(answered === undefined ? {} : { replyTo: answered }) };
  }
  const owed = await listOwed(tx, caller);
  const recipient = to === undefined ? findGiver(owed, caller) : to;
  if (recipient === undefined) throw await refuseSeveral(tx, caller, owed);
  if (!question || owed.length === 0) return { to: recipient };
  const { id } = await resolveAgent(tx, recipient, asker);
  const [task, ...others] = owed.filter(({ creditor }) => creditor === id);
  if (task && others.length > 0) throw await refuseSeveral(tx, caller, [task, ...others]);
  return { to: recipient, ...(task ? { replyTo: task.task } : {}) };
}

/** Nobody reads a report to a giver that was removed. */
async function listOwed(tx: LedgerTransaction, { id }: Agent): Promise<readonly Debt[]> {
  const owed: Debt[] = [];
  for (const debt of await tx.debts.listOwedBy(id)) {
    if (await tx.agents.isLiving(debt.creditor)) owed.push(debt);
  }
  return owed;
}

/** Whoever gave the tasks that are open; without one the parent. Undefined: several did. */
function findGiver(owed: readonly Debt[], caller: Agent): string | undefined {
  const [giver, ...others] = new Set(owed.map(({ creditor }) => creditor));
  if (giver !== undefined) return others.length === 0 ? giver : undefined;
  if (caller.parent !== undefined) return caller.parent;
  throw new Fault(
    'invalid-input',
    'You owe nobody an answer and have no parent; nothing was sent.',
    'Give `to` (see list_agents), or `reply_to` with the id of a message.',
  );
}

async function refuseSeveral(
  tx: LedgerTransaction,
  caller: Agent,
  debts: readonly Debt[],
): Promise<Fault> {
  const names = await tx.agents.listNames(debts.map(({ creditor }) => creditor));
  const some = debts.slice(0, 20);
  const nameOf = await nameMessages(
    tx,
    caller.id,
    some.map(({ task }) => task),
  );
  const giverOf = (creditor: string): string => {
    const named = names.get(creditor);
    return named ? nameFor(caller, { id: creditor, ...named }) : creditor;
  };
  const open = some.map(({ task, creditor }) => `${nameOf(task)} (from ${giverOf(creditor)})`);
  return new Fault(
    'invalid-input',
    `${debts.length} tasks of yours are open: ${open.join(', ')}; nothing was sent.`,
    'Say which one you answer or ask about with `reply_to`; to tell somebody something, give `to`.',
  );
}
