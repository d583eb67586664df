import { mkdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { FakeCopilot } from '../../../test/fakes/copilot-extension.ts';
import { contextIn } from '../../../test/support/codex-life.ts';
import { tempHome } from '../../../test/support/home.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { Decision, QuestionChannel } from '../questions.ts';
import { answersFolder } from './answers-extension.ts';
import { openQuestions } from './questions.ts';

const shell = { kind: 'commands', fullCommandText: 'ls', intention: 'Lists', warning: 'Beware' };

test('where the launch did not ask for it there is no channel', () => {
  const context = { ...contextIn(tempHome(), '1.0.102'), runFolder: tempHome() };
  expect(openQuestions({ current: () => context, changed: () => undefined })).toBeUndefined();
});

test('until a person has agreed nobody listens, and nothing is said to be hidden', async () => {
  const { open, folder } = enter();
  mkdirSync(folder);
  expect(open()).toMatchObject({ open: [], isBlind: false });
});

test('each kind is told with all that Copilot shows of it', async () => {
  const { fake, channel } = await connected();
  const write = { kind: 'write', fileName: '/a', intention: 'Adds', diff: '+one\n+two' };
  const mcp = { kind: 'mcp', serverName: 's', toolName: 't', toolTitle: 'T', args: { word: 'w' } };
  fake.tell({ key: 'a', request: shell });
  fake.tell({ key: 'b', request: write, isSubAgents: true });
  fake.tell({ key: 'c', request: mcp });
  await waitUntil('the questions', () => channel.open.length === 3);
  const both = { decisions: ['allow', 'deny'] };
  expect(channel.open).toEqual([
    {
      ...{ key: 'a', asks: 'command', ...both },
      text: 'command: ls\nintention: Lists\nwarning: Beware',
    },
    {
      ...{ key: 'b', asks: 'edit', ...both, isSubAgents: true },
      text: 'file: /a\nintention: Adds\ndiff: +one\n  +two',
    },
    { key: 'c', asks: 'tool', ...both, text: 'server: s\ntool: t\ntitle: T\ninput:\n  word: w' },
  ]);
});

test.each([
  ['a power of an extension', { kind: 'extension-permission-access', extensionName: 'x' }],
  ['a workflow', { kind: 'workflow' }],
  ['a kind that nobody knows', { kind: 'launch-missiles' }],
  ['what a company leaves to people', { ...shell, managedApprovalRequired: true }],
  ['a step out of the sandbox', { ...shell, requestSandboxBypass: true }],
  ['no request', undefined],
])('rule 54: %s is for the terminal', async (_, request) => {
  const { fake, channel } = await connected();
  fake.tell({ key: 'a', request });
  fake.tell({ key: 'b', request: shell });
  await waitUntil('the other one', () => channel.open.length > 0);
  expect(channel.open.map(({ key }) => key)).toEqual(['b']);
  expect(await decide(channel, 'a', 'allow')).toEqual({ outcome: 'gone' });
  expect(fake.sent).toEqual([]);
});

test.each([
  ['allow', 'approved-for-session', 'unknown'],
  ['allow', 'cancelled', 'gone'],
  ['allow', 'denied-interactively-by-user', 'gone'],
  ['allow', 'silent', 'unknown'],
  ['deny', 'approved', 'gone'],
  ['deny', 'cancelled', 'unknown'],
  ['deny', 'silent', 'unknown'],
] as const)(
  'rule 23: a call to %s that Copilot took, and whose request ended as %s, is %s',
  async (decision, ends, outcome) => {
    const { fake, channel } = await connected();
    fake.ends = ends;
    fake.tell({ key: 'a', request: shell });
    await waitUntil('the question', () => channel.open.length > 0);
    expect(await decide(channel, 'a', decision)).toMatchObject({ outcome });
  },
);

test('rule 41: an error of Copilot is a refusal only while it still asks', async () => {
  const { fake, channel } = await connected();
  fake.tell({ key: 'a', request: shell });
  await waitUntil('the question', () => channel.open.length > 0);
  const error = 'Extension connection is not approved to handle permission requests';
  fake.refusal = { error, isOpen: true };
  expect(await decide(channel, 'a', 'allow')).toMatchObject({
    outcome: 'refused',
    reason: `Copilot says: ${error}`,
  });
  fake.refusal = { error, isOpen: false };
  expect(await decide(channel, 'a', 'allow')).toMatchObject({ outcome: 'unknown' });
});

test('rule 42b: what a conversation asks that the terminal has left is not told, and it is once a person is back', async () => {
  const { fake, channel } = await connected();
  fake.tell({ key: 'a', request: shell });
  await waitUntil('the question', () => channel.open.length > 0);
  fake.front = 'another';
  await waitUntil('its end', () => channel.open.length === 0);
  expect(channel.isBlind).toBe(false);
  fake.front = 'c1';
  await waitUntil('the question again', () => channel.open.length > 0);
});

test('/clear ends its extension, and another one tells what is open', async () => {
  const { fake, channel, folder } = await connected();
  fake.tell({ key: 'a', request: shell });
  await waitUntil('the question', () => channel.open.length > 0);
  fake.stop();
  await waitUntil('its end', () => channel.open.length === 0);
  expect(channel.isBlind).toBe(true);
  const next = new FakeCopilot(folder, 'c2');
  onTestFinished(() => next.stop());
  next.ask('b', 'make');
  await next.listen();
  await waitUntil('the next one', () => channel.open[0]?.key === 'b');
  expect(channel.isBlind).toBe(false);
});

function enter() {
  const runFolder = tempHome();
  const folder = answersFolder(runFolder);
  const context = { ...contextIn(runFolder, '1.0.102'), runFolder };
  const fake = new FakeCopilot(folder);
  onTestFinished(() => fake.stop());
  const open = (): QuestionChannel => {
    const channel = openQuestions({ current: () => context, changed: () => undefined });
    if (!channel) throw new Error('It has no channel.');
    onTestFinished(() => channel.close());
    return channel;
  };
  return { fake, folder, open };
}

async function connected() {
  const { fake, folder, open } = enter();
  await fake.listen();
  const channel = open();
  await waitUntil('its eyes', () => !channel.isBlind);
  return { fake, folder, channel };
}

function decide(channel: QuestionChannel, key: string, decision: Decision) {
  return channel.decide(key, decision, AbortSignal.timeout(60_000));
}
