import type { Agent } from '../../agents/agent.ts';
import type { Message, MessageState } from '../../messages/message.ts';
import type { WaitCode, WaitReason } from '../../messages/wait-reason.ts';
import type { InterruptView } from '../../protocol/interrupt.ts';
import { viewWait } from '../../protocol/view-wait.ts';
import { viewMessage } from '../../protocol/views.ts';
import { pause } from '../../shared/clock.ts';
import type { LedgerTransaction } from '../../store/ledger.ts';
import type { LiveContext } from '../context.ts';

/** Why a message waits for the end of a turn. */
const ofWork: ReadonlySet<WaitCode> = new Set(['works-until-turn-boundary', 'works-until-rest']);

type Fate = InterruptView['messages'][number]['fate'];

const onTheirWay: readonly MessageState[] = ['claimed', 'injected', 'uncertain'];
/** More than any turn holds; the others are in the inbox's own lists. */
const mostListed = 50;
const lookMs = 100;
/** That a prompt was taken back is certain after 5 s at rest (rule 51d). */
const fateMs = 8000;

/**
 * By id, the messages that the running turn may hold: on their way, or read since the turn before.
 */
export async function listRunning(
  { ledger }: Pick<LiveContext, 'ledger'>,
  { id, epoch }: Agent,
): Promise<readonly string[]> {
  return await ledger.read(async (tx) => {
    const open = await tx.messages.list({ to: id, states: onTheirWay, limit: mostListed });
    const last = await tx.turns.findLastStop(id);
    const entered = (await tx.claims.listEntered(id, epoch)).filter(
      ({ isIn, at }) => isIn && (last === undefined || at >= last.at),
    );
    const ids = [
      ...open.map((message) => message.id),
      ...entered.map(({ messageId }) => messageId),
    ];
    return [...new Set(ids)].slice(-mostListed);
  });
}

/**
 * What became of them, once it is known or the time is over; and what waits now, and for what. The
 * rules decide that as after every Esc (9, 22, 42, 51d): here it is only told.
 */
export async function followRunning(
  context: LiveContext,
  { id }: Agent,
  wish: {
    readonly running: readonly string[];
    readonly leftMs: number;
    readonly signal: AbortSignal;
  },
): Promise<Pick<InterruptView, 'messages' | 'waiting' | 'waitsFor' | 'waitsForCode'>> {
  const { ledger, live, surroundings } = context;
  const { clock } = surroundings;
  const endsAtMs = clock.monotonicMs() + Math.min(wish.leftMs, fateMs);
  for (;;) {
    const told = await ledger.read((tx) => tellAll(tx, context, id, wish.running));
    const { isHeld, ...shown } = told;
    const reason = isHeld ? ({ code: 'queue-paused' } as const) : tellWait(live, id);
    // Delivery may not have looked since the turn ended.
    const isOld = told.waiting > 0 && (reason === undefined || ofWork.has(reason.code));
    const isKnown = told.messages.every(({ fate }) => fate !== 'unknown');
    const isOver = clock.monotonicMs() >= endsAtMs;
    if ((!isKnown || isOld) && !isOver && (await pause(clock, lookMs, wish.signal))) continue;
    return told.waiting === 0 || isOld ? shown : { ...shown, ...viewWait(reason) };
  }
}

/** The key that ended the turn is what keeps others back: nobody types there. */
function tellWait({ delivery }: LiveContext['live'], agent: string): WaitReason | undefined {
  const reason = delivery.waitsFor(agent);
  const isKey = reason?.code === 'person-typing' || reason?.code === 'person-typed';
  return isKey ? { code: 'just-broken-off' } : reason;
}

async function tellAll(
  tx: LedgerTransaction,
  { live }: LiveContext,
  agent: string,
  ids: readonly string[],
): Promise<Pick<InterruptView, 'messages' | 'waiting'> & { readonly isHeld: boolean }> {
  const messages: InterruptView['messages'][number][] = [];
  let held = 0;
  for (const id of ids) {
    const message = await tx.messages.find(id);
    if (!message) continue;
    const fate = judge(message, live.delivery.placeOf(agent, id)?.code);
    if (fate === 'waits') held += message.state === 'queued' ? 0 : 1;
    const { short, from, kind, state, standing } = await viewMessage(tx, message);
    messages.push({ id, ...(short ? { short } : {}), from, kind, state, standing, fate });
  }
  const queued = await tx.messages.count({ to: agent, states: ['queued'], limit: 0 });
  return { messages, waiting: queued + held, isHeld: held > 0 };
}

function judge({ state, reason }: Message, place: WaitCode | undefined): Fate {
  if (state === 'dead' && reason === 'withdrawn') return 'taken-back';
  if (state === 'queued') return 'waits';
  if (state === 'seen' || state === 'acked') return 'broken-off';
  if (state !== 'injected' && state !== 'uncertain' && state !== 'claimed') return 'given-up';
  return (place && byPlace[place]) ?? 'unknown';
}

/** Where a message stands that is neither read nor given up. */
const byPlace: Readonly<Partial<Record<WaitCode, Fate>>> = {
  'landed-interrupted': 'in-conversation',
  'landed-in-left-conversation': 'in-conversation',
  'put-back': 'put-back',
  'draft-may-be-it': 'put-back',
  'taken-out': 'taken-out',
  'queue-paused': 'waits',
};
