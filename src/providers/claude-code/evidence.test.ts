import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { AttemptTrace } from '../way-in.ts';
import { openEvidence } from './evidence.ts';

const mark = 'mark_01h_secret';
const attempt: AttemptTrace = {
  mark,
  route: 'native',
  at: 0,
  isSubmitted: false,
  isAlive: true,
  conversation: 'c1',
};
const dead = { ...attempt, isAlive: false };
const text = `<signalbox ${mark}> hello </signalbox ${mark}>`;
const enqueued = { type: 'queue-operation', operation: 'enqueue', content: text };
const landed = {
  type: 'user',
  uuid: 'w',
  origin: { kind: 'task-notification' },
  message: { content: text },
};
const sent = [
  { type: 'api-request-blob', hash: 'h', message: { role: 'user', content: text } },
  { type: 'api-request', id: 'r', keep: 0, tail: ['h'] },
];
const answered = {
  type: 'assistant',
  uuid: 'x',
  requestRef: 'r',
  message: { model: 'm', content: [{ type: 'text', text: 'Yes' }] },
};
const noise = { type: 'user', uuid: 'n', message: { content: 'x'.repeat(1000) } };

test('a message is followed from nothing to its answer, as the transcript grows', async () => {
  const world = open();
  expect(await world.find()).toMatchObject({ found: 'none' });
  world.write('c1', enqueued);
  expect(await world.find()).toMatchObject({ found: 'held' });
  world.write('c1', ...sent, landed);
  expect(await world.find()).toMatchObject({ found: 'landed' });
  world.write('c1', answered);
  expect(await world.find()).toEqual({
    found: 'seen',
    evidence: 'assistant record x answers request r, which holds user record w (c1.jsonl)',
  });
});

test('rule 51: a prompt that was submitted in other words is read all the same, and says so', async () => {
  const world = open();
  const prompt = { content: `<signalbox 1 ${mark}>\nyes, and more`, role: 'user' };
  const typed = { type: 'user', uuid: 'p', origin: { kind: 'human' }, message: prompt };
  const request = { type: 'api-request', id: 'r', keep: 0, tail: [] };
  const message = { ...answered.message, id: 'm1' };
  world.write('c1', request, typed, { ...answered, parentUuid: 'p', message });
  const paste = { ...attempt, route: 'paste' } as const;
  const whole = await world.find(paste);
  expect(whole?.found).toBe('seen');
  const mixed = await world.find({ ...paste, isAltered: true });
  expect(mixed).toEqual({
    ...whole,
    evidence: `${whole?.evidence}, in which not the message alone stands`,
  });
});

test('a restart of ours reads it again and finds the same', async () => {
  const world = open();
  const many = Array.from({ length: 5000 }, () => noise);
  world.write('c1', ...many, ...sent, noise, landed, noise, answered, ...many);
  expect(await world.find()).toMatchObject({ found: 'seen' });
});

test('growth is told while an attempt is open', async () => {
  const world = open();
  world.write('c1', ...sent, landed);
  await world.find();
  const before = world.told;
  world.write('c1', answered);
  await waitUntil('it is told', () => world.told > before);
  expect(await world.find()).toMatchObject({ found: 'seen' });
});

test('/clear: what was queued before lands in the next conversation', async () => {
  const world = open();
  world.write('c1', enqueued);
  expect(await world.find()).toMatchObject({ found: 'held' });
  world.conversation = 'c2';
  world.write('c2', ...sent, landed);
  expect(await world.find()).toMatchObject({ found: 'landed' });
  world.write('c2', answered);
  expect(await world.find()).toMatchObject({
    found: 'seen',
    evidence: expect.stringMatching('c2'),
  });
});

test('rule 42: what landed in a conversation that was left, unanswered, is left with it', async () => {
  const world = open();
  world.write('c1', ...sent, landed);
  world.conversation = 'c2';
  expect(await world.find()).toMatchObject({ found: 'landed', isLeft: true });
  world.conversation = 'c1';
  expect(await world.find()).toMatchObject({ found: 'landed' });
  expect((await world.find())?.isLeft).toBeUndefined();
});

test('a transcript that is written anew is read anew', async () => {
  const world = open();
  world.write('c1', ...sent, landed);
  expect(await world.find()).toMatchObject({ found: 'landed' });
  const path = join(world.folder, 'c1.jsonl');
  writeFileSync(`${path}.new`, `${JSON.stringify(enqueued)}\n`);
  renameSync(`${path}.new`, path);
  expect(await world.find()).toMatchObject({ found: 'held' });
});

test.each([
  ['no transcript at all', [], dead, 'absent'],
  ['no record', [noise], dead, 'absent'],
  ['only in the queue, which is lost', [enqueued], dead, 'absent'],
  ['submitted, and no record', [noise], { ...dead, isSubmitted: true }, 'unknown'],
  ['submitted from the queue', [enqueued], { ...dead, isSubmitted: true }, 'unknown'],
  ['landed and never answered', [...sent, landed], { ...dead, isSubmitted: true }, 'landed'],
  ['answered', [...sent, landed, answered], dead, 'seen'],
  ['a reply at the boundary', [noise], { ...dead, route: 'turn-boundary' as const }, 'unknown'],
  ['a reply in mid-turn', [noise], { ...dead, route: 'mid-turn' as const }, 'unknown'],
  ['of an unknown conversation', [], { ...dead, conversation: undefined }, 'unknown'],
  ['a damaged line, which may be the one', [noise, '{"type":"us'], dead, 'unknown'],
])('rule 10: after a death, %s', async (_, records, trace, found) => {
  const world = open();
  world.write('c1', ...records);
  expect(await world.find(trace)).toMatchObject({ found });
});

