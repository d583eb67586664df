import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { ask } from '../support/daemon.ts';
import { openClone, plantReviewer } from './fixtures/clone.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { startProxy } from './fixtures/proxy.ts';
import { hasTmux } from './fixtures/station.ts';

/** Rule 46: a cloned repository runs no code as you. Each attack by its name. */
describe.runIf(hasTmux)('a cloned repository', () => {
  test('the reviewer attack: a profile with a built-in’s name, PATH, servers and a bypass runs no ./bin/claude', async () => {
    const clone = await openClone();
    const path = plantReviewer(clone);
    for (const name of ['reviewer', 'project:reviewer', 'profile:reviewer']) {
      const ended = await clone.launch(name);
      expectFault(ended, 5, 'not-trusted', /\.signalbox\/profiles\/reviewer\.md/);
      expect(ended.stderr).toContain(`signalbox trust ${path}`);
    }
    // Trusted, it still has no name but its own, and no say in what is executed.
    const { screen } = await clone.type(['trust', path], 'trust');
    expect(screen).toMatch(
      /helper: \.\/bin\/claude \(.*runs \.\/bin\/claude of this project, whatever/,
    );
    expect(screen).toContain('It would work without asking anybody before it acts.');
    expect(screen).toMatch(/left out +PATH, mcpServers\.helper\.NODE_OPTIONS/);
    expectFault(await clone.launch('reviewer'), 5, 'not-allowed', /`built-in:reviewer`/);
    const env = { PATH: '/nonexistent:./bin' };
    const args = ['launch', 'project:reviewer', '--cwd', clone.repository.path, '--json'];
    expectFault(await clone.station.run(args, { env }), 1, 'launch-failed', /not installed/);
    expect(await clone.agents()).toEqual(['user']);
    expect(existsSync(clone.marker)).toBe(false);
  });

  test('changed after it was trusted: it counts no more, for a launch or a restart, and is asked again with a diff', {
    tags: ['full'],
  }, async () => {
    const clone = await openClone();
    const fields = (greeting: string) => `provider: ${scriptedProvider}\nenv: { A: ${greeting} }`;
    const path = clone.profile('worker', fields('one'));
    await clone.type(['trust', path], 'y');
    expect((await clone.launch('worker', '--name', 'w')).code).toBe(0);
    clone.profile('worker', `${fields('two')}\npermissionMode: all`);
    expectFault(
      await clone.launch('worker'),
      5,
      'not-trusted',
      /has changed since the user trusted/,
    );
    const restarted = await clone.station.run(['restart', 'w']);
    expect(`${restarted.code} ${restarted.stderr}`).toMatch(/^5 .*has changed since/);
    expect((await clone.station.agent('w')).epoch).toBe(1);
    const { screen, code } = await clone.type(['trust', path], 'n');
    expect(screen).toMatch(/-env: \{ A: one \}\n\s+\+env: \{ A: two \}\n\s+\+permissionMode: all/);
    expect([code, /not trusted: it has changed/.test(screen)]).toEqual([0, true]);
    expectFault(await clone.launch('worker'), 5, 'not-trusted');
  });

  test('by HTTP, by an agent’s command and by an agent’s tool the same gate stands', {
    tags: ['full'],
  }, async () => {
    const clone = await openClone();
    clone.profile('worker', `provider: ${scriptedProvider}\npermissionMode: ask`);
    await clone.station.launch('lead', '--cwd', clone.repository.path);
    const body = { provider: 'worker', notify: true, cwd: clone.repository.path, extraArgs: [] };
    const answer = await ask(clone.station.daemon().socket ?? '', {
      ...{ method: 'POST', path: '/agents', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ ...body, env: {}, extraEnv: {} }),
    });
    expect([answer.status, answer.json().error.code]).toEqual([403, 'not-trusted']);
    for (const args of [
      ['launch', 'worker', '--cwd', clone.repository.path, '--json'],
      ['assign', 'worker', 'Go', '--cwd', clone.repository.path, '--json'],
    ]) {
      expectFault(await clone.station.runAs('lead', args), 5, 'not-trusted');
    }
    const { pid } = await clone.station.pane('lead');
    const proxy = startProxy(readEnvironment(pid) ?? {});
    for (const tool of ['assign', 'handoff']) {
      const result = await proxy.call(tool, { profile: 'worker', task: 'Go' });
      expect([result.isError, JSON.stringify(result)]).toEqual([
        true,
        expect.stringMatching(/not.trusted.*Only the user can/s),
      ]);
    }
    expect(await clone.agents()).toEqual(['lead', 'user']);
  });
});
