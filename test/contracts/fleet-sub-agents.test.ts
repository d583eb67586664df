import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Recipient } from '../../src/delivery/recipient.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { idleDelivery } from '../fakes/idle-delivery.ts';
import { readScreen } from '../lab/record/judge.ts';
import { env, openWorld, pidOf, until } from './fleet-world.ts';

/** A program that is called like Claude Code and does nothing: its hooks are the test's. */
function placeClaude(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-claude-'));
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('rule 51a: delivery knows how many sub-agents work beside a conversation, and is told at once', async () => {
  const attached: Recipient[] = [];
  let looks = 0;
  const delivery = {
    ...idleDelivery,
    attach: (recipient: Recipient) => void attached.push(recipient),
    look: () => void looks++,
  };
  const { fleet, backend, launch } = await openWorld({ delivery });
  const callerEnv = { PATH: `${placeClaude()}:${env()['PATH']}` };
  const agent = await launch('lead', { provider: 'claude-code', extraArgs: [], callerEnv });
  const token = readEnvironment(pidOf(backend, agent.id))?.['SIGNALBOX_TOKEN'] ?? '';
  const hear = async (event: string, body: object) => {
    const before = looks;
    await fleet.receiveHook(token, event, { session_id: 's1', ...body });
    return [attached.at(-1)?.view().subAgents?.count, looks > before];
  };
  const task = (id: string, type: string) => ({ id, type, status: 'running' });
  expect(attached.at(-1)?.view().subAgents).toBeUndefined();
  const both = [task('a1', 'subagent'), task('b1', 'shell')];
  expect(await hear('Stop', { prompt_id: 'p1', background_tasks: both })).toEqual([1, true]);
  expect(await hear('SubagentStart', { agent_id: 'a2' })).toEqual([2, true]);
  const shell = [task('b1', 'shell')];
  const none = await hear('Stop', { prompt_id: 'p2', background_tasks: shell });
  expect(none).toEqual([undefined, true]);
});

test('rules 51a, 51b: after a restart of the daemon it knows that some work, because the CLI says busy beside a screen at rest, and how many at the next end of a turn', async () => {
  const attached: Recipient[] = [];
  const delivery = {
    ...idleDelivery,
    attach: (recipient: Recipient) => void attached.push(recipient),
  };
  const first = await openWorld();
  const { backend, ledger } = first;
  const home = placeClaude();
  const callerEnv = { PATH: `${home}:${env()['PATH']}`, CLAUDE_CONFIG_DIR: home };
  const agent = await first.launch('lead', { provider: 'claude-code', extraArgs: [], callerEnv });
  await first.fleet.close();
  const pid = pidOf(backend, agent.id);
  mkdirSync(join(home, 'sessions'));
  const state = { sessionId: 's1', status: 'busy', procStart: readStartTime(pid) };
  writeFileSync(join(home, 'sessions', `${pid}.json`), JSON.stringify(state));
  const { screen, head } = readScreen(
    'claude-code/2.1.325/a-120x40/completed--empty--subagent-behind.screen',
  );
  const { columns, rows } = head;
  backend.look = async () => ({ ...screen, columns, rows, isAlive: true });
  const { fleet } = await openWorld({ delivery, ledger, backends: [backend] });
  const view = () => attached.at(-1)?.view();
  await until(async () => view()?.subAgents !== undefined);
  expect(view()).toMatchObject({ status: 'processing', subAgents: { count: undefined } });
  const token = readEnvironment(pid)?.['SIGNALBOX_TOKEN'] ?? '';
  const task = { id: 'a1', type: 'subagent', status: 'running' };
  const body = { session_id: 's1', prompt_id: 'p1', background_tasks: [task] };
  await fleet.receiveHook(token, 'Stop', body);
  await until(async () => view()?.subAgents?.count === 1);
});
