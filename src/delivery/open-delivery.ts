import type { Agent } from '../agents/agent.ts';
import type { TurnOutcome } from '../messages/message.ts';
import type { BrokenChannel, WaitReason } from '../messages/wait-reason.ts';
import { pause } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';
import { Actor } from './actor.ts';
import type { RouteState } from './describe-routes.ts';
import { describeSubmitted } from './describe-senders.ts';
import { explainUnwoken, type Unwoken } from './explain-unwoken.ts';
import type { HookDesk } from './hook-desk.ts';
import { noteSubmitted } from './note-submitted.ts';
import { nothingOnRecord, type OnRecord } from './on-record.ts';
import type { DeliveryLimits, DeliveryParts } from './parts.ts';
import { carriesPrompts } from './pick-route.ts';
import type { Recipient } from './recipient.ts';
import { settleDue } from './settle-due.ts';
import { settleHandedOut } from './settle-handed-out.ts';
import { Spoken } from './spoken.ts';
import { Waiters } from './waiters.ts';

/** The sweep, for what no trigger told (rule 25, D6). */
const sweepMs = 30_000;

/** Makes the ledger move: an actor for each agent that runs, and the desk where their hooks ask. */
export interface Delivery extends HookDesk {
  /** A life began or was found again; or its way in has changed. */
  attach(recipient: Recipient): void;
  /** It is watched no longer. Resolves when nothing of ours is under way in it. */
  detach(agent: string): Promise<void>;
  /**
   * Resolves when the text that is just going in, if one is, is on disk with what came of it: a
   * short turn may be over before that.
   */
  whenCarried(agent: string): Promise<void>;
  /** What its records say now about the tasks that it owes an answer to. */
  readOnRecord(agent: string): Promise<OnRecord>;
  /** With output, unless it was interrupted, failed, or its process ended. */
  turnEnded(agent: string, outcome: TurnOutcome): Promise<void>;
  /** A hook told that this text was submitted; marks of ours in it are noted, and changed words. */
  submitted(agent: string, text: string): Promise<void>;
  /** Something may have changed for this agent. */
  look(agent: string): void;
  /** Its text is on its way into the agent's terminal at this moment. */
  isPasting(agent: string): boolean;
  /** It was told to look, and has not yet found out whether something can go in. */
  isDeciding(agent: string): boolean;
  readonly limits: DeliveryLimits;
  /** Why the head of its inbox waits. */
  waitsFor(agent: string): WaitReason | undefined;
  /** What a person has made of its terminal, if the head of its inbox waits for that (rule 45). */
  obstacle(agent: string): WaitReason | undefined;
  /**
   * What is broken, and what that means for its messages, while what stands beside it to wake it is
   * gone (rule 53).
   */
  broken(agent: string): BrokenChannel | undefined;
  /**
   * Why no message wakes a running agent at rest, by the data of its provider and its backend;
   * undefined where one does.
   */
  unwoken(agent: string): Unwoken | undefined;
  /** A prompt reaches it by itself, as one: it is not to be taken out of its inbox (rule 51c). */
  keepsPrompts(agent: string): boolean;
  /** Where a message that is on its way into it stands. */
  placeOf(agent: string, message: string): WaitReason | undefined;
  /**
   * Takes a message back out of its CLI's own queue, for whoever may; true only if the CLI has
   * confirmed it, and the message is dead then.
   */
  takeFromQueue(agent: string, message: string, by: Agent): Promise<boolean>;
  /** The routes into a running agent; undefined for one that is not watched. */
  routes(agent: string): readonly RouteState[] | undefined;
  close(): Promise<void>;
}

