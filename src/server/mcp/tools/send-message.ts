import { z } from 'zod';
import type { Agent } from '../../../agents/agent.ts';
import { accept } from '../../../delivery/accept.ts';
import {
  address,
  checkOutgoing,
  findSent,
  type Outgoing,
  readAccepted,
} from '../../../fleet/outgoing.ts';
import { requireParty } from '../../../fleet/permissions.ts';
import { resolveMessage } from '../../../fleet/resolve-message.ts';
import type { Debt } from '../../../messages/debt.ts';
import { Fault } from '../../../shared/fault.ts';
import type { LedgerTransaction } from '../../../store/ledger.ts';
import { noteBroken } from '../note-broken.ts';
import { acts, defineTool, nameInput } from '../tool.ts';

export const sendMessageTool = defineTool({
  name: 'send_message',
  description:
    'Sends a message. Without `to` and `reply_to` it answers the task you were given. It is safe once this returns: do not wait for it.',
  input: z.strictObject({
    body: z.string().describe('The text.'),
    to: nameInput.optional().describe('Name or id of an agent, or "user".'),
    reply_to: nameInput.optional().describe('Id of the message it answers: msg_…'),
    question: z.boolean().optional().describe('It only asks back: your task stays open.'),
    urgent: z.boolean().optional().describe('Interrupt the recipient’s work.'),
    key: nameInput.optional().describe('Your own; the same key again sends nothing twice.'),
  }),
  aliases: { receiver_id: 'to', terminal_id: 'to', message: 'body' },
  annotations: acts,
  run: async (call, given) => {
    const { parts, caller } = call;
    const { ledger, clock, bodyLimit } = parts;
    const { body, urgent, key, question = false } = given;
    const { to, draft, outgoing } = await ledger.read(async (tx) => {
      const way = await findWay(tx, caller, given);
      const outgoing: Outgoing = {
        ...way,
        body,
        ...(urgent === undefined ? {} : { urgent }),
        ...(key === undefined ? {} : { key }),
      };
      checkOutgoing(outgoing, bodyLimit);
      return { ...(await address(tx, clock.now(), outgoing, caller)), outgoing };
    });
    const [accepted] = await accept(ledger, clock, [{ ...draft, isQuestion: question }]);
    if (!accepted) throw new Error('one draft has one outcome');
    const sent = readAccepted(accepted, outgoing, to);
    const { replyTo } = outgoing;
    const answers = replyTo === undefined ? '' : `, about ${replyTo}`;
    return noteBroken(call, to, {
      document: { ...sent, ...(replyTo === undefined ? {} : { replyTo }) },
      text: sent.duplicate
        ? `That was already sent to ${to.name} as ${sent.id}; nothing was sent twice.`
        : `Sent to ${to.name} as ${sent.id}${answers}.`,
    });
  },
});

interface Given {
  readonly to?: string | undefined;
  readonly reply_to?: string | undefined;
  readonly key?: string | undefined;
}

type Way = Pick<Outgoing, 'to' | 'replyTo'>;

/** To whom, and in answer to what. */
async function findWay(
  tx: LedgerTransaction,
  caller: Agent,
  { to, reply_to: replyTo, key }: Given,
): Promise<Way> {
  if (to !== undefined) return { to, ...(replyTo === undefined ? {} : { replyTo }) };
  if (replyTo !== undefined) {
    const message = await resolveMessage(tx, replyTo);
    requireParty(caller, message);
    return { to: message.from === caller.id ? message.to : message.from, replyTo };
  }
  // Said again: what it answered is settled by now, and it must not look for another.
  const first = key === undefined ? undefined : await findSent(tx, caller, key);
  if (first) {
    const [answered] = first.replyTo;
    return { to: first.to, ...(answered === undefined ? {} : { replyTo: answered }) };
  }
  return findDebt(tx, caller);
}

/** The answer to the one task that is open; without one, word for the parent (rule 30). */
async function findDebt(tx: LedgerTransaction, caller: Agent): Promise<Way> {
  const [debt, ...others] = await tx.debts.listOwedBy(caller.id);
  if (debt && others.length > 0) throw await several(tx, [debt, ...others]);
  if (debt) return { to: debt.creditor, replyTo: debt.task };
  if (caller.parent !== undefined) return { to: caller.parent };
  throw new Fault(
    'invalid-input',
    'You owe nobody an answer and have no parent; nothing was sent.',
    'Give `to` (see list_agents), or `reply_to` with the id of a message.',
  );
}

async function several(tx: LedgerTransaction, debts: readonly Debt[]): Promise<Fault> {
  const names = await tx.agents.listNames(debts.map(({ creditor }) => creditor));
  const open = debts
    .slice(0, 20)
    .map(({ task, creditor }) => `${task} (from ${names.get(creditor) ?? creditor})`);
  return new Fault(
    'invalid-input',
    `${debts.length} tasks of yours are open: ${open.join(', ')}; nothing was sent.`,
    'Say which one with `reply_to`.',
  );
}
