import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import {
  formatScreen,
  neutralise,
  parseFileName,
  parseScreen,
  type RecordedScreen,
  screenFileName,
} from './screen-file.ts';

const recorded: RecordedScreen = {
  head: {
    provider: 'codex',
    version: '0.166.0',
    title: hostname(),
    cursor: [2, 1],
    columns: 80,
    rows: 3,
    theme: 'dark',
    alternate: false,
  },
  styledLines: ['  /tmp/signalbox-lab-codex-aB3xYz/work', '\u001b[2m› Ask\u001b[0m', ''],
};

test('a stored screen reads back as it was, blank rows at its end included', () => {
  expect(parseScreen(formatScreen(recorded))).toEqual(recorded);
});

test('the file name says status, detail, composer and scenario, and reads back', () => {
  const expected = { status: 'waiting', detail: 'hook-review', composer: 'hidden' } as const;
  const name = screenFileName(expected, 'hook-review-2');
  expect(name).toBe('waiting.hook-review--hidden--hook-review-2.screen');
  expect(parseFileName(`codex/0.166.0/a-80x24/${name}`)).toEqual({
    ...expected,
    scenario: 'hook-review-2',
  });
  expect(() => parseFileName('idle-empty.screen')).toThrow(/is not named/);
});

test('what belongs to the machine is taken out without moving a column', () => {
  const clean = neutralise(recorded, '/tmp/signalbox-lab-codex-aB3xYz');
  expect(clean.head.title).toBe('localhost');
  expect(clean.styledLines[0]).toBe('  /tmp/signalbox-lab-codex-labdir/work');
  expect(clean.styledLines[0]).toHaveLength(recorded.styledLines[0]?.length ?? 0);
});

test('a screen that shows a path of the machine is refused', () => {
  const leaking = { ...recorded, styledLines: [`  ${process.cwd()}/notes.md`] };
  expect(() => neutralise(leaking, '/tmp/signalbox-lab-codex-aB3xYz')).toThrow(/The screen shows/);
});
