// Tests: src/delivery/open-delivery.test.ts, src/delivery/promises.test.ts.

import type { Agent } from '../agents/agent.ts';
import { isAtRest } from '../agents/remember-turn.ts';
import type { TurnOutcome } from '../messages/message.ts';
import type { BrokenChannel, WaitReason } from '../messages/wait-reason.ts';
import type { HookOffer } from '../providers/way-in.ts';
import { reportBug } from '../shared/report-bug.ts';
import { answerHook } from './answer-hook.ts';
import { Bell } from './bell.ts';
import { Carrier, firstLookMs, retryMs } from './carrier.ts';
import { describeRoutes, type RouteState } from './describe-routes.ts';
import { createEvidenceMemory, hasMemories } from './evidence-memory.ts';
import {
  followEvidence,
  nextLook,
  nothingOpen,
  passBoundary,
  type Standing,
} from './follow-evidence.ts';
import { Gathering } from './gather.ts';
import type { Said } from './hook-desk.ts';
import type { HookMeans } from './inject.ts';
import { isPersonsDoing } from './key-obstacles.ts';
import { loseHandedOut, noteInterruption } from './lose-handed-out.ts';
import { offerPulledAgain } from './offer-again.ts';
import { type OnRecord, readOnRecord } from './on-record.ts';
import type { DeliveryParts } from './parts.ts';
import { carriesPrompts, type Decision, pickRoute, type Situation } from './pick-route.ts';
import { PromptPatience } from './prompt-patience.ts';
import { isPen, type Recipient } from './recipient.ts';
import { remindDebtor } from './remind-debtor.ts';
import { remindUnread } from './remind-unread.ts';
import { RestAfterHook } from './rest-after-hook.ts';
import { settleDue } from './settle-due.ts';
import { StandingChannel, soonest } from './standing-channel.ts';
import { glance, surveyInbox, type Waiting } from './survey.ts';
import { type Taking, takeAllFromQueue } from './take-from-queue.ts';
import { tellHeld } from './tell-held.ts';

/**
 * Carries one agent's inbox into one life of it. Every trigger only tells it to look; it looks,
 * decides by the ledger and the agent's status alone, acts under a claim, and follows the evidence
 * (D1). One step at a time; between steps it holds nothing, so that it can be dropped at any moment
 * and a new one finds everything in the ledger.
 */
export class Actor {
  readonly recipient: Recipient;
  readonly #parts: DeliveryParts;
  readonly #hooks: HookMeans;
  readonly #memory = createEvidenceMemory();
  readonly #gathering = new Gathering();
  readonly #over = new AbortController();
  readonly #bell: Bell;
  readonly #channel: StandingChannel;
  readonly #carrier: Carrier;
  readonly #run: Promise<void>;
  #asks = 0;
  readonly #rest = new RestAfterHook();
  readonly #patience = new PromptPatience();
  readonly #takings: Taking[] = [];
  #waitsFor: WaitReason | undefined;
  #isDeciding = false;

