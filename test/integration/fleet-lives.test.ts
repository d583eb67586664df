import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { OutputView, StopView } from '../../src/protocol/terminals.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { eachBackend, inPlaces } from './fixtures/places.ts';
import { openStation } from './fixtures/station.ts';

inPlaces(eachBackend, 'lives of agents, through the composed daemon (B16)', (checks, place) => {
  const { test, byPaste } = checks;

  byPaste(
    'launch, work, ask, fail, stop: each status is told, and the exit is kept (E3, E6)',
    async () => {
      const station = await openStation({ place });
      const { control } = await station.launch('worker');
      const turn = control.tell('@@work 60s');
      await station.untilStatus('worker', 'processing');
      await control.tell('interrupt');
      await turn;
      await station.untilStatus('worker', 'completed');
      void control.tell('@@ask permission rm a');
      const waiting = await station.untilStatus('worker', 'waiting');
      expect(waiting.composer).not.toBe('empty');
      await station.tmux('send-keys', '-t', (await station.pane('worker')).pane, '-H', '1b');
      await station.untilStatus('worker', 'completed');
      expect((await station.agent('worker')).composer).toBe('empty');
      await control.tell('@@fail overloaded');
      await station.untilStatus('worker', 'error');
      void control.tell('@@exit 7');
      const exited = await station.untilStatus('worker', 'exited');
      expect(exited).toMatchObject({ exitCode: 7, detail: 'exit 7', source: 'process' });
    },
  );

  test('E5: a turn that prints 1 MB ends as completed, and its last words are read', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    const { control } = await station.launch('worker');
    expect(await control.tell('@@work 2s @@say first @@long-line 1mb @@say the last words')).toBe(
      'ok',
    );
    await station.untilStatus('worker', 'completed');
    const { text, response } = await station.ask<OutputView>('output', 'worker', '--full');
    expect(text).toMatch(/^● the last words$/m);
    // herdr shows the last 1,000 rows; what is missing is said.
    const isWhole = place.herdr === undefined;
    expect([response, text.length > 1_000_000, /^● first$/m.test(text)]).toEqual([
      isWhole ? 'complete' : 'partial',
      isWhole,
      isWhole,
    ]);
  });

  test('E9: ten launches side by side', { tags: ['full'] }, async () => {
    const station = await openStation({ place });
    const names = Array.from({ length: 10 }, (_, i) => `agent-${i}`);
    await Promise.all(names.map((name) => station.launch(name)));
    const { agents } = await station.ask<{ agents: AgentView[] }>('ls');
    const idle = agents.filter(({ status }) => status === 'idle').map(({ name }) => name);
    expect(idle.sort()).toEqual(names);
  });

  byPaste('a launch with a message commits it as the first, and it is carried', async () => {
    const station = await openStation({ place });
    await station.launch('worker', 'Build', 'the API');
    const { messages } = await station.list('worker');
    expect(messages.map(({ body }) => body)).toEqual(['Build the API']);
    await waitUntil('its first message', async () => {
      return (await station.list('worker')).messages[0]?.state === 'injected';
    });
    // Never a provider argument.
    const { pid } = await station.pane('worker');
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('Build');
  });

  test('B13, rule 40: environment as given, nothing of ours or of another CLI, and no shell reads it', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    const odd = `it's "$HOME" \`id\` ; é\nsecond line`;
    await station.run(['up']);
    const ended = await station.run(
      ['launch', 'generic', '--name', 'x', '--env', `ODD=${odd}`, '--', 'sleep', '600'],
      { env: { CLAUDECODE: '1', TMUX_PANE: '%99', OWN: 'mine' } },
    );
    // In herdr nothing wakes it, and that is said.
    const said =
      place.herdr === undefined ? /^$/ : /^signalbox: x is not woken while it is at rest/;
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(said)]);
    const pid = await station.pid('x');
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    expect(variables).toContain(`ODD=${odd}`);
    expect(variables).toContain('OWN=mine');
    expect(variables.some((text) => text.startsWith('CLAUDECODE='))).toBe(false);
    expect(variables).not.toContain('TMUX_PANE=%99');
    for (const bad of ['ANTHROPIC_API_KEY=x', `LONG=${'x'.repeat(3000)}`]) {
      const refused = await station.run([
        'launch',
        'generic',
        '--env',
        bad,
        '--json',
        '--',
        'sleep',
        '1',
      ]);
      expectFault(refused, 5, 'not-allowed');
    }
  });

  test('arguments reach the program as they are', { tags: ['full'] }, async () => {
    const station = await openStation({ place });
    const odd = ['a b', `it's`, '$(id)', '#{pid}', ';', 'é\n2', '', '--json', '-x'];
    const ended = await station.run(['launch', 'generic', '--name', 'x', '--', 'sleep', '600']);
    expect(ended.code).toBe(0);
    await station.run([
      'launch',
      'generic',
      '--name',
      'y',
      '--',
      process.execPath,
      '-e',
      'setInterval(() => {}, 1000)',
      ...odd,
    ]);
    const pid = await station.pid('y');
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(3, -1);
    expect(words).toEqual(odd);
  });

  test('rule 37: restart begins the next epoch and keeps the inbox; a second stop is no error', async () => {
    const station = await openStation({ place });
    await station.launch('worker', 'first');
    const first = await station.pid('worker');
    const restarted = await station.ask<{ agents: AgentView[] }>('restart', 'worker');
    expect(restarted.agents[0]?.epoch).toBe(2);
    await station.untilStatus('worker', 'idle');
    expect(await station.pid('worker')).not.toBe(first);
    expect(readStartTime(first)).toBeUndefined();
    expect((await station.list('worker')).messages.length).toBe(1);
    const outcomes = [];
    for (let i = 0; i < 2; i++) {
      const { stopped } = await station.ask<{ stopped: StopView[] }>('stop', 'worker');
      outcomes.push(stopped[0]?.outcome);
    }
    expect(outcomes).toEqual(['stopped', 'already']);
  });

  test('stop ends what ignores hangup and SIGTERM, and what left the tree', async () => {
    const station = await openStation({ place });
    const { control } = await station.launch('worker');
    expect(await control.tell('@@ignore hup term')).toBe('ok');
    expect(await control.tell('@@spawn-child detached')).toBe('ok');
    const pid = await station.pid('worker');
    const { stopped } = await station.ask<{ stopped: StopView[] }>('stop', 'worker');
    expect(stopped[0]?.killed).toBeGreaterThan(0);
    expect(readStartTime(pid)).toBeUndefined();
    const { id } = await station.agent('worker');
    expect(processesOf(id)).toEqual([]);
  });

  test('B17, rule 35, E10: rm keeps a snapshot, tells the senders, and leaves nothing else', async () => {
    const station = await openStation({ place });
    const { control, id } = await station.launch('worker', 'undelivered');
    await control.tell('@@work 500ms @@say the last words');
    const { removed } = await station.ask<{ removed: { settled: number }[] }>('rm', 'worker');
    expect(removed[0]?.settled).toBe(1);
    const snapshot = readFileSync(join(station.home, 'snapshots', `${id}.txt`), 'utf8');
    expect(snapshot).toContain('the last words');
    for (const folder of ['run', 'logs']) {
      // No logs where nobody is told what is printed.
      const path = join(station.home, folder, 'agents');
      expect(existsSync(path) ? readdirSync(path) : []).toEqual([]);
    }
    // Of herdr before 0.7.0 a pane goes when its host has found out, within a second.
    await waitUntil('no terminal', async () => (await station.terminals()).length === 0);
    const { messages } = await station.list('user');
    expect(messages.map(({ kind }) => kind)).toEqual(['bounce']);
    expectFault(await station.run(['status', 'worker', '--json']), 3, 'agent-not-found');
  });

  test('a program that is missing, a folder that is gone, a taken name: said, and nothing is left', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    expectFault(
      await station.run(['launch', 'generic', '--name', 'a', '--json', '--', 'no-such-program']),
      1,
      'launch-failed',
    );
    const folder = join(station.home, 'work');
    mkdirSync(folder);
    rmSync(folder, { recursive: true });
    expectFault(
      await station.run(['launch', 'generic', '--cwd', folder, '--json', '--', 'sleep', '1']),
      2,
      'invalid-input',
    );
    await station.launch('worker');
    expectFault(
      await station.run(['launch', 'generic', '--name', 'worker', '--json', '--', 'sleep', '1']),
      5,
      'name-taken',
    );
    expectFault(
      await station.run(['launch', 'no-such-provider', '--json']),
      3,
      'provider-not-found',
    );
    const { agents } = await station.ask<{ agents: AgentView[] }>('ls');
    expect(agents.map(({ name }) => name).sort()).toEqual(['user', 'worker']);
  });

  // tmux 3.3a may drop what a program prints in the moment in which it ends; hence the pause.
  test('an agent that exits at once is exited with its code and its last words', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    await station.run([
      'launch',
      'generic',
      '--name',
      'x',
      '--',
      'sh',
      '-c',
      'echo gone; sleep 0.3; exit 3',
    ]);
    const exited = await station.untilStatus('x', 'exited');
    expect(exited.exitCode).toBe(3);
    const { text } = await station.ask<{ text: string }>('output', 'x');
    expect(text).toContain('gone');
  });
});

function processesOf(agent: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || !existsSync(`/proc/${pid}/environ`)) return false;
    try {
      const isAlive = readStartTime(Number(pid)) !== undefined;
      return (
        isAlive && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`SIGNALBOX_AGENT=${agent}`)
      );
    } catch {
      return false;
    }
  });
}
