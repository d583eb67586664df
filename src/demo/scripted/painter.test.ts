import type { WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import type { Frame } from './frame.ts';
import { Painter } from './painter.ts';

const frame: Frame = {
  rows: [{ text: '❯ ' }, { text: 'hint', style: 'dim' }],
  cursor: { x: 2, y: 0 },
};

test('a frame that stands there already costs no output', () => {
  const { painter, take } = open();
  painter.paint(frame);
  expect(take()).toContain('❯ ');
  painter.paint({ ...frame, rows: [...frame.rows] });
  expect(take()).toBe('');
  painter.invalidate();
  painter.paint(frame);
  expect(take()).toContain('❯ ');
});

test('only rows that changed are written, in one write, and nothing is erased first', () => {
  const { painter, take, writes } = open();
  painter.paint(frame);
  take();
  const before = writes();
  painter.paint({ ...frame, rows: [{ text: '❯ a' }, { text: 'hint', style: 'dim' }] });
  expect(writes()).toBe(before + 1);
  const out = take();
  expect(out).toContain('\r❯ a\x1b[K\r\n');
  for (const part of ['hint', '\x1b[J', '\x1b[2J', '\x1b[2K']) expect(out).not.toContain(part);
});

test('a line that ends at the margin is not erased with what follows it', () => {
  const { painter, take } = open();
  painter.append('x'.repeat(40), 'y');
  painter.paint(frame);
  expect(take()).toContain(`${'x'.repeat(40)}\r\ny\x1b[K\r\n❯`);
});

test('a terminal that is gone is written to no more', async () => {
  const { painter, take, break: lose } = open();
  lose();
  painter.paint(frame);
  await painter.print('bytes');
  painter.close();
  expect(take()).toBe('');
});

/** A terminal of 40 × 10 that keeps what it is told. */
function open() {
  const written: string[] = [];
  let count = 0;
  let onError = (): void => undefined;
  const out = {
    columns: 40,
    rows: 10,
    write: (text: string, done?: () => void) => {
      written.push(text);
      count++;
      done?.();
    },
    on: (_: 'error', listener: () => void) => {
      onError = listener;
    },
  };
  // Only these members of a terminal are used.
  const painter = new Painter(out as unknown as WriteStream, false);
  written.splice(0);
  return {
    painter,
    take: () => written.splice(0).join(''),
    writes: () => count,
    break: () => onError(),
  };
}