  constructor(parts: DeliveryParts, recipient: Recipient, hooks: HookMeans) {
    this.#parts = parts;
    this.recipient = recipient;
    this.#hooks = hooks;
    this.#bell = new Bell(parts.surroundings.clock);
    this.#channel = new StandingChannel({
      clock: parts.surroundings.clock,
      recipient,
      blocked: () => this.#nativeBlocked(),
      tried: () => this.look(),
    });
    this.#carrier = new Carrier({ parts, recipient, ...hooks, signal: this.#over.signal });
    this.#run = this.#loop();
  }

  /** Something may have changed. Safe from anywhere, any number of times. */
  look(): void {
    if (!this.#carrier.isCarrying) this.#isDeciding = true;
    this.#bell.ring();
  }

  /** Why the head of its inbox waits; undefined when nothing does. For `status` and `explain`. */
  get waitsFor(): WaitReason | undefined {
    return this.#waitsFor;
  }

  /** The obstacle in its terminal that keeps the head of its inbox waiting, if any (rule 45). */
  get obstacle(): WaitReason | undefined {
    return isPersonsDoing(this.#waitsFor) ? this.#waitsFor : undefined;
  }

  /** It was told to look, and has not yet found out whether something can go in. */
  get isDeciding(): boolean {
    return this.#isDeciding;
  }

  /** What is broken of that which wakes it (rule 53). */
  get broken(): BrokenChannel | undefined {
    return this.#channel.broken;
  }

  /**
   * Where a message on its way in stands, for `explain`; undefined when there is no more to say.
   */
  placeOf(message: string): WaitReason | undefined {
    return this.#memory.places.get(message);
  }

  get isPasting(): boolean {
    return this.#carrier.isPasting;
  }

  describe(): readonly RouteState[] {
    const { standsIn } = this.#channel;
    const { tooSmall, noPaste } = this.recipient.view();
    const now = { nativeBlocked: this.#nativeBlocked(), standsIn, tooSmall, noPaste };
    return describeRoutes(this.recipient, now);
  }

  /** A synchronous hook asks (rules 16, 19, 20). */
  async ask(offer: HookOffer, gone?: AbortSignal): Promise<Said | undefined> {
    if (offer.route === 'native') return undefined;
    const isBoundary = offer.route === 'turn-boundary';
    this.#asks++;
    try {
      const { hasRested } = this.#rest;
      const holdsPrompts = this.#patience.leftMs > 0 && carriesPrompts(this.recipient);
      const asked = { ...offer, hasRested, holdsPrompts, gone };
      const parcel = await answerHook(this.#parts, this.recipient, asked);
      if (!parcel) {
        // Nothing is said: what rests now rests.
        if (isBoundary) this.#rest.saidNothing();
        return undefined;
      }
      if (isBoundary) this.#rest.said(this.#now());
      const { said, confirmed } = this.#hooks.spoken.say(parcel, offer);
      void confirmed.then((isPrinted) => {
        if (isPrinted) this.recipient.entered?.();
        this.look();
      });
      return said;
    } finally {
      this.#asks--;
      // Nothing was said, so the agent may go idle; what is queued wakes it at once (rule 19).
      if (isBoundary && this.#asks === 0) this.look();
    }
  }

  /** A turn has ended. Nothing is said on the spot over a person who just interrupted (rule 9). */
  async turnEnded(outcome: TurnOutcome): Promise<void> {
    const isInterrupted = outcome === 'interrupted';
    if (outcome === 'completed') this.#memory.backOff.succeed();
    await noteInterruption(this.#parts, this.recipient, this.#memory, isInterrupted);
    if (!isInterrupted && (await passBoundary(this.#parts, this.recipient, this.#memory)))
      this.look();
  }

  /** What is just going in is on disk with what came of it. */
  whenCarried(): Promise<void> {
    return this.#carrier.whenCarried();
  }

  /**
   * Before a turn's end may settle what it owes. What the records show as taken out by a person is
   * queued again once that end is told (rule 9), also where nobody had noticed the interruption.
   */
  readOnRecord(): Promise<OnRecord> {
    return readOnRecord(this.#parts, this.recipient, ({ token }, { because, evidence }) => {
      if (because === 'interrupted') this.#memory.interrupted.set(token, evidence);
    });
  }

  /**
   * Between two steps, so that no step judges the attempt meanwhile. False: its CLI has not given
   * it back, or cannot.
   */
  async takeFromQueue(message: string, by: Agent): Promise<boolean> {
    if (this.#over.signal.aborted || !this.recipient.native?.withdraw) return false;
    return await new Promise((done, fail) => {
      this.#takings.push({ message, by, done, fail });
      this.#bell.ring();
    });
  }

  /** Stops after the step under way. Another actor, or a later daemon, may go on with this life. */
  async close(): Promise<void> {
    this.#over.abort();
    this.#bell.ring();
    await this.#run;
  }

  async #loop(): Promise<void> {
    while (!this.#over.signal.aborted) {
      this.#bell.still();
      await takeAllFromQueue(this.#parts, this.recipient, this.#takings);
      let againInMs: number | undefined;
      try {
        const channelInMs = this.#channel.look();
        againInMs = soonest(channelInMs, await this.#step());
      } catch (error) {
        const { agent } = this.recipient;
        reportBug('a look of delivery', error);
        this.#parts.log.warn({ agent, error: String(error) }, 'a look of delivery failed');
        againInMs = retryMs;
      }
      this.#isDeciding = false;
      if (!this.#over.signal.aborted) await this.#bell.heard(againInMs);
    }
    for (const { done } of this.#takings.splice(0)) done(false);
  }

  /** Returns when time alone makes another look worth while. */
  async #step(): Promise<number | undefined> {
    const first = await glance(this.#parts, this.recipient.agent);
    if (first.isDue) await this.#settle();
    this.#noteStatus();
    const wasAtRest = isAtRest(this.recipient.view().status);
    const isFollowed = first.isDue || first.hasUnproven || hasMemories(this.#memory);
    const standing = isFollowed
      ? await followEvidence(this.#parts, this.recipient, this.#memory)
      : nothingOpen;
    const isUncertain = isFollowed || first.hasUncertain;
    if (first.hasHandedOut) await loseHandedOut(this.#parts, this.recipient, this.#memory);
    const mayOffer = isUncertain || first.hasHandedOut;
    if (mayOffer && (await offerPulledAgain(this.#parts, this.recipient)) > 0) {
      this.#carrier.forgetNotice();
    }
    const waiting = mayOffer ? await surveyInbox(this.#parts, this.recipient.agent) : first.waiting;
    if (!waiting) {
      this.#waitsFor = undefined;
      this.#patience.note(false, undefined, this.#now());
      const reminds = first.owes && standing.heldOn === undefined;
      const againInMs = reminds ? await remindDebtor(this.#parts, this.recipient) : undefined;
      const isPartly = first.hasHandedOut && standing.heldOn === undefined;
      const unreadInMs = isPartly
        ? await remindUnread(this.#parts, this.recipient, this.#memory)
        : undefined;
      return nextLook(standing, soonest(againInMs, unreadInMs));
    }
    const situation = this.#describe(standing, waiting);
    // What holds others back was judged by the status before: an Esc in between would let a burst
    // be two turns (rule 21).
    if (isFollowed && isAtRest(situation.view.status) !== wasAtRest) return firstLookMs;
    const decision = pickRoute(situation);
    if ('wait' in decision) {
      if (waiting.hold && isAtRest(situation.view.status))
        await tellHeld(this.#parts, waiting.hold);
      this.#waitsFor = decision.wait;
      return nextLook(standing, decision.againInMs);
    }
    // An agent that works is woken by nobody.
    const gathering = isAtRest(situation.view.status) ? waiting.gathering : undefined;
    const gatherMs = this.#gathering.waitMs(gathering, this.#now());
    this.#waitsFor = gatherMs > 0 ? { code: 'gathering' } : undefined;
    if (gatherMs > 0) return nextLook(standing, gatherMs);
    return nextLook(standing, await this.#act(decision, situation));
  }

  async #settle(): Promise<void> {
    const { ledger, surroundings } = this.#parts;
    await ledger.write((tx) => settleDue(tx, surroundings, this.recipient.agent));
  }

  #noteStatus(): void {
    const view = this.recipient.view();
    this.#memory.backOff.note(view, this.#now());
    if (isAtRest(view.status) && this.#asks === 0) this.#rest.note(view.atRestSince, this.#now());
  }

  /** Everything that decides. */
  #describe(
    { heldOn }: Standing,
    { hasPrompt, ...waiting }: Pick<Waiting, 'isUrgent' | 'hold' | 'timed' | 'hasPrompt'>,
  ): Situation {
    const { ways, pen } = this.recipient;
    const view = this.recipient.view();
    return {
      ...waiting,
      view,
      promptLeftMs: this.#patience.note(hasPrompt, view.atRestSince, this.#now()),
      pasteRefused: this.#carrier.pasteRefused,
      ways,
      nativeBlocked: this.#nativeBlocked(),
      isTakenOver: this.#channel.isTakenOver,
      penBlocked: isPen(pen) ? undefined : pen,
      heldOn,
      backOffUntil: this.#memory.backOff.until,
      isFailing: this.#memory.backOff.isFailing,
      now: this.#now(),
    };
  }

  async #act(
    decision: Extract<Decision, { route: string }>,
    situation: Situation,
  ): Promise<number | undefined> {
    // A hook is just being answered: it may take the very same messages, at no cost of a turn.
    if (this.#asks > 0) return undefined;
    const acted = await this.#carrier.act(decision, situation, () => {
      this.#isDeciding = false;
    });
    this.#waitsFor = acted.waitsFor;
    // A prompt that waits for a paste waits no longer than this (rule 51b).
    return soonest(acted.againInMs, situation.promptLeftMs || undefined);
  }

  #nativeBlocked(): WaitReason | undefined {
    const { ways, native } = this.recipient;
    return ways.hasWaitingHook ? this.#hooks.waiters.blocked() : native?.blocked();
  }

  #now(): number {
    return this.#parts.surroundings.clock.monotonicMs();
  }
}
