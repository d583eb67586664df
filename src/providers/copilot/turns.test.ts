import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { createTurnFold } from './turns.ts';

const recordings = readRecordings(join(import.meta.dirname, 'recordings'));

/** Of real runs: the order and the outcome of every turn (rule 26). */
test.each([
  ['idle', ['completed hello', 'completed again']],
  ['busy-text', ['completed first', 'completed second']],
  ['busy-tool', ['completed first', 'completed second']],
  ['dialog-esc', ['interrupted -', 'completed after']],
  ['busy-esc', ['interrupted -', 'completed second']],
  ['esc-before-output', ['interrupted -', 'completed after']],
  ['failed-401', ['failed -', 'completed after']],
])('rule 26: the turns of %s end as %j', (name, wanted) => {
  const lines = recordings.find((recording) => recording.name === name)?.files[0] ?? [];
  const ends = fold(lines);
  expect(ends.map(({ outcome, text }) => `${outcome} ${text || '-'}`)).toEqual(wanted);
  expect(new Set(ends.map(({ id }) => id)).size).toBe(ends.length);
  // Told again, it is the same.
  expect(fold(lines)).toEqual(ends);
});

test.each([
  ['idle', [1, 1]],
  ['busy-text', [0, 1]],
  ['busy-tool', [0, 1]],
  ['turn-boundary', [0, 1]],
])('rule 27: of the marks of %s the turns held %j', (name, wanted) => {
  const found = recordings.find((recording) => recording.name === name);
  const ends = fold(found?.files[0] ?? []);
  expect(ends.map(({ held = [] }) => held.length)).toEqual(wanted);
});

test('rule 38: what a sub-agent begins and ends is no turn', () => {
  const records = [
    { type: 'user.message', data: { content: 'x', interactionId: 'i1' }, agentId: 'a1' },
    { type: 'assistant.message', data: { content: 'y', interactionId: 'i1' }, agentId: 'a1' },
    { type: 'assistant.turn_end', data: {}, agentId: 'a1' },
  ];
  expect(fold(records.map((record) => Buffer.from(JSON.stringify(record))))).toEqual([]);
});

function fold(lines: readonly Buffer[]) {
  const next = createTurnFold();
  return lines.flatMap((line) => next(line)?.turn ?? []);
}
