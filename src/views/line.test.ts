import { expect, test } from 'vitest';
import { ago, messageOf, nameOf, noon, userName, worldOf } from '../../test/support/page-world.ts';
import { judgeMessage } from './judge-message.ts';
import { countLine, showAll, viewLine } from './line.ts';

test.each([
  ['seen', { state: 'seen' }, 'done'],
  ['young', { state: 'queued', createdAt: ago(59) }, 'moving'],
  ['old, for no reason that ends by itself', { state: 'queued', createdAt: ago(61) }, 'stuck'],
  ['held by a question', waits('question'), 'stuck'],
  ['behind a turn', waits('works-until-turn-boundary'), 'waiting'],
  ['in the inbox of a script', waits('pull-only'), 'waiting'],
  ['in the person’s own inbox', { ...waits('pull-only'), to: userName }, 'waiting'],
  ['of unknown fate, however young', { state: 'uncertain', createdAt: ago(1) }, 'stuck'],
  ['sent, where no proof can be had', { ...waits('unproven'), state: 'injected' }, 'unproven'],
  ['handed over long ago', { state: 'injected', createdAt: ago(500) }, 'stuck'],
  ['dead', { state: 'dead', reason: 'attempts_exhausted' }, 'lost'],
  ['expired', { state: 'expired' }, 'lost'],
  ['taken back', { state: 'dead', reason: 'withdrawn' }, 'done'],
  ['dead and discarded', { state: 'dead', discarded: true }, 'done'],
] as const)('a message that is %s', (_, more, faring) => {
  expect(judgeMessage(messageOf('1', more), noon, userName.id)).toBe(faring);
});

test('what is stuck or lost comes first, then the newest', () => {
  const world = worldOf({
    messages: [
      messageOf('old', { createdAt: ago(300) }),
      messageOf('new', { createdAt: ago(2) }),
      messageOf('stuck', { state: 'queued', createdAt: ago(900) }),
      messageOf('dead', { state: 'dead', createdAt: ago(100) }),
    ],
  });
  expect(ids(viewLine(world, showAll, noon))).toEqual(['dead', 'stuck', 'new', 'old']);
  expect(countLine(world, noon)).toEqual({ all: 4, open: 2, stuck: 2 });
});

test('filters narrow by how it fares, by agent, and by words of names, state and text', () => {
  const [a, b] = [nameOf('ada'), nameOf('bob')];
  const world = worldOf({
    messages: [
      messageOf('1', { from: a, to: b, first: 'split the checkout' }),
      messageOf('2', { from: b, to: a, state: 'queued', createdAt: ago(5), kind: 'task' }),
      messageOf('3', { from: userName, to: b, state: 'uncertain' }),
    ],
  });
  const shown = (filter: Partial<typeof showAll>) =>
    ids(viewLine(world, { ...showAll, ...filter }, noon)).sort();
  expect(shown({ show: 'open' })).toEqual(['2', '3']);
  expect(shown({ show: 'stuck' })).toEqual(['3']);
  expect(viewLine(world, { ...showAll, agent: a.id }, noon)).toHaveLength(2);
  expect(shown({ text: 'Checkout ada' })).toEqual(['1']);
  expect(shown({ text: 'uncertain' })).toEqual(['3']);
  expect(shown({ text: 'task' })).toEqual(['2']);
});

test('a row says why its message waits, and not why it once did', () => {
  const waitsFor = 'it waits for a person (permission); nothing is typed';
  const [open, done] = ['queued', 'seen'].map((state) => {
    const message = messageOf('1', { state: state as 'queued', waitsFor, createdAt: ago(99) });
    return viewLine(worldOf({ messages: [message] }), showAll, noon)[0]?.notes;
  });
  expect(open).toEqual([waitsFor]);
  expect(done).toEqual([]);
});

test('10,000 messages are each one row, in order', () => {
  const messages = Array.from({ length: 10_000 }, (_, i) =>
    messageOf(String(i), { createdAt: ago(i), state: i % 100 === 0 ? 'uncertain' : 'seen' }),
  );
  const rows = viewLine(worldOf({ messages }), showAll, noon);
  expect(rows).toHaveLength(10_000);
  expect(rows.slice(0, 100).every(({ faring }) => faring === 'stuck')).toBe(true);
  expect(ids(rows.slice(100, 102))).toEqual(['1', '2']);
});

function ids(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id.replace('msg_', ''));
}

function waits(waitsForCode: 'question' | 'pull-only' | 'unproven' | 'works-until-turn-boundary') {
  return { state: 'queued', createdAt: ago(500), waitsForCode } as const;
}
