import { expect, test } from 'vitest';
import { describeRoutes } from './describe-routes.ts';
import type { Pen, Ways } from './recipient.ts';

const pen: Pen = { look: async () => 'gone', write: async () => 'gone' };
const ways: Ways = {
  routes: ['native', 'paste', 'pull'],
  provable: ['native'],
  nativeDuring: [],
  pastes: 'message',
  hasWaitingHook: false,
};

test('routes are listed best first, then those that the provider does not have', () => {
  expect(describeRoutes({ ways, pen }, {})).toEqual([
    { route: 'native', state: 'open' },
    { route: 'paste', state: 'open' },
    { route: 'pull', state: 'open' },
    { route: 'turn-boundary', state: 'missing' },
    { route: 'mid-turn', state: 'missing' },
  ]);
});

test('a route that this version or flag lacks is missing, with the reason', () => {
  const [native, paste] = describeRoutes(
    { ways, pen: 'no cursor' },
    {
      nativeBlocked: 'launched without a queue',
    },
  );
  expect(native).toEqual({ route: 'native', state: 'missing', why: 'launched without a queue' });
  expect(paste).toEqual({ route: 'paste', state: 'missing', why: 'no cursor' });
});

test('O13: a program that is only told to drain has no paste for messages', () => {
  const told = describeRoutes({ ways: { ...ways, pastes: 'notice' }, pen }, {});
  expect(told[1]).toMatchObject({
    route: 'paste',
    state: 'missing',
    why: expect.stringMatching(/tells it to drain/),
  });
});

test('rule 53: a paste that stands in for the native route is open then, and before it says when it is used', () => {
  const stopgap: Ways = { ...ways, routes: ['native', 'pull'], takesOver: 'paste' };
  const pasteOf = (now: Parameters<typeof describeRoutes>[1], its: Pen | string = pen) =>
    describeRoutes({ ways: stopgap, pen: its }, now).find(({ route }) => route === 'paste');
  const blocked = { nativeBlocked: 'it is gone' };
  const rests = { route: 'paste', state: 'missing', why: expect.stringMatching(/gone for 15 s/) };
  expect(pasteOf({})).toEqual(rests);
  expect(pasteOf(blocked)).toEqual(rests);
  const standsIn = { ...blocked, standsIn: 'paste' } as const;
  expect(pasteOf(standsIn)).toEqual({ route: 'paste', state: 'open' });
  expect(pasteOf(blocked, 'no cursor')).toMatchObject({ state: 'missing', why: 'no cursor' });
  const order = describeRoutes({ ways: stopgap, pen }, standsIn).map(({ route }) => route);
  expect(order.slice(0, 3)).toEqual(['native', 'paste', 'pull']);
});
