import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import type { AgentView } from '../../src/protocol/agents.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

describe.runIf(hasTmux)('agents by profile', () => {
  test('a profile gives provider, name and variables; ls and status show it', async () => {
    const station = await openStation();
    writeProfile(station, 'tester', 'env: { MARK: from-profile, OTHER: x }\nnotify: false');
    const run = ['launch', 'tester', '--env', 'OTHER=from-option'];
    const ended = await station.run(run);
    expect(ended.stdout).toMatch(/^tester-1 launched by the profile tester, session /);
    const agent = await station.agent('tester-1');
    expect(agent).toMatchObject({ provider: scriptedProvider, profile: 'tester' });
    const { pid } = await station.pane('tester-1');
    expect(readEnvironment(pid)).toMatchObject({ MARK: 'from-profile', OTHER: 'from-option' });
    expect((await station.run(['ls', '--wide'])).stdout).toMatch(
      /PARENT +OWES +PROFILE +ID\n(.*\n)*tester-1 .* tester +agt_/,
    );
    expect((await station.run(['status', 'tester-1'])).stdout).toMatch(/profile +tester\n/);
  });

  test('rule 40: a restart keeps the role and reads the variables from the file again', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const write = (mark: string) => writeProfile(station, 'tester', `env: { MARK: ${mark} }`);
    write('one');
    await station.run(['launch', 'tester', '--name', 'worker']);
    const markOf = async () => readEnvironment((await station.pane('worker')).pid)?.['MARK'];
    expect(await markOf()).toBe('one');
    write('two');
    expect((await station.run(['restart', 'worker'])).code).toBe(0);
    expect(await markOf()).toBe('two');
    expect(await station.agent('worker')).toMatchObject({ profile: 'tester', epoch: 2 });
  });

  test('B13: what a profile may not set is refused, and nothing is left behind', async () => {
    const station = await openStation();
    writeProfile(station, 'tester', 'env: { LD_PRELOAD: /tmp/x.so }');
    const ended = await station.run(['launch', 'tester', '--json']);
    expectFault(ended, 5, 'not-allowed', /LD_PRELOAD/);
    expect((await station.ask<{ agents: AgentView[] }>('ls')).agents).toHaveLength(1);
  });

  test('what is neither a provider nor a profile, and a broken one, say so', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    writeFileSync(join(profilesOf(station), 'broken.md'), 'x');
    const launch = (name: string) => station.run(['launch', name, '--json']);
    expectFault(await launch('tseter'), 3, 'provider-not-found', /no provider and no profile/);
    expectFault(await launch('profile:x'), 3, 'profile-not-found');
    expectFault(await launch('broken'), 1, 'config-invalid', /no front matter/);
  });

  test('E11: an agent launches children within its limits, over the command line like over any other way', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    writeProfile(station, 'worker');
    writeProfile(station, 'bold', 'permissionMode: all');
    await station.ask('config', 'set', 'depth-limit', '1');
    await station.ask('config', 'set', 'breadth-limit', '2');
    await station.run(['launch', 'worker', '--name', 'lead']);
    const launch = (by: string, ...args: string[]) =>
      station.runAs(by, ['launch', ...args, '--json']);
    expectFault(await launch('lead', 'bold'), 5, 'not-allowed', /"lead" has `ask`, and .*`all`/);
    const program = await launch('lead', 'generic', '--json', '--', 'sleep', '600');
    expectFault(program, 5, 'not-allowed', /an argument for the CLI itself counts as `all`/);
    const children = await Promise.all([1, 2, 3, 4].map(() => launch('lead', 'worker')));
    // At the same moment, and still no more than two.
    expect(children.map(({ code }) => code).sort()).toEqual([0, 0, 5, 5]);
    const [child] = children.filter(({ code }) => code === 0).map((one) => one.json<AgentView>());
    expect(child).toMatchObject({ parent: { name: 'lead' }, profile: 'worker' });
    expectFault(await launch('lead', 'worker'), 5, 'not-allowed', /2 running children/);
    const task = await station.runAs('lead', ['assign', 'worker', 'Do it', '--json']);
    expectFault(task, 5, 'not-allowed', /2 running children/);
    expectFault(await launch(child?.name ?? '', 'worker'), 5, 'not-allowed', /generation 2/);
    await station.runAs('lead', ['stop', child?.name ?? '']);
    expect((await launch('lead', 'worker')).code).toBe(0);
    // The user may do all of that.
    expect((await station.run(['launch', 'bold', '--parent', 'lead'])).code).toBe(0);
  });
});

function profilesOf(station: Station): string {
  const folder = join(station.home, 'profiles');
  mkdirSync(folder, { recursive: true });
  return folder;
}

function writeProfile(station: Station, name: string, fields = ''): void {
  const text = `---\nname: ${name}\nprovider: ${scriptedProvider}\n${fields}\n---\nDo it.\n`;
  writeFileSync(join(profilesOf(station), `${name}.md`), text);
}
