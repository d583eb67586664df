import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { EventView } from '../../src/protocol/events.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createId } from '../../src/shared/ids.ts';
import { start, waitForEnd } from '../support/cli.ts';
import { type DaemonBox, openDaemonBox } from '../support/daemon.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openLedger } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

describe('B16: the composed daemon, with a real terminal', () => {
  test('an agent is launched, seen, followed, re-adopted after kill -9, stopped and removed', async () => {
    const box = openDaemonBox();
    await box.ask('up');
    const agent = await launch(box, 'worker', ['sh', '-c', 'echo READY; exec cat']);
    expect(agent).toMatchObject({ name: 'worker', provider: 'generic', backend: 'tmux', epoch: 1 });
    await waitUntil('its first words', async () => (await screen(box)).includes('READY'));
    const { events } = await box.ask<{ events: EventView[] }>(
      'events',
      '--topic',
      'agent.*.launched',
    );
    expect(events).toMatchObject([
      { topic: `agent.${agent.id}.launched`, data: { name: 'worker' } },
    ]);

    await box.kill(box.info().pid);
    // Whoever needs the daemon starts it, and the agent is the one it was.
    const { agents } = await box.ask<{ agents: AgentView[] }>('ls');
    expect(agents.find(({ id }) => id === agent.id)).toMatchObject({ epoch: 1 });
    expect(await screen(box)).toContain('READY');
    expect(await box.ask('down')).toMatchObject({ outcome: 'stopped', agents: 1 });

    const { stopped } = await box.ask<{ stopped: unknown }>('stop', 'worker');
    expect(stopped).toMatchObject([{ name: 'worker', outcome: 'stopped' }]);
    await box.ask('rm', 'worker');
    const left = await box.ask<{ agents: AgentView[] }>('ls');
    expect(left.agents.map(({ name }) => name)).toEqual(['user']);
  });

  test('send commits first and then starts the daemon that carries it', async () => {
    const box = openDaemonBox();
    await box.ask('up');
    await launch(box, 'worker', ['cat']);
    await box.ask('down');
    const sent = await box.run(['send', 'worker', 'hello', '--json']);
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    expect(box.daemons()).toHaveLength(1);
  });

  test("an agent's raw output is in its log, plain for people and as it was for programs", {
    tags: ['full'],
  }, async () => {
    const box = openDaemonBox();
    await box.ask('up');
    const { id } = await launch(box, 'worker', [
      'sh',
      '-c',
      "printf '\\033[31mred\\033[0m\\n'; cat",
    ]);
    const read = async (...options: readonly string[]) =>
      (await box.run(['logs', 'worker', ...options])).stdout;
    await waitUntil('its log', async () => (await read()).includes('red'));
    expect(await read()).toBe('red\n');
    expect(await read('--raw')).toContain('\u001b[31mred');
    const document = await box.ask<{ text: string; agent: { id: string } }>('logs', 'worker');
    expect(document.agent.id).toBe(id);
    expect(document.text).toMatch(/^red$/m);
  });
});

describe('when no daemon can be started', () => {
  const env = { SIGNALBOX_TERMINAL: 'herdr' };

  test('ls shows what was last known and says so; output fails with exit code 6', async () => {
    const box = await openBoxWithTerminal();
    const listed = await box.run(['ls', '--json'], { env });
    expect(listed.json<{ agents: AgentView[] }>().agents.map(({ name }) => name)).toContain(
      'ghost',
    );
    expect(listed.code).toBe(0);
    expect(listed.stderr).toMatch(
      /could not be started: .*herdr.* Shown is what was last known\.\n$/,
    );
    expectFault(await box.run(['output', 'ghost', '--json'], { env }), 6, 'daemon-unavailable');
  });

  test('send is accepted all the same, and says that it waits', async () => {
    const box = await openBoxWithTerminal();
    const sent = await box.run(['send', 'ghost', 'hello', '--json'], { env });
    expect([sent.code, sent.json()['state']]).toEqual([0, 'queued']);
    expect(sent.stderr).toMatch(
      /^signalbox: The message waits in the ledger\. The daemon could not/,
    );
  });

  test('agents without a terminal need none: nothing is started, nothing is said', {
    tags: ['full'],
  }, async () => {
    const box = openDaemonBox();
    await box.ask('agents', 'add', 'puller');
    await box.ask('send', 'puller', 'hello');
    await box.ask('ls');
    await box.ask('rm', 'puller');
    expect(box.daemons()).toEqual([]);
    expectFault(await box.run(['logs', 'user', '--json']), 5, 'wrong-state', /no terminal of ours/);
  });
});

describe('logs', () => {
  test('the daemon’s own log is read for people, as one document, and the last lines of it', async () => {
    const box = openDaemonBox();
    mkdirSync(join(box.home, 'logs'));
    const line = (n: number) =>
      `${JSON.stringify({ level: 'warn', time: '2030-01-01T00:00:00.000Z', n, text: 'it rains' })}\n`;
    writeFileSync(join(box.home, 'logs', 'daemon.log'), line(1) + line(2) + line(3));
    expect((await box.run(['logs', '--lines', '2'])).stdout).toMatch(
      /^\S+ \S+ warn {2}it rains n=2\n\S+ \S+ warn {2}it rains n=3\n$/,
    );
    const { lines } = await box.ask<{ lines: { n: number }[] }>('logs');
    expect(lines.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  test('without a log there is nothing to show, and that is no failure', async () => {
    const box = openDaemonBox();
    expect(await box.run(['logs'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('--follow goes on across a rotation', async () => {
    const box = openDaemonBox();
    mkdirSync(join(box.home, 'logs'));
    const path = join(box.home, 'logs', 'daemon.log');
    const line = (n: number) => `${JSON.stringify({ level: 'info', n, text: 'x' })}\n`;
    writeFileSync(path, line(1));
    const child = start(['logs', '--follow', '--json'], { home: box.home });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = waitForEnd(child);
    let seen = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    await waitUntil('the first line', () => seen.includes('"n":1'));
    appendFileSync(path, line(2));
    await waitUntil('the second line', () => seen.includes('"n":2'));
    appendFileSync(path, line(3));
    renameSync(path, `${path}.1`);
    writeFileSync(path, line(4));
    await waitUntil('the line after the rotation', () => seen.includes('"n":4'));
    expect(seen).toContain('"n":3');
    child.kill('SIGTERM');
    await ended;
  });
});

async function launch(box: DaemonBox, name: string, argv: readonly string[]): Promise<AgentView> {
  const options = ['--json', '--name', name, '--cwd', box.home];
  const ended = await box.run(['launch', 'generic', ...options, '--', ...argv]);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  return ended.json<AgentView>();
}

async function screen(box: DaemonBox): Promise<string> {
  return (await box.ask<{ text: string }>('output', 'worker')).text;
}

/** An agent whose terminal nobody has: as a daemon that was killed leaves it. */
async function openBoxWithTerminal(): Promise<DaemonBox> {
  const box = openDaemonBox();
  const ledger = await openLedger(box.home);
  const now = systemClock.now();
  await ledger.write((tx) =>
    tx.agents.insert({
      id: createId('agt', now),
      name: 'ghost',
      session: 'default',
      provider: 'generic',
      backend: 'tmux',
      epoch: 1,
      status: 'idle',
      source: 'screen',
      since: now,
      notify: true,
      cwd: '/',
      createdAt: now,
    }),
  );
  await ledger.close();
  return box;
}
