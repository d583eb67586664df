import { callName } from '../../agents/reference.ts';
import type { InterruptKey } from '../../providers/capabilities.ts';
import { type Clock, pause } from '../../shared/clock.ts';
import { Fault } from '../../shared/fault.ts';
import type { Written } from '../../terminals/writing.ts';
import {
  hasEnded,
  hasObstacle,
  hasTyped,
  objectTo,
  objectToScreen,
  showsNoWork,
  willAsk,
} from './refuse.ts';
import type { Working } from './working.ts';

const escapeKey = Buffer.from('\x1b');
/**
 * A sign of work goes for a frame now and then, and a warning is drawn some 100 ms after its key.
 */
const againMs = 50;
/** A warning that is not there by then has come and gone: the first key is pressed once more. */
const warnedMs = 2500;
/** Nothing is pressed into a screen that does not show work for so long. */
const unseenMs = 3000;

/**
 * Presses Esc as often as the CLI needs it, each time only while the screen shows what the
 * provider's data asks for, which tmux itself judges in the command that presses (rule 45). A turn
 * that ends by itself in between shows no work any more, so that its empty composer gets no key.
 * Returns how often it was pressed, and whether that is known; throws why nothing was.
 */
export async function pressKeys(
  working: Working,
  keys: readonly InterruptKey[],
  { clock, endsAtMs, signal }: PressMeans,
): Promise<Pressed> {
  let presses = 0;
  let step = 0;
  const startedAt = clock.monotonicMs();
  let stepSince = startedAt;
  for (;;) {
    const guard = keys[step];
    if (!guard) return { presses, isSure: true };
    const written = await pressOne(working, guard, clock.now(), presses > 0).catch(
      (error: unknown) => {
        // What was pressed is told: a fault would say that nothing was.
        if (presses > 0 && error instanceof Fault) return 'unsent' as const;
        throw error;
      },
    );
    if (written === 'written' || written === 'unknown') {
      presses++;
      working.pressed();
      if (written === 'unknown') return { presses, isSure: false };
      step++;
      stepSince = clock.monotonicMs();
      continue;
    }
    if (presses === 0) throwUnpressed(working, written);
    else if (written === 'gone') return { presses, isSure: true };
    if (written === 'covered' && guard.isSpared && !keys[step + 1]?.isSpared) {
      step++;
      continue;
    }
    // The row of work may have been away for a frame just then.
    if (presses === 0) step = 0;
    const now = clock.monotonicMs();
    if (working.view().status !== 'processing') return giveUp(working, presses);
    const isUnseen = presses === 0 && now - startedAt >= unseenMs;
    if (isUnseen || now >= endsAtMs) return giveUp(working, presses);
    if (step > 0 && now - stepSince >= warnedMs) {
      step = 0;
      stepSince = now;
    }
    if (!(await pause(clock, againMs, signal))) return giveUp(working, presses);
  }
}

export interface PressMeans {
  readonly clock: Clock;
  readonly endsAtMs: number;
  /** Whoever asked has gone: nothing more is pressed. */
  readonly signal: AbortSignal;
}

export interface Pressed {
  readonly presses: number;
  /** False: the connection was lost in the middle of it. */
  readonly isSure: boolean;
}

/** Before the first key it ends with a refusal; afterwards the status says what came of it. */
function giveUp(working: Working, presses: number): Pressed {
  if (presses > 0) return { presses, isSure: true };
  throw objectTo(working.life, working.view()) ?? showsNoWork(working.life);
}

async function pressOne(
  { life, view, mayAsk }: Working,
  { isSpared: _, ...screen }: InterruptKey,
  personAt: number,
  isBegun: boolean,
): Promise<Written> {
  const { backend, terminal, provider } = life;
  const look = await backend.look(terminal, { styled: provider.capabilities.styledScreen });
  if (look === 'gone' || !look.isAlive) return 'gone';
  const objection = isBegun
    ? undefined
    : (objectToScreen(life, life.detect(look)) ??
      objectTo(life, view()) ??
      (mayAsk() ? willAsk(life) : undefined));
  if (objection) throw objection;
  const { typingStamp: untypedSince } = look;
  const guard = { ...(untypedSince === undefined ? {} : { untypedSince }), screen };
  return backend.write(terminal, escapeKey, { guard, personAt });
}

/** `covered` is no reason to give up: the sign of work may be back with the next frame. */
function throwUnpressed({ life }: Working, written: Exclude<Written, 'written' | 'unknown'>): void {
  switch (written) {
    case 'gone':
      throw hasEnded(life);
    case 'typed':
      throw hasTyped(life);
    case 'copy-mode':
    case 'synchronised':
    case 'input-off':
      throw hasObstacle(life, written);
    case 'unsent':
    case 'refused':
      throw new Fault(
        'backend-lost',
        `There is no connection to the terminal of "${callName(life.agent)}" now, so nothing was pressed.`,
        'Ask again; `signalbox health` says whether it is back.',
      );
    case 'covered':
      return;
  }
}
