import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FakeOpenCode } from '../../../test/fakes/opencode-server.ts';
import { contextIn } from '../../../test/support/codex-life.ts';
import { tempHome } from '../../../test/support/home.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { openQuestions } from './questions.ts';
import { serverFile } from './server.ts';

const bash = { permission: 'bash', patterns: ['ls'], metadata: { command: 'ls' } };
const one = { id: 'per_1', sessionID: 'ses_1', ...bash };
const two = { id: 'per_2', sessionID: 'ses_1', ...bash };

test('rule 38: a sub-agent’s permission is one of its agent, and says so', async () => {
  const { fake, channel } = await enter();
  fake.sessions.set('ses_2', { id: 'ses_2', parentID: 'ses_1' });
  fake.ask({ ...one, sessionID: 'ses_2' });
  await waitUntil('the question', () => channel.open.length === 1);
  expect(channel.open[0]?.isSubAgents).toBe(true);
});

test('what a tool would do is told as its dialog has it, and an edit with its diff', async () => {
  const { fake, channel } = await enter();
  const metadata = { filepath: '/srv/app/a', diff: '-one\n+two' };
  fake.ask({ ...one, permission: 'edit', patterns: ['a'], metadata });
  fake.ask({ ...two, permission: 'mine_ping', patterns: [], metadata: {} });
  await waitUntil('the questions', () => channel.open.length === 2);
  expect(channel.open.map(({ asks }) => asks)).toEqual(['edit', 'tool']);
  expect(channel.open[0]?.text.split('\n')).toEqual([
    'permission: edit',
    'for: ["a"]',
    'details:',
    '  filepath: /srv/app/a',
    '  diff: -one',
    '    +two',
  ]);
});

test('a no that would deny other questions of its conversation, too, is not offered and not sent', async () => {
  const { fake, channel } = await enter();
  fake.ask(one);
  await waitUntil('the question', () => channel.open.length === 1);
  expect(channel.open[0]?.decisions).toEqual(['allow', 'deny']);
  fake.ask(two);
  await waitUntil('the questions', () => channel.open.length === 2);
  expect(channel.open.map(({ decisions }) => decisions)).toEqual([['allow'], ['allow']]);
  const decided = await channel.decide('per_1', 'deny', signal());
  expect(decided).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining('deny the other'),
  });
  expect(fake.posts).toEqual([]);
  expect(await channel.decide('per_2', 'allow', signal())).toEqual({ outcome: 'taken' });
  await waitUntil('one of them', () => channel.open.length === 1);
  expect(await channel.decide('per_1', 'deny', signal())).toEqual({ outcome: 'taken' });
});

test('questions of other conversations do not keep a no away', async () => {
  const { fake, channel } = await enter();
  fake.sessions.set('ses_2', { id: 'ses_2' });
  fake.ask(one);
  fake.ask({ ...two, sessionID: 'ses_2' });
  await waitUntil('the questions', () => channel.open.length === 2);
  expect(await channel.decide('per_1', 'deny', signal())).toEqual({ outcome: 'taken' });
  expect(fake.permissions.map(({ id }) => id)).toEqual(['per_2']);
});

test.each([500, 404, 'drop'] as const)(
  'rule 41: a session that answers with %s is that one’s trouble alone, and what it asks is told',
  async (fault) => {
    const { fake, channel } = await enter();
    fake.faults.set('GET /session/ses_2', fault);
    fake.ask({ ...two, sessionID: 'ses_2' });
    fake.ask(one);
    await waitUntil('the questions', () => channel.open.length === 2);
    expect(channel.isBlind).toBe(false);
    expect(channel.open.map(({ isSubAgents }) => isSubAgents)).toEqual([undefined, undefined]);
    expect(await channel.decide('per_2', 'allow', signal())).toEqual({ outcome: 'taken' });
    expect(await channel.decide('per_1', 'deny', signal())).toEqual({ outcome: 'taken' });
    expect(fake.opened).toBe(1);
  },
);

test('a permission that goes with its aborted turn is closed, though nobody says so', async () => {
  const { fake, channel } = await enter();
  fake.ask(one);
  await waitUntil('the question', () => channel.open.length === 1);
  fake.permissions.length = 0;
  const status = { type: 'idle' };
  fake.send({ type: 'session.status', properties: { sessionID: 'ses_1', status } });
  await waitUntil('its end', () => channel.open.length === 0);
});

test('a server that comes back tells again what is open, and what was answered meanwhile is not', async () => {
  const { fake, channel } = await enter();
  fake.ask(one);
  await waitUntil('the question', () => channel.open.length === 1);
  fake.cut();
  await waitUntil('that it is noticed', () => channel.isBlind);
  const decided = await channel.decide('per_1', 'allow', signal());
  expect(decided).toMatchObject({ outcome: 'refused' });
  fake.permissions.length = 0;
  fake.permissions.push({ ...one, id: 'per_3' });
  fake.mend();
  await waitUntil('another look', () => !channel.isBlind);
  expect(channel.open.map(({ key }) => key)).toEqual(['per_3']);
});

test.each([
  [400, 'refused'],
  [500, 'unknown'],
  ['drop', 'unknown'],
] as const)(
  'an answer of %s to a decision leaves it %s, and the question open',
  async (fault, outcome) => {
    const { fake, channel } = await enter();
    fake.ask(one);
    await waitUntil('the question', () => channel.open.length === 1);
    fake.faults.set('POST /permission/*/reply', fault);
    expect(await channel.decide('per_1', 'allow', signal())).toMatchObject({ outcome });
    expect(channel.open).toHaveLength(1);
  },
);

test('an OpenCode without a server of ours has no questions, and is not blind', async () => {
  const context = contextIn(tempHome(), '1.18.33');
  const channel = openQuestions({ current: () => context, changed: () => undefined });
  onTestFinished(() => channel.close());
  expect(channel.open).toEqual([]);
  expect(channel.isBlind).toBe(false);
  expect(await channel.decide('per_1', 'allow', signal())).toEqual({ outcome: 'gone' });
});

async function enter() {
  const fake = await FakeOpenCode.open('secret');
  onTestFinished(() => fake.close());
  fake.sessions.set('ses_1', { id: 'ses_1' });
  const context = contextIn(tempHome(), '1.18.33');
  const address = { hostname: '127.0.0.1', port: fake.port, password: 'secret' };
  writeFileSync(join(context.runFolder, serverFile), JSON.stringify(address));
  const channel = openQuestions({ current: () => context, changed: () => undefined });
  onTestFinished(() => channel.close());
  await waitUntil('its eyes', () => !channel.isBlind);
  return { fake, channel };
}

function signal(): AbortSignal {
  return AbortSignal.timeout(60_000);
}
