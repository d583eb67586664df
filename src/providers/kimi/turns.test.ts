import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { createTurnFold } from './turns.ts';

const recordings = readRecordings(join(import.meta.dirname, 'recordings'));

/** Of real runs: the order and the outcome of every stop (rule 26). */
test.each([
  ['idle', ['completed 1 hello']],
  ['turn-boundary', ['completed 1 first', 'completed 2 second']],
  ['busy-text', ['completed 1 first', 'completed 1 second']],
  ['esc-before-output', ['interrupted 1 -', 'completed 1 after']],
  ['esc-mid-answer', ['interrupted 1 -']],
  ['failed-401', ['failed 1 -', 'completed 1 after']],
  ['boundary-401', ['completed 1 first', 'failed 2 -']],
])('rule 26: the stops of %s are %j', (name, wanted) => {
  const lines = recordings.find((recording) => recording.name === name)?.files[0] ?? [];
  const ends = fold(lines);
  expect(ends.map(({ outcome, stop, text }) => `${outcome} ${stop} ${text || '-'}`)).toEqual(
    wanted,
  );
  // Told again, it is the same.
  expect(fold(lines)).toEqual(ends);
});

test.each([
  ['idle', [1]],
  ['busy-text', [0, 1]],
  ['turn-boundary', [0, 1]],
])('rule 27: of the marks of %s the turns held %j', (name, wanted) => {
  const found = recordings.find((recording) => recording.name === name);
  const ends = fold(found?.files[0] ?? []);
  expect(ends.map(({ held = [] }) => held.length)).toEqual(wanted);
});

test('rule 26: Esc after the last word (2.1.0 is still in its Stop hook) leaves the turn completed', () => {
  const main = { agentId: 'main' };
  const event = (facts: object) =>
    line({ type: 'context.append_loop_event', ...main, event: { ...facts, stepUuid: 'a' } });
  const asked = line({ type: 'turn.prompt', ...main, promptId: 'p', input: [] });
  const [begins, says] = [event({ type: 'step.begin' }), event({ type: 'content.part', part })];
  const ends = event({ type: 'step.end', finishReason: 'end_turn' });
  const cut = event({ type: 'step.end', finishReason: 'interrupted' });
  const cancelled = line({ type: 'turn.ended', ...main, turnId: 0, reason: 'cancelled' });
  const told = (...lines: readonly Buffer[]) =>
    fold([asked, ...lines, cancelled]).map(({ outcome, text }) => `${outcome} ${text}`);
  expect(told(begins, says, ends)).toEqual(['completed words']);
  expect(told(begins, says, cut)).toEqual(['interrupted ']);
  // It was given more, and has not answered that.
  expect(told(begins, says, ends, begins)).toEqual(['interrupted ']);
  const message = { role: 'user', content: [] };
  const given = line({ type: 'context.append_message', ...main, message });
  expect(told(begins, says, ends, given)).toEqual(['interrupted ']);
  expect(told(begins, ends)).toEqual(['interrupted ']);
});

test('rules 26, 38: a turn without a prompt has a name as well, and a sub-agent’s is none of ours', () => {
  const ended = { type: 'turn.ended', agentId: 'main', turnId: 4, reason: 'completed', time: 7 };
  expect(fold([line(ended)])).toMatchObject([{ id: 'turn 4', outcome: 'completed', stop: 1 }]);
  expect(fold([line({ ...ended, agentId: 'agent-1' })])).toEqual([]);
  expect(createTurnFold()(line(ended))?.at).toBe(7);
});

const part = { type: 'text', text: 'words' };

function fold(lines: readonly Buffer[]) {
  const next = createTurnFold();
  return lines.flatMap((each) => next(each)?.turn ?? []);
}

function line(record: object): Buffer {
  return Buffer.from(JSON.stringify(record));
}
