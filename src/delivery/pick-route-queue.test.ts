import { describe, expect, test } from 'vitest';
import type { AgentStatus } from '../agents/agent.ts';
import { pickRoute, type Situation } from './pick-route.ts';
import type { RecipientView, Ways } from './recipient.ts';

/** A CLI with a queue of its own, which takes messages whatever it does. */
const queue: Ways = {
  routes: ['native', 'pull'],
  provable: ['native'],
  nativeDuring: ['processing', 'waiting'],
  pastes: 'message',
  hasWaitingHook: false,
};

type More = Omit<Partial<Situation>, 'view'> & { view?: Partial<RecipientView> };

function situation(status: AgentStatus, { view, ...more }: More): Situation {
  return {
    view: { status, composer: 'empty', ...view },
    ways: queue,
    ...{ nativeBlocked: undefined, penBlocked: undefined, heldOn: undefined },
    ...{ isUrgent: false, isTakenOver: false, isFailing: false },
    hold: undefined,
    timed: { head: false, urgent: false },
    backOffUntil: 0,
    now: 1_000_000,
    ...more,
  };
}

describe.each(['returned', 'dropped'] as const)(
  'rules 12, 22: a CLI whose own queue is %s when a person presses Esc',
  (queueOnEsc) => {
    const ways: Ways = { ...queue, queueOnEsc };
    const hooked: Ways = { ...ways, routes: ['native', 'turn-boundary', 'pull'] };
    const decide = (status: AgentStatus, more: More = {}) =>
      pickRoute(situation(status, { ways, ...more }));

    test('is given nothing while it works, asks or may do either; its stop hook, where it has one, still takes it', () => {
      expect(decide('processing')).toEqual({ wait: { code: 'works-until-rest' } });
      const boundary = { wait: { code: 'works-until-turn-boundary' } };
      expect(decide('processing', { ways: hooked })).toEqual(boundary);
      expect(decide('waiting')).toMatchObject({ wait: { code: 'question' } });
      expect(decide('unknown')).toMatchObject({ wait: { code: 'status-unknown' } });
    });

    test('nor an urgent message, which would be torn out with the rest', () => {
      const urgent = { isUrgent: true };
      expect(decide('processing', urgent)).toEqual({ wait: { code: 'works-until-rest' } });
      const held = { isUrgent: true, heldOn: 'native' } as const;
      expect(decide('processing', held)).toEqual({ wait: { code: 'works-until-rest' } });
    });

    test('gets it at rest, at once after a turn that ended by itself', () => {
      expect(decide('completed')).toEqual({ route: 'native' });
      expect(decide('idle')).toEqual({ route: 'native' });
    });

    test('gets it after Esc once the person has been quiet for 3 s: a second Esc would hit it', () => {
      const decideAfter = (ms: number, sinceKey = ms) =>
        decide('idle', { view: { brokenOffAt: 1_000_000 - ms, humanKeyAt: 1_000_000 - sinceKey } });
      expect(decideAfter(100)).toEqual({ wait: { code: 'just-broken-off' }, againInMs: 2900 });
      expect(decideAfter(2999, 500)).toEqual({
        wait: { code: 'just-broken-off' },
        againInMs: 2500,
      });
      expect(decideAfter(3000)).toEqual({ route: 'native' });
      // Keys are not known in every terminal.
      const view = { brokenOffAt: 999_000 };
      expect(decide('idle', { view })).toMatchObject({ againInMs: 2000 });
    });

    test('gets it 10 s after Esc, however long the person types on', () => {
      const typing = { brokenOffAt: 991_000, humanKeyAt: 1_000_000 };
      expect(decide('idle', { view: typing })).toMatchObject({ againInMs: 1000 });
      const later = { brokenOffAt: 990_000, humanKeyAt: 1_000_000 };
      expect(decide('idle', { view: later })).toEqual({ route: 'native' });
    });
  },
);

test('rule 22: a queue that Esc leaves alone takes messages as before, after Esc too', () => {
  const ways: Ways = { ...queue, queueOnEsc: 'kept' };
  for (const status of ['processing', 'waiting', 'unknown', 'idle'] as const) {
    const view = { brokenOffAt: 999_900 };
    expect(pickRoute(situation(status, { ways, view }))).toEqual({ route: 'native' });
  }
});
