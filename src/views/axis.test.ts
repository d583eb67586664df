import { expect, test } from 'vitest';
import { agentOf, ago, messageOf, nameOf, noon, worldOf } from '../../test/support/page-world.ts';
import type { PageMessage } from '../protocol/page.ts';
import { type Axis, layOutAxis } from './axis.ts';
import { showAll, viewLine } from './line.ts';

const span = { now: noon, spanMs: 100_000 };

test('a message that waits reaches from its sending to now; one that was read ends there', () => {
  const { bars } = layOut([
    messageOf('open', { state: 'queued', createdAt: ago(50) }),
    messageOf('read', { state: 'seen', createdAt: ago(40), changedAt: ago(20) }),
  ]);
  expect(bars.map(({ id, start, end, isOpen }) => [id, start, end, isOpen])).toEqual([
    ['msg_open', 0.5, 1, true],
    ['msg_read', 0.6, 0.8, false],
  ]);
});

test('what waits since before the left edge is drawn from the edge; what ended before it is not drawn', () => {
  const { bars, lanes } = layOut([
    messageOf('stuck', { state: 'uncertain', createdAt: ago(5000) }),
    messageOf('gone', { to: nameOf('other'), createdAt: ago(5000), changedAt: ago(4000) }),
  ]);
  expect(bars).toHaveLength(1);
  expect(bars[0]).toMatchObject({ id: 'msg_stuck', start: 0, end: 1, isOlder: true });
  expect(lanes.map(({ name }) => name)).toEqual(['user', 'lead']);
});

test('a message that took no time can still be seen', () => {
  const { bars } = layOut([messageOf('1', { createdAt: ago(50), changedAt: ago(50) })]);
  expect((bars[0]?.end ?? 0) - (bars[0]?.start ?? 0)).toBeGreaterThan(0);
});

test('bars at one time lie below each other, and those beyond the sixth row are counted', () => {
  const messages = Array.from({ length: 9 }, (_, i) =>
    messageOf(`${i}`, { state: 'queued', createdAt: ago(90 - i) }),
  );
  const { bars, lanes } = layOut([
    ...messages,
    messageOf('early', { createdAt: ago(99), changedAt: ago(95) }),
  ]);
  expect(bars.find(({ id }) => id === 'msg_early')?.row).toBe(0);
  expect(new Set(bars.map(({ row }) => row))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  expect(lanes.find(({ id }) => id === 'agt_lead')).toMatchObject({ rows: 6, hidden: 3 });
});

test('lanes stand as the fleet does, the person first, and what is gone last', () => {
  const [a, b] = [nameOf('ada'), nameOf('bob')];
  const world = worldOf({
    agents: [agentOf('ada'), agentOf('bob', { status: 'waiting' })],
    messages: [
      messageOf('1', { from: a, to: b }),
      messageOf('2', { to: a }),
      messageOf('3', { from: nameOf('gone'), to: a }),
    ],
  });
  const { lanes } = layOutAxis(world, viewLine(world, showAll, noon), span);
  expect(lanes.map(({ name }) => name)).toEqual(['user', 'bob', 'ada', 'gone']);
  expect(lanes.map(({ top }) => top)).toEqual([0, 1, 2, 4]);
});

test.each([
  [300_000, 60_000],
  [900_000, 300_000],
  [3_600_000, 600_000],
])('ticks of %i ms stand at round times', (spanMs, step) => {
  const { ticks } = layOutAxis(worldOf(), [], { now: noon + 12_345, spanMs });
  expect(ticks.length).toBeGreaterThanOrEqual(2);
  expect(ticks.length).toBeLessThanOrEqual(8);
  expect(ticks.every(({ at, x }) => at % step === 0 && x >= 0 && x <= 1)).toBe(true);
});

function layOut(messages: readonly PageMessage[]): Axis {
  const world = worldOf({ agents: [agentOf('lead')], messages });
  return layOutAxis(world, viewLine(world, showAll, noon), span);
}
