import { describe, expect, test } from 'vitest';
import { describeSituation, type SituationWish, waysOf } from '../../test/fakes/situation.ts';
import type { AgentStatus } from '../agents/agent.ts';
import { pickRoute } from './pick-route.ts';
import type { Ways } from './recipient.ts';

/** It takes messages whatever it does. */
const { queue } = waysOf;

describe.each(['returned', 'dropped'] as const)(
  'rules 12, 22: a CLI whose own queue is %s when a person presses Esc',
  (queueOnEsc) => {
    const ways: Ways = { ...queue, queueOnEsc };
    const hooked: Ways = { ...ways, routes: ['native', 'turn-boundary', 'pull'] };
    const decide = (status: AgentStatus, more: SituationWish = {}) =>
      pickRoute(describeSituation(status, more.ways ?? ways, more));

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
  for (const status of ['processing', 'unknown', 'idle'] as const) {
    const view = { brokenOffAt: 999_900 };
    expect(pickRoute(describeSituation(status, ways, { view }))).toEqual({ route: 'native' });
  }
});
