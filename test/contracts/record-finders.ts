import { symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { provider as claudeCode } from '../../src/providers/claude-code/provider.ts';
import { appServerSocket } from '../../src/providers/codex/app-server.ts';
import { provider as codex } from '../../src/providers/codex/provider.ts';
import { linkFolder } from '../../src/providers/copilot/extension.ts';
import { provider as copilot } from '../../src/providers/copilot/provider.ts';
import { provider as gemini } from '../../src/providers/gemini/provider.ts';
import { provider as kimi } from '../../src/providers/kimi/provider.ts';
import { deriveMessageId } from '../../src/providers/opencode/message-id.ts';
import { provider as opencode } from '../../src/providers/opencode/provider.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { provider as qwen } from '../../src/providers/qwen/provider.ts';
import type { AttemptTrace } from '../../src/providers/way-in.ts';
import { openFakeAppServer } from '../fakes/app-server.ts';
import { FakeOpenCode } from '../fakes/opencode-server.ts';

export const mark = 'mark_01m7fz57wq00tetqftj04w3q8z_nvztb7yaytv4c83v9hdc9jesj';
export const conversation = 'a1b2c3d4-1111-4222-8333-444455556666';
const text = `<signalbox ${mark}> hello </signalbox ${mark}>`;

/**
 * One way in which a CLI's records can prove that an attempt has not landed. A CLI is added with
 * one entry.
 */
export interface Finder {
  readonly name: string;
  readonly provider: Provider;
  readonly attempt: Pick<AttemptTrace, 'route' | 'isAlive'> & Partial<AttemptTrace>;
  /** The conversation's file, below the home; undefined where it is kept behind a server. */
  readonly file?: string;
  /** What stands in it; nothing: it has no file, which proves as much. */
  readonly records: readonly object[];
  /** The record of a copy that has landed. */
  readonly landing?: object;
  /** Servers that it asks, besides its files; returns what ends them. */
  readonly serve?: (home: string, hasLanded: boolean) => Promise<() => Promise<void>>;
  /**
   * A folder, below the home, that is looked at now and then for a new server; while there is one
   * nothing depends on it.
   */
  readonly aside?: string;
  /** It connects to its servers by itself, and cannot ask them before. */
  readonly joins?: true;
}

const said = { timestamp: '2026-11-15T12:46:39.145Z' };
const woken = { type: 'user', uuid: 'w', origin: { kind: 'task-notification' } };
const claudeFile = `.claude/projects/-srv-app/${conversation}.jsonl`;
const claudeBase = [{ type: 'user', uuid: 'n', message: { content: 'hi' } }];
const claude = {
  provider: claudeCode,
  file: claudeFile,
  records: claudeBase,
  landing: { ...woken, message: { content: text } },
};
const content = [{ type: 'text', text }];
const codexBase = {
  provider: codex,
  file: `.codex/sessions/2026/11/15/rollout-2026-11-15T12-46-39-${conversation}.jsonl`,
  records: [{ ...said, type: 'session_meta', payload: { id: conversation } }],
  landing: {
    ...said,
    type: 'event_msg',
    payload: {
      type: 'item_completed',
      turn_id: 't1',
      item: { type: 'UserMessage', id: 'u1', client_id: mark, content },
    },
  },
  serve: serveCodex,
  aside: 'run/',
  joins: true as const,
};
const geminiBase = {
  provider: gemini,
  file: `.gemini/tmp/app/chats/session-2026-11-15T12-46-${conversation.slice(0, 8)}.jsonl`,
  records: [
    { sessionId: conversation, startTime: said.timestamp, kind: 'main' },
    { id: 'u0', type: 'user', content: [{ text: 'hi' }] },
  ],
  landing: { id: 'u1', type: 'user', content: [{ text }] },
};
const copilotBase = {
  provider: copilot,
  file: `.copilot/session-state/${conversation}/events.jsonl`,
  records: [{ type: 'user.message', id: 'e0', data: { content: 'hi', interactionId: 'i0' } }],
  landing: { type: 'user.message', id: 'e1', data: { content: text, interactionId: 'i1' } },
};
const prompt = (words: string): object => ({
  type: 'context.append_message',
  agentId: 'main',
  message: { role: 'user', content: [{ type: 'text', text: words }], origin: { kind: 'user' } },
});

export const finders: readonly Finder[] = [
  { name: 'a dead process', ...claude, attempt: { route: 'native', isAlive: false } },
  {
    name: 'a dead process that never wrote',
    ...claude,
    records: [],
    attempt: { route: 'native', isAlive: false },
  },
  { name: 'a waiting hook', ...claude, attempt: { route: 'native', isAlive: true } },
  { name: 'a stop hook', ...claude, attempt: { route: 'turn-boundary', isAlive: true } },
  { name: 'a hook in a turn', ...claude, attempt: { route: 'mid-turn', isAlive: true } },
  {
    name: 'a queue at rest',
    ...codexBase,
    attempt: { route: 'native', isAlive: true, receipt: `${conversation}/s1` },
  },
  {
    name: 'a dead process, its queue at rest',
    ...codexBase,
    attempt: { route: 'native', isAlive: false, receipt: `${conversation}/s1` },
  },
  { name: 'a dead process', ...geminiBase, attempt: { route: 'paste', isAlive: false } },
  { name: 'a stop hook', ...geminiBase, attempt: { route: 'turn-boundary', isAlive: true } },
  {
    name: 'a dead process',
    provider: qwen,
    attempt: { route: 'native', isAlive: false },
    file: `.qwen/projects/-srv-app/chats/${conversation}.jsonl`,
    records: [
      { ...said, type: 'user', uuid: 'u0', message: { parts: [{ text: 'hi' }] } },
      { ...said, type: 'assistant', uuid: 'a0', message: { parts: [{ text: 'ok' }] } },
    ],
    landing: { ...said, type: 'user', uuid: 'u1', message: { parts: [{ text }] } },
  },
  { name: 'a stop hook', ...copilotBase, attempt: { route: 'turn-boundary', isAlive: true } },
  {
    name: 'an extension',
    ...copilotBase,
    attempt: { route: 'native', isAlive: true, receipt: 'm1' },
    serve: serveCopilot,
    aside: 'run/',
    joins: true,
  },
  {
    name: 'a stop hook',
    provider: kimi,
    attempt: { route: 'turn-boundary', isAlive: true },
    file: `.kimi-code/sessions/wd_app/${conversation}/agents/main/wire.jsonl`,
    records: [prompt('hi')],
    landing: prompt(text),
  },
  {
    name: 'a dead process',
    provider: opencode,
    attempt: {
      route: 'native',
      isAlive: false,
      receipt: `ses_a/${deriveMessageId({ mark, at: 0 })}`,
    },
    records: [],
    serve: serveOpenCode,
  },
  {
    name: 'a dead process, without a receipt',
    provider: opencode,
    attempt: { route: 'native', isAlive: false, conversation: 'ses_a' },
    records: [],
    serve: serveOpenCode,
  },
];

export async function writeRecords(home: string, { file, records }: Finder): Promise<void> {
  if (file === undefined) return;
  // Another conversation is always there: an empty folder proves less.
  const other = join(home, file.replaceAll(conversation.slice(0, 8), 'b9b2c3d4'));
  const path = join(home, file);
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  await mkdir(dirname(other), { recursive: true });
  const first = JSON.stringify(records[0] ?? {}).replaceAll(conversation.slice(0, 8), 'b9b2c3d4');
  await writeFile(other, `${first}\n`);
  if (records.length === 0) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, lines);
}

