import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import type { WatchFile } from './event-file.ts';
import { eventFile } from './launch.ts';
import { watchState } from './state.ts';

const session_id = '72abb43b-1ed4-417c-8421-e95ad0d7173c';
const start = event({ type: 'system', subtype: 'session_start' });
const prompt = event({ type: 'user', message: { content: [{ type: 'text', text: 'go' }] } });
const asks = event({ type: 'control_request', request: { subtype: 'can_use_tool' } });
const processing = { report: { status: 'processing' }, conversation: session_id };
const silent = { report: undefined, conversation: session_id };
const noWatch: WatchFile = () => {
  throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
};

let folder: string;
let file: string;
let said: OwnState[];
let watched: StateWatch | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-qwen-'));
  file = join(folder, eventFile);
  said = [];
});
afterEach(() => {
  watched?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('events are told as they come, each word once', async () => {
  writeFileSync(file, '');
  open();
  appendFileSync(file, start);
  await until(() => expect(said).toEqual([silent]));
  appendFileSync(file, prompt + prompt);
  await until(() => expect(said).toEqual([silent, processing]));
  appendFileSync(file, asks);
  await until(() =>
    expect(said.at(-1)?.report).toEqual({ status: 'waiting', detail: 'permission' }),
  );
});

test('a word is withdrawn when no event follows: a person’s Escape is never announced', async () => {
  writeFileSync(file, start);
  open();
  await until(() => expect(said).toEqual([silent]));
  appendFileSync(file, prompt);
  await until(() => expect(said).toEqual([silent, processing]));
  await until(() => expect(said).toEqual([silent, processing, silent]));
  appendFileSync(file, prompt);
  await until(() => expect(said.at(-1)).toEqual(processing));
});

test('what was in the file before tells the conversation and is no news', async () => {
  writeFileSync(file, start + prompt.repeat(5000) + asks);
  open();
  await until(() => expect(said).toEqual([silent]));
});

test('at inotify’s limit the file is read after output', async () => {
  writeFileSync(file, '');
  open(noWatch);
  appendFileSync(file, start);
  await until(() => {
    watched?.check();
    expect(said).toEqual([silent]);
  });
  appendFileSync(file, prompt);
  await until(() => {
    watched?.check();
    expect(said.at(-1)).toEqual(processing);
  });
});

test('a file that comes later, or is emptied, is read all the same', async () => {
  open();
  watched?.check();
  writeFileSync(file, start.repeat(10));
  await until(() => {
    watched?.check();
    expect(said).toEqual([silent]);
  });
  truncateSync(file);
  appendFileSync(file, prompt);
  await until(() => {
    watched?.check();
    expect(said.at(-1)).toEqual(processing);
  });
});

test('half a line waits for its rest; a line over 16 MB and garbage are passed over (O5)', async () => {
  writeFileSync(file, start);
  open();
  await until(() => expect(said).toEqual([silent]));
  appendFileSync(file, prompt.slice(0, 20));
  appendFileSync(file, prompt.slice(20));
  await until(() => expect(said.at(-1)).toEqual(processing));
  appendFileSync(
    file,
    `{"type":"user","text":"${'x'.repeat(17 * 1024 * 1024)}"}\n\u0000\u0001\n${asks}`,
  );
  await until(() => expect(said.at(-1)?.report?.status).toBe('waiting'));
});

test('nothing is told after the close', async () => {
  writeFileSync(file, start);
  open();
  watched?.close();
  appendFileSync(file, prompt);
  watched?.check();
  await new Promise((done) => setTimeout(done, 200));
  expect(said).toEqual([]);
});

function open(watchFile?: WatchFile): void {
  watched = watchState(context(), (state) => said.push(state), watchFile);
}

function context(): AgentContext {
  const rest = {
    agent: 'agt_1',
    pid: 1,
    cwd: '/srv/app',
    startedAt: 0,
    version: '0.24.4',
    env: {},
  };
  return { ...rest, runFolder: folder, conversation: undefined };
}

function event(fields: object): string {
  return `${JSON.stringify({ session_id, parent_tool_use_id: null, ...fields })}\n`;
}

async function until(holds: () => void): Promise<void> {
  await waitFor(holds);
}
