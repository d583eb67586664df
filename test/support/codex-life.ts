import { appendFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { appServerSocket } from '../../src/providers/codex/app-server.ts';
import { openEvidence } from '../../src/providers/codex/evidence.ts';
import { openNative } from '../../src/providers/codex/native.ts';
import { watchState } from '../../src/providers/codex/state.ts';
import type { AgentContext, OwnState } from '../../src/providers/provider.ts';
import { type FakeAppServer, openFakeAppServer } from '../fakes/app-server.ts';
import { tempHome } from './home.ts';

export const first = '01a1df42-314b-7581-8d5e-3fb4480e12a8';
export const user = {
  ephemeral: false,
  parentThreadId: null,
  threadSource: 'user',
  recencyAt: 1,
};
export const idle = { type: 'idle' };
export const active = { type: 'active', activeFlags: [] };

type FakeRefusal = ReturnType<FakeAppServer['refusals']['get']> & {};

interface Wish {
  readonly threads?: Record<string, Record<string, unknown>>;
  readonly startedAt?: number;
  readonly refuseResume?: boolean;
  readonly refusals?: Record<string, FakeRefusal>;
  readonly changed?: () => void;
}

/** State, way in and evidence of one life, on a fake of its app-server. */
export async function openCodexLife(wish: Wish = {}) {
  const { threads = { [first]: { ...user, status: idle } }, startedAt = 0 } = wish;
  const runFolder = tempHome();
  const path = join(tempHome(), 'a.sock');
  symlinkSync(path, appServerSocket(runFolder));
  const server = await openFakeAppServer(path);
  onTestFinished(() => server.close());
  if (wish.refuseResume) {
    server.refusals.set('thread/resume', { code: -32_600, message: 'no rollout found' });
  }
  for (const [method, refusal] of Object.entries(wish.refusals ?? {})) {
    server.refusals.set(method, refusal);
  }
  for (const [id, thread] of Object.entries(threads)) server.threads.set(id, { id, ...thread });
  const day = join(runFolder, '.codex', 'sessions', '2026', '11', '15');
  mkdirSync(day, { recursive: true });
  const rollout = join(day, `rollout-2026-11-15T12-00-00-${first}.jsonl`);
  const context = { ...contextIn(runFolder, '0.166.0'), startedAt };
  const states: OwnState[] = [];
  let changed = 0;
  const life = {
    current: () => context,
    changed: () => {
      changed++;
      wish.changed?.();
    },
  };
  const watch = watchState(context, (state) => states.push(state));
  const native = openNative(life);
  const evidence = openEvidence(life);
  onTestFinished(() => {
    watch.close();
    native.close();
    evidence.close();
  });
  return { server, path, life, watch, native, evidence, states, rollout, changes: () => changed };
}

export function contextIn(runFolder: string, version: string): AgentContext {
  return {
    agent: 'agt_1',
    pid: process.pid,
    cwd: '/srv/app',
    runFolder,
    conversation: first,
    startedAt: 0,
    version,
    env: { HOME: runFolder },
  };
}

export function count(server: FakeAppServer, wanted: string): number {
  return server.asked.filter((method) => method === wanted).length;
}

export function begin(server: FakeAppServer, id: string, thread: Record<string, unknown>): void {
  server.threads.set(id, { id, ...thread });
  server.notify({ method: 'thread/started', params: { thread: { id, ...thread } } });
}

export function change(server: FakeAppServer, threadId: string, status: object): void {
  server.threads.set(threadId, { ...server.threads.get(threadId), status });
  server.notify({ method: 'thread/status/changed', params: { threadId, status } });
}

export function write(path: string, ...records: readonly (object | string)[]): void {
  const lines = records.map((record) =>
    typeof record === 'string' ? record : JSON.stringify(record),
  );
  appendFileSync(path, `${lines.join('\n')}\n`);
}
