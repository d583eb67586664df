import type { Agent } from '../agents/agent.ts';
import type { Caller } from '../agents/caller.ts';
import { callName } from '../agents/reference.ts';
import { deadLetterQuery } from '../delivery/dead-letters.ts';
import { type HandOut, handOut } from '../delivery/hand-out.ts';
import type { Letter } from '../delivery/letter.ts';
import { isRunning } from '../fleet/is-running.ts';
import { requireSelf } from '../fleet/permissions.ts';
import { resolveMessage } from '../fleet/resolve-message.ts';
import type { PartView } from '../protocol/messages.ts';
import { viewMessages } from '../protocol/views.ts';
import { Fault } from '../shared/fault.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { findInbox } from './parts/own-inbox.ts';

export interface DrainWish {
  /** By default the caller. */
  readonly agent?: string | undefined;
  readonly max?: number | undefined;
  /**
   * A model reads the answer, so long bodies come part by part (rule 17). `in-terminal`: only where
   * the agent itself asks from its own terminal; anybody else reads any length at once.
   */
  readonly inParts?: boolean | 'in-terminal';
  /** Only this message, or this part of it. */
  readonly message?: string | undefined;
  readonly part?: number | undefined;
}

/** Messages on their way out: they count as handed out only after `finish` (rule 16). */
export interface Drained extends Pick<HandOut, 'remaining' | 'prompts' | 'finish' | 'lose'> {
  /** Whose inbox it was. */
  readonly agent: string;
  readonly letters: readonly Letter[];
  readonly deadLetters: number;
}

/** Takes messages out of an inbox. */
export const drain = defineRequest(
  async (context: Context, caller, wish: DrainWish): Promise<Drained> => {
    const { ledger, surroundings } = context;
    const { max, inParts = false } = wish;
    const agent = await findInbox(context, caller, wish.agent, 'drain the inbox');
    const only = await findOnly(context, caller, wish);
    const { name, id } = caller.agent;
    const isOwn = id === agent.id;
    const isInTerminal = isOwn && (await ledger.read((tx) => isRunning(tx, agent)));
    const leavesPrompts = isInTerminal && context.live?.delivery.keepsPrompts(agent.id) === true;
    const { messages, remaining, prompts, finish, lose } = await handOut(ledger, surroundings, {
      ...{ recipient: agent.id, epoch: agent.epoch, max, isInTerminal, isOwn, leavesPrompts },
      by: isOwn ? callName(agent) : `${name} for ${callName(agent)}`,
      inParts: inParts === 'in-terminal' ? isInTerminal : inParts,
      ...(caller.isKept ? { isKept: caller.isKept } : {}),
      ...(only ? { only } : {}),
    });
    return {
      ...{ agent: agent.id, letters: messages, remaining, prompts, lose },
      deadLetters: await ledger.read((tx) => countDeadLetters(tx, agent)),
      finish: async (line) => {
        await finish(line);
        if (messages.length > 0) context.wrote?.();
      },
    };
  },
);

/** The letters as documents. */
export async function viewLetters(
  { ledger }: Pick<Context, 'ledger'>,
  letters: readonly Letter[],
): Promise<readonly PartView[]> {
  const views = await ledger.read((tx) => viewMessages(tx, letters));
  return views.map((view, i) => {
    const part = letters[i]?.part;
    return part === undefined ? view : { ...view, part };
  });
}

async function findOnly(
  { ledger }: Context,
  { agent }: Caller,
  { message, part }: DrainWish,
): Promise<{ readonly message: string; readonly part?: number } | undefined> {
  if (message === undefined && part === undefined) return undefined;
  if (message === undefined) {
    throw new Fault('invalid-input', 'A part is one of a message.', 'Give `message` with its id.');
  }
  const { id, to } = await ledger.read((tx) => resolveMessage(tx, message, agent));
  requireSelf(agent, to, `take ${id} out of the inbox`);
  return { message: id, ...(part === undefined ? {} : { part }) };
}

function countDeadLetters(tx: LedgerTransaction, { id }: Agent): Promise<number> {
  return tx.messages.count({ ...deadLetterQuery, to: id, limit: 0 });
}
