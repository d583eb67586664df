import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { hasNoTerminal, readStartTime } from '../../src/shared/processes.ts';
import { eachBackend, inPlaces } from './fixtures/places.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

inPlaces(eachBackend, 'agents outlive the daemon (B3, B4)', ({ test }, place) => {
  test('kill -9 of the daemon in mid-turn: the next command starts another, which re-adopts', async () => {
    const station = await openStation({ place });
    const { control } = await station.launch('worker');
    await station.launch('other');
    const turn = control.tell('@@work 600s');
    await station.untilStatus('worker', 'processing');
    const before = await station.pid('worker');
    await station.killDaemon();
    // Any command that needs it starts it.
    expect((await station.untilStatus('worker', 'processing')).epoch).toBe(1);
    await control.tell('interrupt');
    await turn;
    expect((await station.untilStatus('worker', 'completed')).epoch).toBe(1);
    expect(await station.pid('worker')).toBe(before);
    // An agent before its first turn is still idle, not completed.
    expect((await station.agent('other')).status).toBe('idle');
  });

  test('what ended while no daemon ran is found exited, with its code', async () => {
    const station = await openStation({ place });
    const { control } = await station.launch('worker');
    await station.launch('other');
    await station.run(['down']);
    expect(await control.tell('@@exit 5')).toBe('gone');
    await station.run(['up']);
    const exited = await station.untilStatus('worker', 'exited');
    expect(exited.exitCode).toBe(5);
    expect((await station.agent('other')).status).toBe('idle');
  });

  test('two state folders never meet', { tags: ['full'] }, async () => {
    const one = await openStation({ place });
    const two = await openStation({ place });
    await one.launch('worker');
    await two.launch('worker');
    await one.run(['rm', 'worker']);
    expect((await two.agent('worker')).status).toBe('idle');
    expect((await one.ask<{ agents: AgentView[] }>('ls')).agents.length).toBe(1);
  });

  test('a daemon that is frozen for a while finds everything again', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    const { control } = await station.launch('worker');
    const { pid } = station.daemon();
    process.kill(pid, 'SIGSTOP');
    const turn = control.tell('@@work 1s @@stream 2000 lines 0ms @@say after the freeze');
    await systemClock.sleep(4000);
    process.kill(pid, 'SIGCONT');
    expect(await turn).toBe('ok');
    const { text } = await station.ask<{ text: string }>('output', 'worker');
    expect(text).toContain('after the freeze');
    // Nobody saw that turn; the next one is seen from beginning to end.
    const next = control.tell('@@work 5s @@say thawed');
    await station.untilStatus('worker', 'processing');
    await station.untilStatus('worker', 'completed');
    expect(await next).toBe('ok');
  });
});

