import { describe, expect, test } from 'vitest';
import {
  waysOf as all,
  describeSituation,
  type SituationWish,
  type WayName,
} from '../../test/fakes/situation.ts';
import type { AgentStatus } from '../agents/agent.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import { type Decision, pickRoute, type Situation } from './pick-route.ts';
import type { Ways } from './recipient.ts';

const unconnected: WaitReason = { code: 'native-blocked', why: 'not connected' };
const noTyping: WaitReason = { code: 'typing-refused' };

function situation(status: AgentStatus, ways: WayName, more: SituationWish = {}): Situation {
  return describeSituation(status, all[ways], more);
}

function show(decision: Decision): string {
  if ('wait' in decision) return 'wait';
  return decision.limit === undefined ? decision.route : `${decision.route} ${decision.limit}`;
}

/**
 * Each status against each sort of CLI, with a plain message; then with an urgent one, where that
 * makes a difference.
 */
const table: Readonly<Record<AgentStatus, Readonly<Record<WayName, string>>>> = {
  starting: {
    hook: 'wait',
    queue: 'wait',
    join: 'wait',
    paste: 'wait',
    told: 'wait',
    pull: 'wait',
  },
  idle: {
    hook: 'native',
    queue: 'native',
    join: 'native',
    paste: 'paste',
    told: 'notice',
    pull: 'wait',
  },
  processing: {
    hook: 'wait',
    queue: 'native',
    join: 'native',
    paste: 'wait',
    told: 'wait',
    pull: 'wait',
  },
  waiting: {
    hook: 'wait',
    queue: 'wait',
    join: 'wait',
    paste: 'wait',
    told: 'wait',
    pull: 'wait',
  },
  completed: {
    hook: 'native',
    queue: 'native',
    join: 'native',
    paste: 'paste',
    told: 'notice',
    pull: 'wait',
  },
  error: {
    ...{ hook: 'native probe', queue: 'native probe', join: 'native probe' },
    ...{ paste: 'paste probe', told: 'notice probe', pull: 'wait' },
  },
  exited: { hook: 'wait', queue: 'wait', join: 'wait', paste: 'wait', told: 'wait', pull: 'wait' },
  unknown: {
    hook: 'wait',
    queue: 'native',
    join: 'wait',
    paste: 'wait',
    told: 'wait',
    pull: 'wait',
  },
};

describe.each(Object.entries(table) as [AgentStatus, Record<WayName, string>][])(
  'how a message gets into an agent that is %s',
  (status, row) => {
    test.each(Object.entries(row) as [WayName, string][])('%s: %s', (ways, expected) => {
      expect(show(pickRoute(situation(status, ways)))).toBe(expected);
    });
  },
);

test('rule 44: a screen that cannot be read keeps no message from a way in that is open whatever the agent does', () => {
  expect(show(pickRoute(situation('unknown', 'queue')))).toBe('native');
  const blocked = { nativeBlocked: unconnected };
  expect(show(pickRoute(situation('unknown', 'queue', blocked)))).toBe('wait');
  const spent = { hold: { budget: 'wakes', limit: 60, until: 0 } } as const;
  expect(show(pickRoute(situation('unknown', 'queue', spent)))).toBe('wait');
  // Before a question of the CLI's own these would be dropped or typed, and nobody knows whether
  // there is one.
  for (const ways of ['join', 'hook', 'paste', 'told'] as const) {
    expect(show(pickRoute(situation('unknown', ways)))).toBe('wait');
  }
});

test.each(Object.keys(all) as WayName[])(
  'rule 51c: nothing goes in while the agent waits for a person, urgent or a prompt included (%s)',
  (ways) => {
    const asked = { wait: { code: 'question', detail: 'permission' } };
    const view = { detail: 'permission' };
    const wishes = [{}, { isUrgent: true }, { promptLeftMs: 60_000 }, { promptLeftMs: 0 }];
    for (const wish of wishes)
      expect(pickRoute(situation('waiting', ways, { view, ...wish }))).toEqual(asked);
  },
);

