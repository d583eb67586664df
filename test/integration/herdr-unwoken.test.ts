import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { SendResult } from '../../src/protocol/messages.ts';
import type { TaskView } from '../../src/protocol/tasks.ts';
import { start, waitForEnd } from '../support/cli.ts';
import { waitUntil } from '../support/wait-until.ts';
import { launchClaude } from './fixtures/living-claude.ts';
import { herdrPlaces, inPlaces, inTmux } from './fixtures/places.ts';
import { launchQuiet, startProxy } from './fixtures/proxy.ts';
import { openStation, type Station } from './fixtures/station.ts';

const why =
  "is not woken while it is at rest: herdr shows neither the cursor nor a person's typing, so signalbox pastes nothing there.";
const pulled = `worker ${why} Messages wait until it takes them itself, with \`signalbox inbox drain\`. To have it woken, remove it and launch it with --terminal tmux.`;
const atBoundaries = (name: string) =>
  `${name} ${why} Messages wait until a turn that a person begins in its terminal ends. To have it woken, remove it and launch it with --terminal tmux.`;
const anyWord = /woken|no message wakes/;

/** CLIs that only start: what is said of them is known from data, before they have a status. */
function installSilent(station: Station, ...names: readonly string[]): Readonly<{ PATH: string }> {
  const folder = join(station.home, 'clis');
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const text = '#!/bin/sh\nif [ "$1" = --version ]; then echo 0.61.0; exit; fi\nexec sleep 600\n';
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  return { PATH: `${folder}:${station.env['PATH'] ?? process.env['PATH']}` };
}

