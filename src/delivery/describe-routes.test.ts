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
  expect(describeRoutes({ ways, pen }, undefined)).toEqual([
    { route: 'native', state: 'open' },
    { route: 'paste', state: 'open' },
    { route: 'pull', state: 'open' },
    { route: 'turn-boundary', state: 'missing' },
    { route: 'mid-turn', state: 'missing' },
  ]);
});

test('a route that this version or flag lacks is missing, with the reason', () => {
  const [native, paste] = describeRoutes({ ways, pen: 'no cursor' }, 'launched without a queue');
  expect(native).toEqual({ route: 'native', state: 'missing', why: 'launched without a queue' });
  expect(paste).toEqual({ route: 'paste', state: 'missing', why: 'no cursor' });
});

test('O13: a program that is only told to drain has no paste for messages', () => {
  const told = describeRoutes({ ways: { ...ways, pastes: 'notice' }, pen }, undefined);
  expect(told[1]).toMatchObject({
    route: 'paste',
    state: 'missing',
    why: expect.stringMatching(/tells it to drain/),
  });
});