test.each(['idle', 'completed', 'error', 'processing'] as const)(
  'rule 24: nothing goes by a way in that ends in the composer while a person is in a mode of it (%s)',
  (status) => {
    const view = { composer: 'draft', mode: 'shell' } as const;
    const ways = { ...all.join, nativeInComposer: true } as const;
    const decision = pickRoute({ ...situation(status, 'join', { view }), ways });
    expect(decision).toMatchObject({ wait: { code: 'composer-mode', mode: 'shell' } });
    // A draft is no mode: what comes goes beside it.
    const draft = situation(status, 'join', { view: { composer: 'draft' } });
    expect(show(pickRoute({ ...draft, ways }))).toContain('native');
    // Where the way in knows nothing of the composer, its mode is nobody's concern.
    expect(show(pickRoute(situation(status, 'join', { view })))).toContain('native');
  },
);

test.each(['processing', 'unknown'] as const)(
  'rule 5: what has a time to live never stands in a queue of the CLI’s own, where it could not expire (%s)',
  (status) => {
    const timed = { timed: { head: true, urgent: false } };
    const decision = pickRoute(situation(status, 'queue', timed));
    expect(decision).toMatchObject({ wait: { code: 'timed' } });
    // At rest it begins the turn itself.
    expect(show(pickRoute(situation('idle', 'queue', timed)))).toBe('native');
  },
);

test('rules 5, 15: urgent messages overtake one that waits with its time to live, unless they have one too', () => {
  const behind = { isUrgent: true, timed: { head: true, urgent: false } };
  expect(show(pickRoute(situation('processing', 'queue', behind)))).toBe('native urgent');
  const timed = { isUrgent: true, timed: { head: true, urgent: true } };
  expect(show(pickRoute(situation('processing', 'queue', timed)))).toBe('wait');
  const held = { ...timed, heldOn: 'native' } as const;
  expect(show(pickRoute(situation('processing', 'queue', held)))).toBe('wait');
  // A hook that waits says it to the model at once: there is no queue.
  expect(show(pickRoute(situation('processing', 'hook', timed)))).toBe('native urgent');
});

test('rule 22: a waiting hook is answered while the agent works for urgent messages alone', () => {
  expect(show(pickRoute(situation('processing', 'hook', { isUrgent: true })))).toBe(
    'native urgent',
  );
  const blocked = { isUrgent: true, nativeBlocked: { code: 'hook-missing' } as const };
  expect(show(pickRoute(situation('processing', 'hook', blocked)))).toBe('wait');
});

test.each(['idle', 'completed', 'error', 'processing', 'waiting'] as const)(
  'rule 15: what follows a message that is on its way in waits (%s)',
  (status) => {
    for (const ways of Object.keys(all) as WayName[]) {
      expect(show(pickRoute(situation(status, ways, { heldOn: 'native' })))).toBe('wait');
    }
  },
);

test('rule 15: urgent messages overtake what a working agent holds, and nothing goes with them', () => {
  const held = { heldOn: 'native', isUrgent: true } as const;
  expect(show(pickRoute(situation('processing', 'queue', held)))).toBe('native urgent');
  expect(show(pickRoute(situation('processing', 'hook', held)))).toBe('native urgent');
  expect(show(pickRoute(situation('idle', 'queue', held)))).toBe('wait');
});

test('rule 21: a spent wake budget holds an agent at rest, and one that works is no wake', () => {
  const spent = { hold: { budget: 'wakes', limit: 60, until: 0 } } as const;
  expect(pickRoute(situation('idle', 'queue', spent))).toMatchObject({ againInMs: 60_000 });
  expect(pickRoute(situation('completed', 'paste', spent))).toHaveProperty('wait');
  expect(show(pickRoute(situation('processing', 'queue', spent)))).toBe('native');
});