test('rule 10: after a death, a transcript whose place nobody knows proves nothing', async () => {
  const world = open();
  expect(await world.find(dead)).toMatchObject({ found: 'absent' });
  world.env = {};
  expect(await world.find(dead)).toMatchObject({ found: 'unknown' });
});

test.each([
  ['a wake that nobody submitted', attempt, 'none'],
  ['a wake that was submitted', { ...attempt, isSubmitted: true }, 'unknown'],
  ['a reply at the boundary', { ...attempt, route: 'turn-boundary' as const }, 'unknown'],
])('rule 11: without a transcript, of %s', async (_, trace, found) => {
  expect(await open().find(trace)).toMatchObject({ found });
});

test('rule 11: no record in a transcript that cannot be read proves nothing', async () => {
  const world = open();
  mkdirSync(join(world.folder, 'c1.jsonl'));
  world.conversation = 'c2';
  world.write('c2', enqueued, '{"type":"us', { type: 'queue-operation', operation: 'dequeue' });
  expect(await world.find()).toMatchObject({ found: 'unknown' });
});

test('O5: a line that cannot be read, while a mark is followed, leaves it unknown after a death', async () => {
  const world = open();
  world.write('c1', enqueued, '{"type":"us', noise);
  expect(await world.find(dead)).toMatchObject({ found: 'unknown' });
  const other = open();
  other.write('c1', enqueued, `{"x":"${'x'.repeat(17 * 1024 * 1024)}"}`);
  expect(await other.find(dead)).toMatchObject({ found: 'unknown' });
});

test('O5: an answer of a megabyte is one, and large results are passed over', async () => {
  const world = open();
  const long = 'x'.repeat(1_000_000);
  const result = {
    type: 'user',
    uuid: 'n',
    message: { content: [{ type: 'tool_result', content: long }] },
  };
  world.write('c1', ...sent, landed, result);
  expect(await world.find()).toMatchObject({ found: 'landed' });
  world.write('c1', {
    ...answered,
    message: { model: 'm', content: [{ type: 'text', text: long }] },
  });
  expect(await world.find()).toMatchObject({ found: 'seen' });
});

test('O5: in the older form, too, a long answer is one, and long results are links in its chain', async () => {
  const world = open();
  const long = 'x'.repeat(1_000_000);
  const result = {
    parentUuid: 'w',
    type: 'user',
    message: { content: [{ type: 'tool_result', content: long }] },
    uuid: 'n',
  };
  const message = { id: 'msg_1', model: 'm', content: [{ type: 'text', text: long }] };
  const older = { parentUuid: 'n', message, type: 'assistant', uuid: 'x' };
  world.write('c1', landed, result);
  expect(await world.find()).toMatchObject({ found: 'landed' });
  world.write('c1', older);
  expect(await world.find()).toMatchObject({ found: 'seen' });
});

test('rule 50: in a transcript of another form it is neither seen nor absent, dead or alive', async () => {
  const world = open();
  const { message, type, uuid } = answered;
  world.write('c1', ...sent, landed, { type, uuid, message, answers: 'r' });
  for (const trace of [attempt, dead, { ...dead, mark: 'mark_01h_other' }]) {
    const found = await world.find(trace);
    expect(found?.found).toMatch(/^(?:landed|unknown)$/);
    expect(found).toMatchObject({
      evidence: 'records of 2.1.325 not recognised',
      isUnrecognised: true,
    });
  }
  // Once one request was answered in a form that is known, the rule holds there.
  world.write('c1', answered);
  expect(await world.find()).toMatchObject({ found: 'seen' });
  const other = await world.find({ ...dead, mark: 'mark_01h_other' });
  expect(other).toMatchObject({ found: 'absent' });
});

test('an attempt of a conversation that nobody knows is not judged by another’s', async () => {
  const world = open();
  world.conversation = undefined;
  expect(await world.find({ ...attempt, conversation: undefined })).toMatchObject({
    found: 'none',
  });
});

function open() {
  const config = tempHome();
  const folder = join(config, 'projects', '-srv-app');
  mkdirSync(folder, { recursive: true });
  const world = {
    folder,
    told: 0,
    env: { HOME: '/nowhere', CLAUDE_CONFIG_DIR: config } as Record<string, string>,
    conversation: 'c1' as string | undefined,
    write: (conversation: string, ...records: readonly (object | string)[]) =>
      appendFileSync(join(folder, `${conversation}.jsonl`), records.map(toLine).join('')),
    find: async (trace: AttemptTrace = attempt) => (await evidence.judge([trace]))[0],
  };
  const evidence = openEvidence({
    current: () => ({
      agent: 'agt_1',
      pid: 1,
      cwd: '/srv/app',
      runFolder: '/run',
      conversation: world.conversation,
      startedAt: 0,
      version: '2.1.325',
      env: world.env,
    }),
    changed: () => void world.told++,
  });
  onTestFinished(() => evidence.close());
  return world;
}

function toLine(record: object | string): string {
  return `${typeof record === 'string' ? record : JSON.stringify(record)}\n`;
}
