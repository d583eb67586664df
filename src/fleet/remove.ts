import { type Agent, isUser } from '../agents/agent.ts';
import { bury } from '../delivery/bury.ts';
import type { Surroundings } from '../delivery/claim.ts';
import { mayHaveBeenRead } from '../delivery/may-have-been-read.ts';
import { listBegunDebts } from '../delivery/settle-debt.ts';
import { settleDue } from '../delivery/settle-due.ts';
import { openStates } from '../messages/transitions.ts';
import { Fault } from '../shared/fault.ts';
import { UnwrittenFault } from '../shared/unwritten.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import { endTurnIn } from './end-turn.ts';

/** An attempt in flight may end in this time (rule 35). */
const graceMs = 5000;
/** Messages settled per transaction. */
const batch = 200;
/**
 * Of bodies, so that a removal of an inbox full of long messages takes no more memory than a drain.
 */
const bytes = 16 * 1024 * 1024;

export interface Removed {
  readonly agent: Agent;
  /** Messages that became dead; their senders were told. */
  readonly settled: number;
  /** How many of them may have been read; the others never were. */
  readonly maybeRead: number;
  /** Why the rest of its inbox is not settled yet; it was removed all the same. */
  readonly unsettled?: string;
}

/**
 * Removes an agent: waits for the attempt in flight, hands its children to its own parent, and
 * settles its inbox. The removal itself is one transaction; a large inbox is settled in batches
 * after it, and a crash between them is made good by `finishRemovals`, since the agent is marked
 * until its inbox is empty.
 */
export async function remove(
  ledger: Ledger,
  surroundings: Surroundings,
  id: string,
  isByUser = false,
): Promise<Removed> {
  if (isUser({ id })) {
    throw new Fault('not-allowed', 'The user cannot be removed.', 'Name an agent.');
  }
  await waitForAttempts(ledger, surroundings, id);
  const { agent, ...first } = await ledger.write((tx) => removeIn(tx, surroundings, id, isByUser));
  try {
    return { agent, ...sum(first, await settleRest(ledger, surroundings, id)) };
  } catch (error) {
    // It has been removed, which a fault would hide.
    if (!(error instanceof UnwrittenFault)) throw error;
    const unsettled = `Some of its messages are not settled yet; the next commands try again. ${error.why}`;
    return { agent, ...first, unsettled };
  }
}

/**
 * The removal itself, as part of a larger transaction; `finishRemovals` settles what is left of its
 * inbox.
 */
export async function removeIn(
  tx: LedgerTransaction,
  surroundings: Surroundings,
  id: string,
  isByUser = false,
): Promise<Removed> {
  const { clock } = surroundings;
  const agent = await tx.agents.find(id);
  if (!agent || agent.removedAt !== undefined) {
    throw new Fault(
      'agent-not-found',
      'That agent has already been removed.',
      'See `signalbox ls`.',
    );
  }
  await settleDue(tx, surroundings, id);
  for (const child of await tx.agents.listChildren(id)) {
    await tx.agents.setParent(child.id, agent.parent);
  }
  await writeOffDebts(tx, clock.now(), agent);
  await tx.agents.markRemoved(id, clock.now(), isByUser);
  return { agent, ...(await settleInbox(tx, surroundings, id)) };
}

/**
 * What it had heard of and not answered is told as the last completion it makes (rules 27, 30);
 * other tasks bounce with its inbox.
 */
async function writeOffDebts(tx: LedgerTransaction, now: number, agent: Agent): Promise<void> {
  const ends = await listBegunDebts(tx, agent.id);
  if (ends.length === 0) return;
  await endTurnIn(tx, now, {
    child: agent.id,
    epoch: agent.epoch,
    session: `epoch-${agent.epoch}`,
    id: 'removed',
    stop: 1,
    outcome: 'exited',
    text: 'It was removed before it had answered.',
    ends,
    endsAs: 'removed',
  });
}

/** Goes on with removals that were cut short. */
export async function finishRemovals(ledger: Ledger, surroundings: Surroundings): Promise<number> {
  const unsettled = await ledger.read((tx) => tx.agents.listUnsettled());
  let settled = 0;
  for (const { id } of unsettled) settled += (await settleRest(ledger, surroundings, id)).settled;
  return settled;
}

/** An attempt in flight may end (rule 35). */
export async function waitForAttempts(
  ledger: Ledger,
  surroundings: Surroundings,
  id: string,
): Promise<void> {
  const { clock } = surroundings;
  const deadlineMs = clock.monotonicMs() + graceMs;
  for (;;) {
    const inFlight = await ledger.read((tx) => tx.claims.listUnfinished(id));
    if (inFlight.length === 0 || clock.monotonicMs() >= deadlineMs) return;
    if ((await ledger.write((tx) => settleDue(tx, surroundings, id))) === 0) await clock.sleep(50);
  }
}

type Settled = Pick<Removed, 'settled' | 'maybeRead'>;

async function settleRest(
  ledger: Ledger,
  surroundings: Surroundings,
  id: string,
): Promise<Settled> {
  let all: Settled = { settled: 0, maybeRead: 0 };
  for (;;) {
    const more = await ledger.write((tx) => settleInbox(tx, surroundings, id));
    all = sum(all, more);
    if (more.settled === 0) return all;
  }
}

function sum(a: Settled, b: Settled): Settled {
  return { settled: a.settled + b.settled, maybeRead: a.maybeRead + b.maybeRead };
}

async function settleInbox(
  tx: LedgerTransaction,
  { clock }: Surroundings,
  id: string,
): Promise<Settled> {
  const open = await tx.messages.list({ to: id, states: openStates, limit: batch, bytes });
  const { removedByUser = false } = (await tx.agents.find(id)) ?? {};
  let maybeRead = 0;
  for (const message of open) {
    if (await mayHaveBeenRead(tx, message)) maybeRead++;
    const reason = message.kind === 'completion' ? 'parent_removed' : 'recipient_removed';
    const why = { code: 'recipient-removed', cause: 'its recipient was removed' } as const;
    await bury(tx, clock.now(), message, reason, why);
    // It died by the user's own act, and asks for no other (rule 35).
    if (removedByUser) await tx.messages.setDiscarded(message.id, clock.now());
  }
  if (open.length === 0) await tx.agents.markInboxSettled(id);
  return { settled: open.length, maybeRead };
}