describe.runIf(hasTmux)('what dies is recovered, and agents are not touched (B3, B4)', () => {
  test('kill -9 of the control client: terminals go on and are seen again', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const { control } = await station.launch('worker');
    for (const pid of await controlClients(station)) process.kill(pid, 'SIGKILL');
    const turn = control.tell('@@work 1s @@say seen');
    await station.untilStatus('worker', 'completed');
    expect(await turn).toBe('ok');
    const { text } = await station.ask<{ text: string }>('output', 'worker');
    expect(text).toContain('seen');
  });

  test('kill -9 of the whole tmux server: agents are exited, and launching works again', async () => {
    const station = await openStation();
    await station.launch('worker', 'kept');
    const { pid } = await station.pane('worker');
    process.kill(Number(await station.tmux('display-message', '-p', '#{pid}')), 'SIGKILL');
    const exited = await station.untilStatus('worker', 'exited');
    expect(exited.detail).toBe('terminal gone');
    expect(readStartTime(pid)).toBeUndefined();
    expect((await station.list('worker')).messages.length).toBe(1);
    await station.ask('restart', 'worker');
    expect((await station.untilStatus('worker', 'idle')).epoch).toBe(2);
  });

  test('programs that survive the end of their terminals: one is stopped, one is ended', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const pids: number[] = [];
    for (const name of ['worker', 'other']) {
      const { control } = await station.launch(name);
      await control.tell('@@ignore hup term');
      pids.push((await station.pane(name)).pid);
    }
    expect(pids.map(hasNoTerminal)).toEqual([false, false]);
    process.kill(Number(await station.tmux('display-message', '-p', '#{pid}')), 'SIGKILL');
    for (const name of ['worker', 'other']) {
      const lost = await station.untilStatus(name, 'unknown');
      expect(lost.detail).toMatch(/terminal is gone/);
    }
    expect(pids.map(hasNoTerminal)).toEqual([true, true]);
    await station.ask('stop', 'worker');
    expect(pids.map(readStartTime)).toEqual([undefined, expect.any(String)]);
    expect((await station.agent('worker')).status).toBe('exited');
    expect((await station.untilStatus('other', 'exited')).detail).toBe('terminal gone');
    expect(pids.map(readStartTime)).toEqual([undefined, undefined]);
  });

  test('a person kills the tmux session: the agent lives on, is re-homed, and ls says so', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const { control } = await station.launch('worker');
    const before = await station.pane('worker');
    await station.tmux('kill-session', '-t', `=${before.session}`);
    const view = await station.until('worker', ({ notes = [] }) => notes.length > 0, 'a note');
    expect(view.status).toBe('idle');
    const after = await station.pane('worker');
    expect(after.pid).toBe(before.pid);
    expect(after.session).not.toMatch(/^hub/);
    expect((await station.run(['ls'])).stdout).toMatch(/worker: what held it in tmux was closed/);
    expect(await control.tell('@@say alive')).toBe('ok');
  });

  test('renamed, moved and split by a person: the same agent; closed: exited', async () => {
    const station = await openStation();
    const { control } = await station.launch('worker');
    const { pane, session, window } = await station.pane('worker');
    await station.tmux('rename-session', '-t', `=${session}`, 'mine');
    await station.tmux('rename-window', '-t', window, 'also-mine');
    await station.tmux('split-window', '-t', pane, 'sleep', '600');
    await station.tmux('break-pane', '-d', '-s', pane);
    const turn = control.tell('@@work 1s @@say still me');
    await station.untilStatus('worker', 'completed');
    expect(await turn).toBe('ok');
    const { text } = await station.ask<{ text: string }>('output', 'worker');
    expect(text).toContain('still me');
    await station.tmux('kill-pane', '-t', pane);
    expect((await station.untilStatus('worker', 'exited')).detail).toBe('terminal gone');
  });

  test('B4: a terminal of ours that no life claims is closed; one of another ledger is left alone', async () => {
    const station = await openStation();
    await station.launch('worker');
    const { pane, session } = await station.pane('worker');
    const ledger = await station.tmux('display-message', '-p', '-t', pane, '#{@sbx-ledger}');
    const ghost = await standIn(station, ledger, 'agt_ghost');
    const foreign = await standIn(station, 'ldg_other', 'agt_other');
    // A hint that something changed.
    await station.tmux('rename-session', '-t', `=${session}`, 'again');
    for (let left = 1200; left > 0 && (await panes(station)).includes(ghost); left--) {
      await systemClock.sleep(100);
    }
    const there = await panes(station);
    expect(there).not.toContain(ghost);
    expect(there).toContain(foreign);
    expect(there).toContain(pane);
  });

  test('a flood is bounded in its log, harms no other agent, and goes on after down', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.run(['launch', 'generic', '--name', 'flood', '--', 'yes']);
    const { control } = await station.launch('worker');
    const turn = control.tell('@@work 1s @@say not drowned');
    await station.untilStatus('worker', 'completed');
    expect(await turn).toBe('ok');
    const { pid } = await station.pane('flood');
    await station.run(['down']);
    const written = () =>
      Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
    const before = written();
    while (written() - before < 100_000) await systemClock.sleep(50);
    const folder = join(station.home, 'logs', 'agents');
    const sizes = readdirSync(folder).map((name) => readFileSync(join(folder, name)).length);
    expect(Math.max(...sizes)).toBeLessThan(32 * 1024 * 1024);
    await station.run(['stop', 'flood']);
    expect(readStartTime(pid)).toBeUndefined();
  });
});

/** A pane that carries marks of its own. */
async function standIn(station: Station, ledger: string, agent: string): Promise<string> {
  const pane = await station.tmux('new-session', '-d', '-P', '-F', '#{pane_id}', 'sleep', '600');
  const pid = await station.tmux('display-message', '-p', '-t', pane, '#{pane_pid}');
  const marks = { '@sbx-agent': agent, '@sbx-epoch': '1', '@sbx-pid': pid, '@sbx-ledger': ledger };
  for (const [name, value] of Object.entries(marks)) {
    await station.tmux('set-option', '-p', '-t', pane, name, value);
  }
  return pane;
}

async function panes(station: Station): Promise<readonly string[]> {
  return (await station.tmux('list-panes', '-a', '-F', '#{pane_id}')).split('\n');
}

async function controlClients(station: Station): Promise<readonly number[]> {
  const listed = await station.tmux('list-clients', '-F', '#{client_control_mode} #{client_pid}');
  const lines = listed.split('\n').map((line) => line.split(' '));
  const pids = lines.filter(([control]) => control === '1').map(([, pid]) => Number(pid));
  expect(pids.length).toBeGreaterThan(0);
  return pids;
}