test("a failing model's API is left alone until its back-off ends; then one message is the probe", () => {
  const off = { backOffUntil: 1_000_500 };
  expect(pickRoute(situation('error', 'queue', off))).toMatchObject({ againInMs: 500 });
  expect(show(pickRoute(situation('error', 'queue', { ...off, now: 1_000_500 })))).toBe(
    'native probe',
  );
  expect(show(pickRoute(situation('idle', 'queue', off)))).toBe('native');
});

test('rule 9: so is one that fails by the records while its agent rests as after a good turn', () => {
  const off = { backOffUntil: 1_000_500, isFailing: true };
  for (const status of ['idle', 'completed'] as const) {
    expect(pickRoute(situation(status, 'paste', off))).toMatchObject({ againInMs: 500 });
    expect(show(pickRoute(situation(status, 'paste', { ...off, now: 1_000_500 })))).toBe(
      'paste probe',
    );
  }
});

test('a missing native route is never replaced by one that cannot keep the promise', () => {
  const decision = pickRoute(situation('idle', 'queue', { nativeBlocked: unconnected }));
  expect(decision).toEqual({ wait: unconnected });
});

test.each(['draft', 'hidden', 'unknown'] as const)(
  'rule 24: nothing is pasted while the composer is %s',
  (composer) => {
    expect(show(pickRoute(situation('idle', 'paste', { view: { composer } })))).toBe('wait');
    expect(show(pickRoute(situation('idle', 'told', { view: { composer } })))).toBe('wait');
  },
);

test('rule 24: nothing is pasted within 3 s of a key, nor where typing cannot be known', () => {
  const typing = { view: { humanKeyAt: 998_000 } };
  expect(pickRoute(situation('idle', 'paste', typing))).toMatchObject({ againInMs: 1000 });
  expect(show(pickRoute(situation('idle', 'paste', { view: { humanKeyAt: 997_000 } })))).toBe(
    'paste',
  );
  expect(pickRoute(situation('idle', 'paste', { penBlocked: noTyping }))).toEqual({
    wait: noTyping,
  });
});

describe('rule 53: a native route that is gone', () => {
  const ways: Ways = { ...all.join, takesOver: 'paste' };
  const gone = { ways, nativeBlocked: unconnected };
  const decide = (more: SituationWish) =>
    pickRoute(situation('idle', 'join', { ...gone, ...more }));

  test('is given time, and then the paste takes over, at rest alone', () => {
    expect(decide({})).toEqual({ wait: unconnected });
    expect(decide({ isTakenOver: true })).toEqual({ route: 'paste' });
    const busy = situation('processing', 'join', { ...gone, isTakenOver: true });
    expect(show(pickRoute(busy))).toBe('wait');
  });

  test('is replaced by one line which says that mail waits, where a paste is the user’s word', () => {
    const line: Ways = { ...all.hook, routes: [...all.hook.routes, 'paste'], takesOver: 'notice' };
    expect(decide({ ways: line })).toEqual({ wait: unconnected });
    expect(decide({ ways: line, isTakenOver: true })).toEqual({ route: 'notice' });
    expect(show(decide({ ways: line, isTakenOver: true, view: { composer: 'draft' } }))).toBe(
      'wait',
    );
    const penBlocked = noTyping;
    expect(decide({ ways: line, isTakenOver: true, penBlocked })).toEqual({ wait: unconnected });
  });

  test('is used again as soon as it is back', () => {
    expect(decide({ isTakenOver: true, nativeBlocked: undefined })).toEqual({ route: 'native' });
  });

  test('is not replaced where nothing can be pasted, or where a draft stands', () => {
    const penBlocked = noTyping;
    expect(decide({ isTakenOver: true, penBlocked })).toEqual({ wait: unconnected });
    expect(show(decide({ isTakenOver: true, view: { composer: 'draft' } }))).toBe('wait');
    expect(show(decide({ isTakenOver: true, ways: all.join }))).toBe('wait');
  });
});
