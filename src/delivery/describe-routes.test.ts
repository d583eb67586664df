import { expect, test } from 'vitest';
import type { WaitReason } from '../messages/wait-reason.ts';
import { describeRoutes } from './describe-routes.ts';
import type { Pen, Ways } from './recipient.ts';

const noCursor: WaitReason = { code: 'backend-blind', backend: 'herdr', lacks: 'cursor' };
const noQueue: WaitReason = { code: 'native-blocked', why: 'launched without a queue' };
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
  const [native, paste] = describeRoutes({ ways, pen: noCursor }, { nativeBlocked: noQueue });
  expect(native).toEqual({ route: 'native', state: 'missing', why: noQueue });
  expect(paste).toEqual({ route: 'paste', state: 'missing', why: noCursor });
});

test('rule 48: a paste is missing in a window that is too small, and only a paste', () => {
  const tooSmall = { has: { columns: 30, rows: 8 }, needs: { columns: 40, rows: 12 } };
  const [native, paste] = describeRoutes({ ways, pen }, { tooSmall });
  expect(native).toEqual({ route: 'native', state: 'open' });
  expect(paste).toMatchObject({ state: 'missing', why: { code: 'window-too-small', rows: 8 } });
});

test('rule 51b: a composer that takes no paste however long it rests says why', () => {
  const [native, paste] = describeRoutes({ ways, pen }, { noPaste: 'stash' });
  expect(native).toEqual({ route: 'native', state: 'open' });
  expect(paste).toMatchObject({ state: 'missing', why: { code: 'no-paste', reason: 'stash' } });
});

test('O13: a program that is only told to drain has no paste for messages', () => {
  const told = describeRoutes({ ways: { ...ways, pastes: 'notice' }, pen }, {});
  expect(told[1]).toMatchObject({
    route: 'paste',
    state: 'missing',
    why: { code: 'notice-only' },
  });
});

test('rule 53: a paste that stands in for the native route is open then, and before it says when it is used', () => {
  const stopgap: Ways = { ...ways, routes: ['native', 'pull'], takesOver: 'paste' };
  const pasteOf = (now: Parameters<typeof describeRoutes>[1], its: Pen | WaitReason = pen) =>
    describeRoutes({ ways: stopgap, pen: its }, now).find(({ route }) => route === 'paste');
  const blocked = { nativeBlocked: noQueue };
  const rests = { route: 'paste', state: 'missing', why: { code: 'paste-stands-by' } };
  expect(pasteOf({})).toEqual(rests);
  expect(pasteOf(blocked)).toEqual(rests);
  const standsIn = { ...blocked, standsIn: 'paste' } as const;
  expect(pasteOf(standsIn)).toEqual({ route: 'paste', state: 'open' });
  expect(pasteOf(blocked, noCursor)).toMatchObject({ state: 'missing', why: noCursor });
  const order = describeRoutes({ ways: stopgap, pen }, standsIn).map(({ route }) => route);
  expect(order.slice(0, 3)).toEqual(['native', 'paste', 'pull']);
});
