import { expect, test } from 'vitest';
import { canMove, isSettled, messageStates, sourcesOf } from './transitions.ts';

test('the table holds exactly the moves of the promise', () => {
  const legal = messageStates.flatMap((from) =>
    messageStates.filter((to) => canMove(from, to)).map((to) => `${from}>${to}`),
  );
  // Written out by hand: a change of the promise has to be made in both places.
  expect(legal.toSorted()).toEqual(
    [
      'queued>claimed queued>acked queued>seen queued>superseded queued>expired queued>dead',
      'claimed>injected claimed>acked claimed>seen claimed>queued claimed>uncertain claimed>dead',
      'injected>seen injected>acked injected>queued injected>uncertain injected>dead',
      'seen>acked seen>queued',
      'uncertain>injected uncertain>seen uncertain>acked uncertain>queued uncertain>dead',
      'expired>acked expired>seen expired>queued',
      'dead>acked dead>seen dead>queued',
    ]
      .flatMap((line) => line.split(' '))
      .toSorted(),
  );
});

test('acked and superseded are final, and nothing becomes uncertain that no route carried', () => {
  expect(messageStates.filter((to) => canMove('acked', to) || canMove('superseded', to))).toEqual(
    [],
  );
  expect(sourcesOf('uncertain')).toEqual(['claimed', 'injected']);
});

test('an expired lease or a dead holder never makes queued: uncertain is its own state', () => {
  expect(isSettled('uncertain')).toBe(false);
  expect(messageStates.filter(isSettled)).toEqual([
    'seen',
    'acked',
    'superseded',
    'expired',
    'dead',
  ]);
});
