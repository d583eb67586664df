import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import type { AgentView } from '../../src/protocol/agents.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openClone, plantReviewer } from './fixtures/clone.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux } from './fixtures/station.ts';

/** More attacks of the kind in trust-attacks.test.ts. */
describe.runIf(hasTmux)('a cloned repository', () => {
  test('the ./bin/git attack: with --worktree no git of the repository is run, wherever PATH leads', async () => {
    const clone = await openClone();
    plantReviewer(clone);
    clone.program('bin/git');
    clone.repository.commit('first');
    expectFault(await clone.launch('project:reviewer', '--worktree'), 5, 'not-trusted');
    const PATH = `${join(clone.repository.path, 'bin')}:./bin:${process.env['PATH']}`;
    const cwd = ['--cwd', clone.repository.path, '--worktree', '--json'];
    // The daemon was started with a PATH of the user’s own.
    const wanted = ['launch', scriptedProvider, '--name', 'worker', ...cwd];
    const ended = await clone.station.run(wanted, { env: { PATH } });
    expect(ended.stderr).toMatch(/^signalbox: relative entries of PATH left out \("\.\/bin"\)/);
    expect(ended.code).toBe(0);
    expect(existsSync(clone.marker)).toBe(false);
    const { pid } = await clone.station.pane('worker');
    expect(readEnvironment(pid)?.['PATH']).toBe(PATH.replace(':./bin', ''));
  });

  test('variables that decide what is executed never come from a project, trusted or not: the launch goes on and says so', async () => {
    const clone = await openClone();
    const env =
      'env: { PATH: ./bin, LD_PRELOAD: x.so, node_options: -r ./x, HOME: ., GREETING: hello }';
    const path = clone.profile('worker', `provider: ${scriptedProvider}\n${env}`);
    await clone.type(['trust', path], 'y');
    const ended = await clone.launch('worker', '--name', 'w');
    expect(`${ended.code} ${ended.stderr}`).toMatch(
      /^0 signalbox: PATH, LD_PRELOAD, node_options, HOME of \S+worker\.md left out: [^\n]+\n$/,
    );
    expect(ended.json<AgentView>().notes?.join()).toContain('left out');
    const read = async () => readEnvironment((await clone.station.pane('w')).pid) ?? {};
    const variables = await read();
    expect(variables).toMatchObject({ GREETING: 'hello', PATH: process.env['PATH'] });
    for (const name of ['LD_PRELOAD', 'node_options']) expect(variables).not.toHaveProperty(name);
    expect((await clone.station.run(['restart', 'w'])).stdout).toMatch(/PATH, .* left out/);
    expect(await read()).toMatchObject({ GREETING: 'hello', PATH: process.env['PATH'] });
  });

  test('revoked after the launch: a restart is refused, and what the agent had stays as it is', async () => {
    const clone = await openClone();
    const path = clone.profile('worker', `provider: ${scriptedProvider}\npermissionMode: ask`);
    await clone.type(['trust', path], 'y');
    expect((await clone.launch('worker', '--name', 'w')).code).toBe(0);
    const restart = () => clone.station.run(['restart', 'w']);
    expect((await restart()).code).toBe(0);
    await clone.station.ask('trust', '--revoke', path);
    const refused = await restart();
    expect(`${refused.code} ${refused.stderr}`).toMatch(
      /^5 .*you have taken that back.*`signalbox trust \S+worker\.md`/,
    );
    expect((await clone.station.agent('w')).epoch).toBe(2);
    // Another content is not the one that it was launched with.
    clone.profile('worker', `provider: ${scriptedProvider}\npermissionMode: read-only`);
    await clone.type(['trust', path], 'y');
    const other = await restart();
    expect(`${other.code} ${other.stderr}`).toMatch(/^5 .*another content in its place/);
    clone.profile('worker', `provider: ${scriptedProvider}\npermissionMode: ask`);
    await clone.type(['trust', path], 'y');
    expect((await restart()).code).toBe(0);
  });

  test('edited and trusted again: agents of the earlier content restart with it, launches do not', async () => {
    const clone = await openClone();
    const write = (mode: string) =>
      clone.profile('worker', `provider: ${scriptedProvider}\npermissionMode: ${mode}`);
    const path = write('ask');
    await clone.type(['trust', path], 'y');
    expect((await clone.launch('worker', '--name', 'w')).code).toBe(0);
    write('read-only');
    await clone.type(['trust', path], 'y');
    expect((await clone.station.run(['restart', 'w'])).code).toBe(0);
    write('ask');
    expectFault(await clone.launch('worker'), 5, 'not-trusted', /changed since/);
    await clone.station.ask('trust', '--revoke', path);
    expect((await clone.station.run(['restart', 'w'])).code).toBe(5);
  });

  test('added after the folder was trusted: trusting a folder is no licence for what comes later', async () => {
    const clone = await openClone();
    clone.profile('one');
    const { screen } = await clone.type(['trust', '.'], 'y');
    expect(screen).toMatch(/one\.md {2}trusted, as it is now/);
    clone.profile('two');
    expect((await clone.launch('one')).code).toBe(0);
    expectFault(await clone.launch('two'), 5, 'not-trusted', /has not looked at it yet/);
  });

  test('swapped between check and use: what was judged is what is used', async () => {
    const clone = await openClone();
    const fields = (value: string) => `provider: ${scriptedProvider}\nenv: { A: ${value} }`;
    const path = clone.profile('worker', fields('trusted'));
    await clone.type(['trust', path], 'y');
    const held = join(clone.station.home, 'held');
    mkdirSync(held);
    await clone.station.run(['down']);
    const points = { SIGNALBOX_FAILPOINTS: 'launch.trusted=hold', SIGNALBOX_FAILPOINT_DIR: held };
    expect((await clone.station.run(['up'], { env: points })).code).toBe(0);
    const launching = clone.launch('worker', '--name', 'w');
    const mark = join(held, `launch.trusted.${clone.station.daemon().pid}`);
    await waitUntil('the launch, judged and not begun', async () => existsSync(mark) || undefined);
    clone.profile('worker', `${fields('swapped')}\npermissionMode: all`);
    const { rmSync } = await import('node:fs');
    rmSync(mark);
    expect((await launching).code).toBe(0);
    expect(readEnvironment((await clone.station.pane('w')).pid)).toMatchObject({ A: 'trusted' });
  });

  test('swapped while a person reads: what was shown is what is trusted', async () => {
    const clone = await openClone();
    const path = clone.profile('worker');
    await clone.person.type(['trust', path], ['y'], {
      meanwhile: () =>
        clone.profile('worker', `provider: ${scriptedProvider}\npermissionMode: all`),
    });
    expectFault(await clone.launch('worker'), 5, 'not-trusted', /has changed/);
  });

  test('a symlink: the real content is judged, and that it lies outside is shown', async () => {
    const clone = await openClone();
    const real = join(clone.station.home, 'real.md');
    const other = join(clone.station.home, 'other.md');
    writeFileSync(real, `---\nname: linked\nprovider: ${scriptedProvider}\n---\nx\n`);
    writeFileSync(other, `---\nname: linked\nprovider: ${scriptedProvider}\n---\ny\n`);
    clone.profile('own');
    const link = join(clone.repository.path, '.signalbox/profiles/linked.md');
    symlinkSync(real, link);
    expectFault(await clone.launch('linked'), 5, 'not-trusted', /a way to .*real\.md/);
    const { screen } = await clone.type(['trust', link], 'y');
    expect(screen).toMatch(/really +\S+real\.md, outside this project/);
    expect((await clone.launch('linked')).code).toBe(0);
    const { rmSync } = await import('node:fs');
    rmSync(link);
    symlinkSync(other, link);
    expectFault(await clone.launch('linked'), 5, 'not-trusted', /other\.md/);
    rmSync(link);
    symlinkSync(real, link);
    writeFileSync(real, `---\nname: linked\nprovider: ${scriptedProvider}\n---\nchanged\n`);
    expectFault(await clone.launch('linked'), 5, 'not-trusted', /has changed/);
  });

  test('.claude/agents: a sub-agent of the repository is launched by nobody before it is trusted', async () => {
    const clone = await openClone();
    clone.program('bin/claude');
    clone.repository.write('.claude/agents/helper.md', '---\nname: helper\n---\nHelp.\n');
    expectFault(await clone.launch('helper'), 5, 'not-trusted', /\.claude\/agents\/helper\.md/);
    // The same bytes as another kind of file were not what was trusted.
    const { screen } = await clone.type(['trust', '.claude/agents/helper.md'], 'y');
    expect(screen).toMatch(/a sub-agent of Claude Code, as a profile/);
    clone.repository.write('.signalbox/profiles/helper.md', '---\nname: helper\n---\nHelp.\n');
    expectFault(
      await clone.launch('helper'),
      5,
      'not-trusted',
      /\.signalbox\/profiles\/helper\.md/,
    );
    expect(existsSync(clone.marker)).toBe(false);
  });

  test('.worktreeinclude: not read before it is trusted, and nothing outside is ever copied', async () => {
    const clone = await openClone();
    writeFileSync(join(clone.station.home, 'secret'), 'outside');
    clone.repository.write('.gitignore', '*\n');
    clone.repository.write('.worktreeinclude', '../secret\n/etc/passwd\n.env\nway-out\n');
    clone.repository.write('.env', 'KEY=1');
    symlinkSync('../secret', join(clone.repository.path, 'way-out'));
    clone.repository.git('add', '--force', '.gitignore', '.worktreeinclude');
    clone.repository.git('commit', '--quiet', '--message', 'first');
    const launch = () => clone.launch(scriptedProvider, '--name', 'w', '--worktree', 'Go');
    expectFault(await launch(), 5, 'not-trusted', /\.worktreeinclude/);
    expect(await clone.agents()).toEqual(['user']);
    expect((await clone.station.list('user')).messages).toEqual([]);
    const { screen } = await clone.type(['trust'], 'y');
    expect(screen).toMatch(/copies +\.\.\/secret\n\s+\/etc\/passwd\n/);
    const ended = await launch();
    expect(`${ended.code} ${ended.stderr}`).toBe('0 ');
    const { worktree } = ended.json<AgentView>();
    expect(readFileSync(join(worktree?.path ?? '', '.env'), 'utf8')).toBe('KEY=1');
    for (const name of ['secret', '../secret', 'passwd', 'etc/passwd', 'way-out']) {
      expect(existsSync(join(worktree?.path ?? '', name)), name).toBe(false);
    }
    // Its checkout in a worktree of ours is the same file: an agent there launches a worktree of
    // its own.
    const child = ['launch', scriptedProvider, '--name', 'child', '--worktree', '--json'];
    const below = await clone.station.runAs('w', [...child, '--cwd', worktree?.path ?? '']);
    expect(`${below.code} ${below.stderr}`).toBe('0 ');
  });

  test('set-up commands: no file of a repository is read for commands, settings or providers of ours', async () => {
    const clone = await openClone();
    clone.program('bin/evil');
    const evil = join(clone.repository.path, 'bin/evil');
    const config = `terminal: herdr\nproviders: { ${scriptedProvider}: { command: [${evil}] } }\nsetup: ${evil}\n`;
    for (const file of [
      ...['.signalbox/config.yaml', '.signalbox.yaml', 'config.yaml', '.signalbox/setup'],
      ...['.signalbox/worktree.yaml', '.signalbox/setup.sh', '.worktree-setup', '.env', '.envrc'],
    ]) {
      clone.repository.write(file, config);
    }
    clone.repository.commit('first');
    const ended = await clone.launch(scriptedProvider, '--name', 'w', '--worktree');
    expect(`${ended.code} ${ended.stderr}`).toBe('0 ');
    await clone.station.untilStatus('w', 'idle');
    expect(existsSync(clone.marker)).toBe(false);
  });
});
