import type { CauseCode } from '../../src/messages/cause.ts';
import type { Route } from '../../src/messages/claim.ts';
import type { MessageState } from '../../src/messages/message.ts';
import { messageStates } from '../../src/messages/transitions.ts';
import type { World } from './world.ts';

/** What happened to a message, by the codes of its history. */
export type Event = `${MessageState}: ${CauseCode}` | `claimed: ${Route}` | 'seen: not in context';

/** What no message of these histories has shown, of all that some of them must show. */
export function listUnexercised(events: ReadonlySet<Event>): readonly Event[] {
  return exercised.filter((event) => !events.has(event));
}

/**
 * What must have happened to some message in some of them; otherwise they prove less than they seem
 * to.
 */
const exercised: readonly Event[] = [
  'claimed: native',
  'claimed: turn-boundary',
  'claimed: mid-turn',
  'claimed: paste',
  'claimed: pull',
  'queued: not-taken',
  'queued: not-confirmed',
  'queued: not-landed',
  'queued: withdrawn',
  'queued: offered-once-more',
  'queued: taken-out',
  'queued: handed-out-again',
  'queued: command-died',
  'queued: named-in-ended-life',
  'uncertain: holder-died',
  'uncertain: lost-sight',
  'uncertain: life-ended',
  'uncertain: no-proof',
  'uncertain: no-answer',
  'uncertain: conversation-left',
  'uncertain: unanswered',
  'injected: put-in',
  'injected: held',
  'injected: unconfirmed',
  'seen: read',
  'seen: output-followed',
  'seen: not in context',
  'acked: went-on',
  'expired: expired',
  'dead: recipient-removed',
  'dead: copies-uncertain',
  'superseded: superseded',
];

/** For a look at what a run has exercised. */
export async function listEvents({ inner, agents }: World): Promise<ReadonlySet<Event>> {
  const events = new Set<Event>();
  await inner.read(async (tx) => {
    for (const { id } of agents) {
      const query = { to: id, states: messageStates, limit: 100_000, includeDiscarded: true };
      for (const message of await tx.messages.list(query)) {
        for (const { to, code } of await tx.messages.history(message.id))
          if (code !== undefined) events.add(`${to}: ${code}`);
        for (const { route } of await tx.claims.listAttempts(message.id))
          events.add(`claimed: ${route}`);
        if (message.state === 'seen' && message.inContext === false)
          events.add('seen: not in context');
      }
    }
  });
  return events;
}
