import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { Explanation, SendResult } from '../../src/protocol/messages.ts';
import type { OutputView } from '../../src/protocol/terminals.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { ask as tell } from '../fakes/herdr/cli/client.ts';
import { ask } from '../support/daemon.ts';
import { herdrSocket, realHerdr } from '../support/install-herdr.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { launchClaude, untilSeen } from './fixtures/living-claude.ts';
import { herdrPlaces, inPlaces } from './fixtures/places.ts';
import { openStation, type Station } from './fixtures/station.ts';

const settings = { terminal: 'tmux' } as const;

async function launchProgram(
  station: Station,
  name: string,
  script: string,
  env: Readonly<Record<string, string>> = {},
): Promise<AgentView> {
  const args = ['launch', 'generic', '--name', name, '--cwd', station.home, '--json'];
  const ended = await station.run([...args, '--', 'sh', '-c', script], { env });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  return ended.json<AgentView>();
}

async function untilShown(station: Station, name: string, text: string): Promise<void> {
  await waitUntil(`${text} on its screen`, async () =>
    (await station.ask<OutputView>('output', name)).text.includes(text),
  );
}

type Requests = Readonly<Record<string, number>>;

inPlaces(herdrPlaces, 'B16: the composed daemon, with terminals in herdr', ({ test }, place) => {
  const all = place.herdr === '0.6.8' ? 'pane.list' : 'session.snapshot';
  const onlyFake: typeof test = realHerdr ? () => undefined : test;

  test('up --terminal herdr: a whole life, across down and kill -9', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place, settings });
    expect((await station.run(['up', '--terminal', 'herdr'])).code).toBe(0);
    const { id, backend } = await launchProgram(station, 'worker', 'echo READY; exec cat');
    expect(backend).toBe('herdr');
    expect(existsSync(join(station.home, 'tmux.sock'))).toBe(false);
    await untilShown(station, 'worker', 'READY');
    const pid = await station.pid('worker');
    expect(readEnvironment(pid)).toMatchObject({ SIGNALBOX_AGENT: id });

    expect(await station.ask('down')).toMatchObject({ outcome: 'stopped', agents: 1 });
    expect(readStartTime(pid)).toBeDefined();
    // The next one has tmux as its default: the agent stays where it is.
    await station.ask('up');
    expect(await station.agent('worker')).toMatchObject({ epoch: 1, backend: 'herdr' });
    await station.killDaemon();
    await untilShown(station, 'worker', 'READY');
    expect(await station.pid('worker')).toBe(pid);

    const { agents } = await station.ask<{ agents: AgentView[] }>('restart', 'worker');
    expect(agents).toMatchObject([{ epoch: 2, backend: 'herdr' }]);
    expect(readStartTime(pid)).toBeUndefined();
    await untilShown(station, 'worker', 'READY');
    const { stopped } = await station.ask<{ stopped: unknown }>('stop', 'worker');
    expect(stopped).toMatchObject([{ name: 'worker', outcome: 'stopped' }]);
    await station.ask('rm', 'worker');
    const snapshot = readFileSync(join(station.home, 'snapshots', `${id}.txt`), 'utf8');
    expect(snapshot).toContain('READY');
    expectFault(await station.run(['output', 'worker', '--json']), 3, 'agent-not-found');
    await waitUntil('no terminal', async () => (await station.terminals()).length === 0);
  });

  test('SIGNALBOX_TERMINAL says it for one launch, config.yaml for all; attach leads into herdr', {
    tags: ['full'],
  }, async () => {
    const byVariable = await openStation({ place, settings });
    await byVariable.ask('up');
    const env = { SIGNALBOX_TERMINAL: 'herdr' };
    expect(await launchProgram(byVariable, 'a', 'exec cat', env)).toMatchObject({
      backend: 'herdr',
    });
    expect(await launchProgram(byVariable, 'b', 'exec cat')).toMatchObject({ backend: 'tmux' });
    const { argv } = await byVariable.ask<{ argv: string[] }>('attach', 'a');
    expect(argv.slice(0, -1)).toEqual(['herdr', '--session', 'signalbox', 'terminal', 'attach']);
    const byFile = await openStation({ place });
    expect(await launchProgram(byFile, 'a', 'exec cat')).toMatchObject({ backend: 'herdr' });
    expect((await byFile.run(['doctor', '--all'])).stdout).toMatch(/herdr/);
  });

  test('one agent in tmux, one in herdr, in one daemon: messages between them are seen, once each', async () => {
    const station = await openStation({ place, settings });
    const here = await launchClaude(station, 'here');
    const there = await launchClaude(station, 'there', '--terminal', 'herdr');
    const pairs = [
      [here, there],
      [there, here],
    ] as const;
    for (const [from, to] of pairs) {
      const body = `from ${from.name} to ${to.name}`;
      const sent = await station.runAs(from.name, ['send', to.name, body, '--json']);
      const story = await untilSeen(station, sent.json<SendResult>().id);
      expect(story.attempts).toMatchObject([{ route: 'native' }]);
      expect([to.copies(body), from.copies(body)]).toEqual([1, 0]);
    }
    const { agents } = await station.ask<{ agents: AgentView[] }>('ls');
    const homes = agents.map(({ name, backend }) => [name, backend]);
    expect(Object.fromEntries(homes)).toMatchObject({ here: 'tmux', there: 'herdr' });
  });

  onlyFake(
    'a dialog that the CLI tells of itself costs no requests, and its end is heard',
    { tags: ['full'] },
    async () => {
      const station = await openStation({ place });
      await launchClaude(station, 'asker');
      const pid = await station.pid('asker');
      const file = join(station.home, 'asker-claude', 'config', 'sessions', `${pid}.json`);
      const state = JSON.parse(readFileSync(file, 'utf8')) as object;
      const say = (status: string) => writeFileSync(file, JSON.stringify({ ...state, status }));
      say('waiting');
      await station.untilStatus('asker', 'waiting');
      const desk = `${herdrSocket(station.home)}.chaos`;
      const count = async (method: string): Promise<number> => {
        const { requests } = (await tell(desk, { do: 'count' })) as { requests: Requests };
        return requests[method] ?? 0;
      };
      const reads = async (): Promise<number> => {
        await tell(desk, { do: 'reset' });
        await waitUntil('looks at everything', async () => (await count(all)) >= 10);
        return count('pane.read');
      };
      // A question that nobody sees on the screen is looked for in the first ten seconds.
      await waitUntil('no look at it', async () => (await reads()) === 0);
      expect(await reads()).toBe(0);
      say('idle');
      await station.untilStatus('asker', 'idle');
    },
  );

  test('rule 8: what would be pasted waits, and status and explain say why', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    await station.launch('worker');
    const { id } = await station.ask<SendResult>('send', 'worker', 'x');
    const why = /herdr shows neither the cursor nor a person's typing/;
    const story = await waitUntil('the reason', async () => {
      const told = await station.ask<Explanation>('explain', id);
      return told.waitsFor === undefined ? undefined : told;
    });
    expect(story.waitsFor).toMatch(why);
    expect((await station.run(['explain', id])).stdout).toMatch(why);
    const view = await station.agent('worker');
    expect(view.waitsFor).toMatch(why);
    expect(view.routes).toEqual(['pull']);
    expect(view.lacks?.find(({ route }) => route === 'paste')?.why).toMatch(why);
    expect((await station.run(['status', 'worker'])).stdout).toMatch(why);
    expect((await station.drain('worker')).messages).toMatchObject([{ id, body: 'x' }]);
  });

  test('B14, B15, B17: the last answer, the whole text, and what a program that ended leaves behind', {
    tags: ['full'],
  }, async () => {
    const station = await openStation({ place });
    const { control, id } = await station.launch('worker');
    expect(await control.tell('@@say the first')).toBe('ok');
    expect(await control.tell('@@say the last words')).toBe('ok');
    const output = (...how: string[]) => station.ask<OutputView>('output', 'worker', ...how);
    await waitUntil('the answer', async () => (await output('--last')).text === 'the last words');
    expect((await output('--full')).text).toMatch(/the first[\s\S]*the last words/);
    void control.tell('@@exit 7');
    const exited = await station.untilStatus('worker', 'exited');
    expect(exited).toMatchObject({ exitCode: 7 });
    expect((await output('--full')).text).toContain('the last words');
    const snapshot = join(station.home, 'snapshots', `${id}.txt`);
    await station.ask('rm', 'worker');
    expect(readFileSync(snapshot, 'utf8')).toContain('the last words');
    for (const path of ['/agents/worker', '/agents/worker/output']) {
      const { status } = await ask(station.daemon().socket ?? '', { path });
      expect(status).toBe(404);
    }
  });
});
