import { isAtRest } from '../../agents/remember-turn.ts';
import type { StatusView } from '../../agents/status.ts';
import { findPenObstacle } from '../../delivery/find-pen-obstacle.ts';
import type { NativeWay } from '../../delivery/recipient.ts';
import type { Clock } from '../../shared/clock.ts';
import { pause } from '../../shared/clock.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import type { Life } from '../life.ts';
import { type PressMeans, pressKeys } from './press-keys.ts';
import {
  hasNoWay,
  isInterrupted,
  isTooSoon,
  objectTo,
  objectToScreen,
  showsNoWork,
  willAsk,
} from './refuse.ts';
import type { Working } from './working.ts';

/** Its screen is looked at twice a second while it moves, and its own word comes at once. */
const lookMs = 50;
const steadyMs = 1000;
const unaskedForMs = 4000;

export interface InterruptWish {
  /** From the request on; what is pressed late is not proven in time. */
  readonly limitMs: number;
  /** Whoever asked has gone: what was asked for is not waited for. */
  readonly signal: AbortSignal;
  /** Awaited just before anything is pressed or asked: a killed daemon leaves a trace of it. */
  readonly begin: () => Promise<void>;
}

export interface Interrupted {
  readonly by: 'api' | 'keys';
  /** How often Esc was pressed. */
  readonly presses: number;
  /** It came to rest. False: nothing has shown that within the limit. */
  readonly isProven: boolean;
  /** It told of a question since the act: one that was under way, and ended with its turn. */
  readonly hasAsked: boolean;
  /** What it was doing at last. */
  readonly view: StatusView;
}

/** Agents whose turn somebody ends at this moment. */
const busy = new WeakSet<Life>();

/**
 * Ends the turn of an agent as its person's Esc would, for that person: by its CLI's own API, else
 * by guarded keys. Throws where no turn runs for certain, where a key would answer a question or
 * touch a draft, and where there is no way. Returns when it rests, or when the limit is over.
 */
export async function interrupt(
  working: Working,
  clock: Clock,
  wish: InterruptWish,
): Promise<Interrupted> {
  const { life } = working;
  const endsAtMs = clock.monotonicMs() + wish.limitMs;
  if (busy.has(life)) throw isInterrupted(life);
  busy.add(life);
  try {
    const { signal, begin } = wish;
    await awaitSteadyWork(working, clock, { endsAtMs, signal });
    await reachFailPoint('interrupt.seen');
    await begin();
    await reachFailPoint('interrupt.noted');
    // The ledger may have kept us waiting. Nothing is pressed for somebody who has left.
    if (signal.aborted) throw isTooSoon(life);
    const actedAt = clock.monotonicMs();
    const { interrupt: byApi } = working.native ?? {};
    const done = byApi
      ? await askCli(working, byApi)
      : { by: 'keys' as const, ...(await pressAll(working, { clock, endsAtMs, signal })) };
    await reachFailPoint('interrupt.done');
    const rest = await awaitRest(working, clock, { endsAtMs, signal });
    return { ...done, ...rest, hasAsked: (working.askedAt() ?? actedAt) > actedAt };
  } finally {
    busy.delete(life);
  }
}

/**
 * While a dialog is drawn its agent may count as working for a moment, and an Esc then answers it:
 * Qwen Code 0.24.4 told of a question, showed its composer 500 ms later and the question again 200
 * ms after that; Gemini CLI 0.61.0 showed its question 1.8 s after its hook had told of it (busy
 * machine).
 */
async function awaitSteadyWork(
  { life, view, askedAt, mayAsk }: Working,
  clock: Clock,
  { endsAtMs, signal }: { readonly endsAtMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const startedMs = clock.monotonicMs();
  for (;;) {
    const { status, detail, since } = view();
    const objection = objectTo(life, { status, ...(detail === undefined ? {} : { detail }) });
    if (objection) throw objection;
    const workedMs = Math.max(clock.now() - since, clock.monotonicMs() - startedMs);
    const unaskedMs = clock.monotonicMs() - (askedAt() ?? Number.NEGATIVE_INFINITY);
    const isAsked = mayAsk();
    if (workedMs >= steadyMs && unaskedMs >= unaskedForMs && !isAsked) return;
    const isLate = clock.monotonicMs() >= endsAtMs;
    if (isLate || !(await pause(clock, lookMs, signal)))
      throw isAsked ? willAsk(life) : isTooSoon(life);
  }
}

async function askCli(
  working: Working,
  byApi: NonNullable<NativeWay['interrupt']>,
): Promise<Pick<Interrupted, 'by' | 'presses'>> {
  const { life } = working;
  const { backend, terminal, provider } = life;
  const blocked = working.native?.blocked();
  if (blocked) throw hasNoWay(life, blocked);
  // A person may have begun to write, or opened something, since it was looked at.
  const look = await backend.look(terminal, { styled: provider.capabilities.styledScreen });
  const objection = look === 'gone' ? undefined : objectToScreen(life, life.detect(look));
  if (objection) throw objection;
  if (working.mayAsk()) throw willAsk(life);
  const asked = await byApi();
  if (asked.outcome === 'refused') throw hasNoWay(life, asked.reason);
  if (asked.outcome === 'at-rest') {
    throw objectTo(life, working.view()) ?? showsNoWork(life);
  }
  working.pressed();
  return { by: 'api', presses: 0 };
}

async function pressAll(
  working: Working,
  means: PressMeans,
): Promise<Pick<Interrupted, 'presses'>> {
  const { life } = working;
  const keys = life.provider.capabilities.interruptKeys;
  const obstacle = findPenObstacle(life.backend, life.backend.state().version);
  if (obstacle) throw hasNoWay(life, obstacle);
  if (!keys || keys.length === 0) throw hasNoWay(life, undefined);
  const { presses } = await pressKeys(working, keys, means);
  return { presses };
}

async function awaitRest(
  working: Working,
  clock: Clock,
  { endsAtMs, signal }: { readonly endsAtMs: number; readonly signal: AbortSignal },
): Promise<Pick<Interrupted, 'isProven' | 'view'>> {
  for (;;) {
    const view = working.view();
    if (isAtRest(view.status)) return { isProven: true, view };
    const isOver = view.status === 'exited' || clock.monotonicMs() >= endsAtMs;
    if (isOver || !(await pause(clock, lookMs, signal))) return { isProven: false, view };
  }
}