export function openDelivery(parts: DeliveryParts): Delivery {
  const actors = new Map<string, Actor>();
  const spoken = new Spoken(parts);
  const over = new AbortController();
  // They outlive the actors: a hook may come before its agent is watched, and stays when its way in
  // changes (rule 23). Those of an agent with neither an actor nor a hook are forgotten: else one
  // would stay for each agent that ever ran.
  const waiting = new Map<string, Waiters>();
  const waitersOf = (agent: string): Waiters => {
    const waiters = waiting.get(agent) ?? new Waiters(parts, () => actors.get(agent)?.look());
    waiting.set(agent, waiters);
    return waiters;
  };
  const forgetIdle = (agent: string): void => {
    if (!actors.has(agent) && waiting.get(agent)?.isEmpty) waiting.delete(agent);
  };
  const detach = async (agent: string): Promise<void> => {
    const actor = actors.get(agent);
    actors.delete(agent);
    await actor?.close();
    forgetIdle(agent);
  };
  const sweeping = sweep(parts, actors, over.signal);
  return {
    attach: (recipient) => {
      const present = actors.get(recipient.agent);
      if (present?.recipient === recipient) return present.look();
      void present?.close();
      const hooks = { spoken, waiters: waitersOf(recipient.agent) };
      actors.set(recipient.agent, new Actor(parts, recipient, hooks));
    },
    detach,
    whenCarried: async (agent) => actors.get(agent)?.whenCarried(),
    readOnRecord: async (agent) => (await actors.get(agent)?.readOnRecord()) ?? nothingOnRecord,
    turnEnded: async (agent, outcome) => {
      const isTold = actors.get(agent)?.recipient.ways.showsTurnEnds !== true;
      if (outcome === 'completed' && isTold) await settleHandedOut(parts, agent);
      await actors.get(agent)?.turnEnded(outcome);
    },
    submitted: (agent, text) =>
      noteSubmitted(parts, agent, text, actors.get(agent)?.recipient.ways),
    look: (agent) => actors.get(agent)?.look(),
    isPasting: (agent) => actors.get(agent)?.isPasting ?? false,
    isDeciding: (agent) => actors.get(agent)?.isDeciding ?? false,
    limits: parts.limits,
    waitsFor: (agent) => actors.get(agent)?.waitsFor,
    obstacle: (agent) => actors.get(agent)?.obstacle,
    broken: (agent) => actors.get(agent)?.broken,
    unwoken: (agent) => {
      const recipient = actors.get(agent)?.recipient;
      return recipient && explainUnwoken(recipient);
    },
    keepsPrompts: (agent) => {
      const recipient = actors.get(agent)?.recipient;
      return recipient !== undefined && carriesPrompts(recipient);
    },
    placeOf: (agent, message) => actors.get(agent)?.placeOf(message),
    takeFromQueue: async (agent, message, by) =>
      (await actors.get(agent)?.takeFromQueue(message, by)) ?? false,
    routes: (agent) => actors.get(agent)?.describe(),
    ask: async (agent, offer, gone) => actors.get(agent)?.ask(offer, gone),
    wait: (agent, waiter, signal) =>
      waitersOf(agent)
        .wait(waiter, signal)
        .finally(() => forgetIdle(agent)),
    caption: async (agent, text, show) => {
      const line = await parts.ledger.read((tx) => describeSubmitted(tx, agent, text));
      return line === undefined ? undefined : spoken.show(show(line));
    },
    confirm: (id) => spoken.confirm(id),
    close: async () => {
      over.abort();
      spoken.close();
      await Promise.all([...actors.keys()].map(detach));
      await sweeping;
    },
  };
}

/** Through the same actors; one recipient's failure does not touch another. */
async function sweep(
  parts: DeliveryParts,
  actors: ReadonlyMap<string, Actor>,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = parts.surroundings;
  while (await pause(clock, sweepMs, signal)) {
    for (const actor of actors.values()) actor.look();
    await settleOthers(parts, actors).catch((error: unknown) => {
      reportBug('the sweep of delivery', error);
      parts.log.warn({ error: String(error) }, 'the sweep failed');
    });
  }
}

/** Times to live pass for agents that do not run, too. */
async function settleOthers(
  parts: DeliveryParts,
  actors: ReadonlyMap<string, Actor>,
): Promise<void> {
  const { ledger, surroundings } = parts;
  const now = surroundings.clock.now();
  const overdue = await ledger.read((tx) => tx.messages.listOverdueRecipients(now, 100));
  for (const agent of overdue) {
    if (actors.has(agent)) continue;
    try {
      await ledger.write((tx) => settleDue(tx, surroundings, agent));
    } catch (error) {
      reportBug('settling an inbox', error);
      parts.log.warn({ agent, error: String(error) }, 'an inbox could not be settled');
    }
  }
}