export function runFolderIn(home: string): string {
  return join(home, 'run');
}

async function serveCodex(home: string): Promise<() => Promise<void>> {
  const path = join(home, 'a.sock');
  symlinkSync(path, appServerSocket(runFolderIn(home)));
  const server = await openFakeAppServer(path);
  const thread = { id: conversation, ephemeral: false, threadSource: 'user', recencyAt: 1 };
  server.threads.set(conversation, { ...thread, status: { type: 'idle' } });
  return () => server.close();
}

async function serveCopilot(home: string): Promise<() => Promise<void>> {
  const folder = linkFolder(runFolderIn(home));
  await mkdir(folder, { recursive: true });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(`${JSON.stringify({ session: conversation })}\n`);
    socket.on('data', (chunk) => {
      const { id } = JSON.parse(chunk.toString()) as { id: number };
      socket.write(
        `${JSON.stringify({ id, pending: [], sent: ['m1'], begun: [], idleMs: 5000 })}\n`,
      );
    });
  });
  await new Promise<void>((done) => server.listen(join(folder, '1'), done));
  return () => new Promise((done) => void server.close(() => done()));
}

async function serveOpenCode(home: string, hasLanded: boolean): Promise<() => Promise<void>> {
  const server = await FakeOpenCode.open('oc_secret');
  const address = { hostname: '127.0.0.1', port: server.port, password: 'oc_secret' };
  await writeFile(join(runFolderIn(home), 'server.json'), JSON.stringify(address));
  const shown = { pid: 1, view: 'session', session: 'ses_a' };
  await writeFile(join(runFolderIn(home), 'shown.json'), JSON.stringify(shown));
  server.sessions.set('ses_a', { id: 'ses_a', time: { updated: 1 } });
  const info = { id: deriveMessageId({ mark, at: 0 }), role: 'user' };
  if (hasLanded) server.messages.set('ses_a', [{ info, parts: [{ type: 'text', text }] }]);
  return () => server.close();
}