/** What a command that goes on waiting has said on stderr; it is killed then. */
async function hearFirst(
  { home, env }: Station,
  args: readonly string[],
  awaited: RegExp,
): Promise<string> {
  const child = start(args, { home, env });
  const ended = waitForEnd(child);
  let heard = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    heard += chunk.toString();
  });
  try {
    await waitUntil('what it says', () => awaited.test(heard));
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    return heard;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

inPlaces(herdrPlaces, 'rule 48: an agent that no message wakes', ({ test }, place) => {
  test('Gemini CLI and Kimi: launch says at once that its messages wait, the first one, too, and what helps; in tmux it says nothing', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    const env = installSilent(station, 'gemini', 'kimi');
    const launch = (...args: readonly string[]) =>
      station.run(['launch', ...args, '--no-wait', '--cwd', station.home], { env });
    const gem = await launch('gemini', '--name', 'gem');
    expect([gem.code, gem.stderr]).toEqual([0, `signalbox: ${atBoundaries('gem')}\n`]);
    expect(gem.stdout).toMatch(/^gem launched, session default\n {2}see it: /);
    const kim = await launch('kimi', 'Say', 'hello', '--name', 'kim');
    const first = `signalbox: Its first message waits. ${atBoundaries('kim')}\n`;
    expect([kim.code, kim.stderr]).toEqual([0, first]);
    const other = await launch('gemini', '--name', 'other', '--json');
    expect([other.code, other.stderr]).toEqual([0, '']);
    expect(other.json<AgentView>()).toMatchObject({ unwoken: atBoundaries('other') });
    const sent = await station.run(['send', 'kim', 'more']);
    expect(sent.stderr).toBe(`signalbox: The message waits. ${atBoundaries('kim')}\n`);
    expect((await station.run(['ls'])).stdout).toContain(
      'gem, kim, other: no message wakes them at rest; see signalbox status gem\n',
    );

    const here = await launch('gemini', 'hello', '--name', 'here', '--terminal', 'tmux', '--json');
    expect(here.json<AgentView>().unwoken).toBeUndefined();
    const texts = [
      await launch('kimi', 'hello', '--name', 'there', '--terminal', 'tmux'),
      await station.run(['send', 'here', 'x']),
      await station.run(['status', 'here']),
    ];
    for (const { stdout, stderr } of texts) expect(`${stdout}${stderr}`).not.toMatch(anyWord);
  });

  test('send says it behind the id, status at its top, ls in one line, and their documents have it as a field', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    await station.launch('worker');
    const sent = await station.run(['send', 'worker', 'x']);
    expect(sent.stdout).toMatch(/^worker:\d+ accepted \(queued\)\n$/);
    expect(sent.stderr).toBe(`signalbox: The message waits. ${pulled}\n`);
    const document = await station.ask<SendResult>('send', 'worker', 'y');
    expect(document).toMatchObject({ state: 'queued', unwoken: pulled });
    const wait = ['send', 'worker', 'z', '--wait', 'seen', '--timeout', '1s', '--json'];
    const waited = await station.run(wait);
    expect(waited.stderr).toContain(sent.stderr);
    const error = { code: 'timed-out' };
    expect(waited.json()).toMatchObject({ state: 'queued', unwoken: pulled, error });

    const [, ...lines] = (await station.run(['status', 'worker'])).stdout.split('\n');
    const above = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('  status ')),
    );
    expect(above.map((line) => line.trim()).join(' ')).toBe(pulled);
    expect(above.filter((line) => line.length > 80)).toEqual([]);
    expect((await station.agent('worker')).unwoken).toBe(pulled);
    expect((await station.run(['ls'])).stdout).toContain(
      '\nworker: no message wakes it at rest; see signalbox status worker\n',
    );

    // Known from data: also while no daemon runs.
    await station.ask('down');
    expect((await station.run(['send', 'worker', 'x'])).stderr).toBe(sent.stderr);

    // With its next start it is told again; one that has exited gets its messages with that.
    await station.ask('stop', 'worker');
    const { stderr } = await station.run(['send', 'worker', 'later']);
    expect(stderr).toContain('"worker" does not run (stopped)');
    expect(stderr).not.toMatch(anyWord);
    expect((await station.run(['ls'])).stdout).not.toMatch(anyWord);
  });

  test('assign and handoff say it before anybody waits, and the agents’ tools in their results', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    await station.launch('worker');
    const said = `signalbox: The task waits. ${pulled}\n`;
    const assigned = await station.run(['assign', 'worker', 'Count.']);
    expect([assigned.code, assigned.stderr]).toEqual([0, said]);
    const given = await station.ask<TaskView>('assign', 'worker', 'Count again.', '--key', 'k');
    expect(given).toMatchObject({ agent: { name: 'worker' }, unwoken: pulled });
    // Each waits for ever: what they say they say before that.
    for (const json of [[], ['--json']]) {
      const heard = await hearFirst(station, ['handoff', 'worker', 'Add.', ...json], /tmux.*\n/);
      const begun = json.length > 0 ? '' : 'worker:\\d+ given to worker; waiting …\\n';
      expect(heard).toMatch(new RegExp(`^${begun}signalbox: The task waits. `));
      expect(heard.endsWith(said)).toBe(true);
    }
    const limited = ['handoff', 'worker', 'Add more.', '--timeout', '1s', '--json'];
    const pending = (await station.run(limited)).json();
    const error = { code: 'timed-out' };
    expect(pending).toMatchObject({ outcome: 'pending', unwoken: pulled, error });
    const launched = await station.run(['assign', scriptedProvider, 'Count.', '--name', 'fresh']);
    expect(launched.stderr).toBe(
      `${said.replaceAll('worker', 'fresh')}signalbox: fresh is ready\n`,
    );

    const proxy = startProxy(await launchQuiet(station, 'lead'));
    const calls: readonly [string, object][] = [
      ['send_message', { to: 'worker', body: 'from a tool' }],
      ['assign', { profile: 'worker', task: 'a task' }],
      ['handoff', { profile: 'worker', task: 'another', timeout_seconds: 1 }],
    ];
    for (const [tool, args] of calls) {
      const { structuredContent, content } = await proxy.call(tool, args);
      expect(structuredContent).toMatchObject({ unwoken: pulled });
      expect(content[0].text.endsWith(`\n${pulled}`)).toBe(true);
    }
    // Read meanwhile: the same key again says nothing of a wait.
    await station.drain('worker', '--max', '100');
    const again = await station.ask<TaskView>('assign', 'worker', 'Count again.', '--key', 'k');
    expect(again).toMatchObject({ task: given.task, duplicate: true });
    expect(again.unwoken).toBeUndefined();
  });

  test('what comes while a hooked program works waits for that turn alone: send says nothing then', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place, hasTools: true });
    const { control } = await station.launch('worker');
    const say = `signalbox: The message waits. ${atBoundaries('worker')}\n`;
    expect((await station.run(['send', 'worker', 'x'])).stderr).toBe(say);
    void control.tell('@@work 10m');
    await station.untilStatus('worker', 'processing');
    const sent = await station.run(['send', 'worker', 'y']);
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    expect((await station.agent('worker')).unwoken).toBe(atBoundaries('worker'));
  });

  test('a CLI with a way in of its own, and a program that is pasted to in tmux, are not spoken of', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    await launchClaude(station, 'claude');
    await station.launch('worker', '--terminal', 'tmux');
    for (const name of ['claude', 'worker']) {
      expect((await station.agent(name)).unwoken).toBeUndefined();
      const sent = await station.run(['send', name, 'x', '--wait', 'injected']);
      expect([sent.code, sent.stderr]).toEqual([0, '']);
      expect((await station.run(['status', name])).stdout).not.toMatch(anyWord);
    }
    expect((await station.run(['ls'])).stdout).not.toMatch(anyWord);
  });
});

inPlaces([inTmux], 'rule 48: without herdr', ({ test }, place) => {
  test('no command says that an agent is not woken, `generic` included', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    await station.launch('worker');
    const program = ['launch', 'generic', '--name', 'clock', '--cwd', station.home];
    const texts = [
      await station.run([...program, '--', 'sleep', '600']),
      await station.run(['send', 'clock', 'x']),
      await station.run(['assign', 'worker', 'x']),
      await station.run(['status', 'clock']),
      await station.run(['ls']),
    ];
    for (const { stdout, stderr } of texts) expect(`${stdout}${stderr}`).not.toMatch(anyWord);
  });
});
