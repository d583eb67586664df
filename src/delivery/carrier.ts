// Tests: src/delivery/open-delivery.test.ts, src/delivery/promises.test.ts.

import type { WaitReason } from '../messages/wait-reason.ts';
import type { Carried } from './carried.ts';
import { carry } from './carry.ts';
import type { InjectMeans } from './inject.ts';
import type { Decision, Situation } from './pick-route.ts';
import { isPen } from './recipient.ts';
import { giveNotice, type Notice } from './routes/notice.ts';
import { Paste } from './routes/paste.ts';

/** A failed look or a refused act is repeated after this, and then ever later; milliseconds. */
export const retryMs = 1000;
const longestRetryMs = 30_000;
/** Between a refused act and the next one, at the least: each refusal itself rings the bell. */
const refusedMs = 250;
/** After an act. A provider that hears of proof earlier says so. */
export const firstLookMs = 200;

/** What came of an act, or of a look that kept it back. */
interface Acted {
  readonly waitsFor: WaitReason | undefined;
  readonly againInMs: number | undefined;
}

/** The hand of an actor: acts by the picked route, and knows what its last acts came to. */
export class Carrier {
  readonly #means: InjectMeans;
  #refusals = 0;
  #lastNotice: Notice | undefined;
  #paste: Paste | undefined;
  #carrying: Promise<unknown> | undefined;
  /** Monotonic: a route that refuses is left alone for a moment, whatever rings. */
  #restUntil = Number.NEGATIVE_INFINITY;
  #lastRefusal: WaitReason | undefined;
  #pasteRefused: WaitReason | undefined;

  constructor(means: InjectMeans) {
    this.#means = means;
  }

  get isCarrying(): boolean {
    return this.#carrying !== undefined;
  }

  /** The act under way, if there is one, has been written down. */
  async whenCarried(): Promise<void> {
    // Whoever carries it hears of the error; here it is over as well.
    await this.#carrying?.catch(() => undefined);
  }

  get isPasting(): boolean {
    return this.#paste?.isUnderWay ?? false;
  }

  /** Why the last text that was to be pasted was not; undefined when it was. */
  get pasteRefused(): WaitReason | undefined {
    return this.#pasteRefused;
  }

  /** There is more to tell of than the last notice knew. */
  forgetNotice(): void {
    this.#lastNotice = undefined;
  }

  /** `decided` is called once nothing is known to be in the way, before anything is claimed. */
  async act(
    decision: Extract<Decision, { route: string }>,
    situation: Situation,
    decided: () => void,
  ): Promise<Acted> {
    const { route } = decision;
    if (route === 'notice') return this.#notice();
    const restMs = this.#restUntil - this.#means.parts.surroundings.clock.monotonicMs();
    if (restMs > 0) return { waitsFor: this.#lastRefusal, againInMs: restMs };
    const paste = route === 'paste' ? this.#openPaste() : undefined;
    if (paste && 'code' in paste) return { waitsFor: paste, againInMs: retryMs };
    this.#paste = paste;
    try {
      // What a person does there costs no attempt (rules 24, 45): nothing is claimed before a look
      // says that it may help.
      const objection = paste ? await paste.look() : undefined;
      if (paste) this.#pasteRefused = objection;
      if (objection !== undefined) return { waitsFor: objection, againInMs: retryMs };
      decided();
      const carrying = carry(this.#means, { ...decision, situation, paste });
      this.#carrying = carrying;
      const result = await carrying;
      if (paste && result?.outcome === 'refused') this.#pasteRefused = result.reason;
      return result ? this.#goOn(result) : { waitsFor: undefined, againInMs: retryMs };
    } finally {
      this.#carrying = undefined;
      paste?.drop();
    }
  }

  #openPaste(): Paste | WaitReason {
    const { parts, recipient } = this.#means;
    const { pen } = recipient;
    if (!isPen(pen)) return pen;
    const { pastesWithEnter, entersSoonMs: soonMs } = recipient.ways;
    const commands = pastesWithEnter ? 'one' : 'two';
    return new Paste(parts, pen, () => recipient.view(), { commands, soonMs });
  }

  #goOn(result: Carried): Acted {
    if (result.outcome === 'taken') {
      this.#refusals = 0;
      // The CLI begins its work now; its records are asked when there may be something in them.
      return { waitsFor: undefined, againInMs: firstLookMs };
    }
    const laterMs = Math.min(retryMs * 2 ** this.#refusals, longestRetryMs);
    if (result.outcome === 'refused') {
      this.#refusals++;
      this.#lastRefusal = result.reason;
      this.#restUntil = this.#means.parts.surroundings.clock.monotonicMs() + refusedMs;
    }
    const againInMs = result.outcome === 'unknown' ? retryMs : laterMs;
    return { waitsFor: result.reason, againInMs };
  }

  /** O13: one line, once for what has come since the last one. */
  async #notice(): Promise<Acted> {
    const { parts, recipient } = this.#means;
    const { notice, waitsFor, againInMs } = await giveNotice(parts, recipient, this.#lastNotice);
    this.#lastNotice = notice ?? this.#lastNotice;
    return { waitsFor, againInMs };
  }
}
