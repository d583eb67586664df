import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellWidth } from '../../shared/cell-width.ts';
import { dialogKinds } from './dialogs.ts';
import { drawFrame, type View } from './frame.ts';

const idle: View = {
  mode: 'idle',
  ticks: 0,
  error: undefined,
  dialog: undefined,
  draft: { text: '', at: 0 },
  queued: [],
  isLeaving: false,
};

test('no row is as wide as the terminal, none is lost below it, and the cursor is on the composer', () => {
  const view = fc.record({
    mode: fc.constantFrom('starting', 'idle', 'working'),
    ticks: fc.nat(),
    error: fc.option(fc.string(), { nil: undefined }),
    dialog: fc.option(
      fc.record({ kind: fc.constantFrom(...dialogKinds), about: fc.string(), selected: fc.nat(1) }),
      { nil: undefined },
    ),
    draft: fc
      .string({ unit: fc.constantFrom('a', ' ', '日', '\n') })
      .map((text) => ({ text, at: text.length })),
    queued: fc.array(fc.string(), { maxLength: 5 }),
    isLeaving: fc.boolean(),
  });
  const size = fc.record({
    columns: fc.integer({ min: 10, max: 200 }),
    rows: fc.integer({ min: 2, max: 60 }),
  });
  fc.assert(
    fc.property(view, size, (shown: View, { columns, rows }) => {
      const frame = drawFrame(shown, { columns, rows });
      expect(frame.rows.length).toBeLessThanOrEqual(rows);
      for (const row of frame.rows) expect(cellWidth(row.text)).toBeLessThan(columns);
      if (!frame.cursor) return;
      expect(frame.cursor.x).toBeLessThan(columns);
      expect(frame.rows[frame.cursor.y]?.text).toMatch(/^[❯ ] /);
    }),
  );
});

test('a dialog stands in the place of composer, spinner and hints, whatever the mode', () => {
  for (const mode of ['starting', 'idle', 'working'] as const) {
    const dialog = { kind: 'permission', about: 'make', selected: 1 } as const;
    const frame = drawFrame({ ...idle, mode, dialog }, { columns: 40, rows: 20 });
    const text = frame.rows.map((row) => row.text).join('\n');
    expect(text).toContain('   1. Yes\n ❯ 2. No');
    expect(text).not.toMatch(/shortcuts|interrupt|Working|Starting/);
    expect(frame.cursor).toBeUndefined();
  }
});

test('an error is shown while idle only', () => {
  const draw = (mode: 'idle' | 'working'): readonly string[] =>
    drawFrame({ ...idle, mode, error: '500' }, { columns: 40, rows: 20 }).rows.map(
      ({ text }) => text,
    );
  expect(draw('idle')).toContain('✗ API error: 500');
  expect(draw('working').join()).not.toContain('500');
});
