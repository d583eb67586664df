import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProfileView } from '../../src/protocol/profiles.ts';
import type { Ended } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { boxAt } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

/** A project and a user's folder; commands run in the project. */
function openWorld() {
  const box = boxAt(join(tempHome(), 'home'));
  const project = tempHome();
  mkdirSync(join(project, '.git'));
  const inProject = ['sh', '-c', 'cd "$0" && exec "$@"', project];
  const run = (...args: string[]): Promise<Ended> =>
    box.run(['profile', ...args], { wrapper: inProject });
  const ask = async <T>(...args: string[]): Promise<T> => {
    const ended = await run(...args, '--json');
    expect(`${ended.code} ${ended.stderr}`).toBe('0 ');
    return ended.json<T>();
  };
  const write = (path: string, text: string): string => {
    const full = join(project, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  };
  return { box, project, run, ask, write };
}

interface List {
  readonly profiles: readonly ProfileView[];
}

const tester = '---\nname: tester\ndescription: Tests.\nprovider: codex\n---\nTest it.\n';

test('list shows what is found from here, the broken with their trouble; it makes no ledger and starts no daemon', async () => {
  const { box, ask, run, write } = openWorld();
  write('.signalbox/profiles/tester.md', tester);
  write('.signalbox/profiles/broken.md', '---js\nprocess.exit(9)\n---\n');
  write('.claude/agents/developer.md', '---\nname: developer\ndescription: "\\e[31mx"\n---\nx');
  const { profiles } = await ask<List>('list');
  const told = profiles.map(({ name, origin, launchAs, trusted }) => [
    name,
    origin,
    launchAs,
    trusted,
  ]);
  expect(told).toEqual([
    ['broken', 'project', undefined, undefined],
    ['tester', 'project', undefined, false],
    ['developer', 'claude-agents', 'project:developer', false],
    ['developer', 'built-in', 'built-in:developer', undefined],
    ['reviewer', 'built-in', undefined, undefined],
    ['supervisor', 'built-in', undefined, undefined],
  ]);
  expect(profiles[0]?.trouble).toMatch(/only plain YAML is read/);
  const { stdout, code } = await run('list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^NAME +FROM +PROVIDER +WHAT\nbroken +project +- +broken: /);
  expect(stdout).toMatch(/\ntester +project +codex +\(not trusted\) Tests\./);
  expect(stdout).toMatch(
    /\ndeveloper +claude-agents +claude-code +\(as project:developer, not trusted\)/,
  );
  expect(stdout).toMatch(/\ndeveloper +built-in +claude-code +\(as built-in:developer\)/);
  expect(stdout).not.toContain('\u001b');
  expect(existsSync(box.home)).toBe(false);
});

test('show prints one in full; values of variables are not shown', async () => {
  const { ask, run, write } = openWorld();
  const fields =
    'env: { TOKEN: hush }\nmcpServers: { s: { command: x, env: { K: hush } } }\nodd: 1';
  write('.signalbox/profiles/a.md', `---\nname: a\n${fields}\n---\nDo it.\n`);
  expect(await ask<ProfileView>('show', 'a')).toMatchObject({
    ...{ name: 'a', origin: 'project', env: ['TOKEN'], mcpServers: ['s'] },
    ...{ unknown: { odd: 1 }, instructions: 'Do it.' },
  });
  const { stdout } = await run('show', 'a');
  expect(stdout).toMatch(/variables +TOKEN\n/);
  expect(stdout).toMatch(/\n\nDo it\.\n$/);
  expect(stdout).not.toContain('hush');
  expectFault(await run('show', 'b', '--json'), 3, 'profile-not-found', /There are: a, developer/);
});

test('validate says what would be refused at a launch, and ends with 1 for what is broken', {
  tags: ['full'],
}, async () => {
  const { ask, run, write } = openWorld();
  const good = write('good.md', tester);
  const bad = write('bad.md', '---\nname: a b\n---\n');
  write('.signalbox/profiles/kiro.md', '---\nprovider: kiro_cli\n---\nx');
  write('.signalbox/profiles/env.md', '---\nenv: { OPENAI_API_KEY: x }\n---\nx');
  write('.signalbox/profiles/mode.md', '---\npermissionMode: turbo\n---\nx');
  const [usable] = (await ask<List>('validate', good)).profiles;
  expect([usable?.name, usable?.trouble]).toEqual(['tester', undefined]);
  const ended = await run('validate', bad, 'kiro', 'env', 'mode', '--json');
  expect(ended.code).toBe(1);
  const [first, kiro, env, mode] = ended.json<List>().profiles;
  expect(first?.trouble).toMatch(/name: "a b" cannot stand here/);
  expect(kiro?.trouble).toMatch(/no provider "kiro-cli"/);
  expect(env?.remarks?.join()).toMatch(/OPENAI_API_KEY left out: a project never decides/);
  expect([mode?.trouble, mode?.remarks?.join()]).toEqual([
    undefined,
    expect.stringMatching(/counts as `all`/),
  ]);
  const all = await run('validate');
  expect(all.code).toBe(1);
  expect(all.stdout).toMatch(/kiro {2}broken/);
  expect(all.stdout).toMatch(/reviewer {2}usable/);
  expectFault(await run('validate', 'nobody', '--json'), 3, 'profile-not-found');
  const gone = await run('validate', './gone.md', '--json');
  expect(gone.json<List>().profiles[0]?.trouble).toMatch(/ENOENT/);
});

test('add copies a file into the user’s folder, for its owner alone, and overwrites only when told to', async () => {
  const { box, run, ask, write } = openWorld();
  const file = write('my tester.md', tester);
  const added = await ask<ProfileView>('add', file);
  const path = join(box.home, 'profiles', 'tester.md');
  expect(added).toMatchObject({ name: 'tester', origin: 'user', path });
  expect(readFileSync(path, 'utf8')).toBe(tester);
  const modes = [statSync(dirname(path)).mode & 0o777, statSync(path).mode & 0o777];
  expect(modes).toEqual([0o700, 0o600]);
  write('my tester.md', tester.replace('Test it', 'Test all of it'));
  expectFault(await run('add', file, '--json'), 5, 'name-taken', /Nothing was changed.*--replace/);
  expect(readFileSync(path, 'utf8')).toBe(tester);
  expect((await run('add', file, '--replace')).stdout).toBe(`tester added: ${path}\n`);
  expect(readFileSync(path, 'utf8')).toContain('Test all of it');
});

test('of two that are added at once under one name one is told that it came second', async () => {
  const { run, write, box } = openWorld();
  const files = [1, 2].map((n) => write(`${n}.md`, tester.replace('Test it', `Test ${n}`)));
  const ended = await Promise.all(files.map((file) => run('add', file)));
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 5]);
  const won = ended.findIndex(({ code }) => code === 0) + 1;
  expect(readFileSync(join(box.home, 'profiles', 'tester.md'), 'utf8')).toContain(`Test ${won}`);
});

test('a file that is no profile is not added', { tags: ['full'] }, async () => {
  const { run, write, box } = openWorld();
  for (const text of ['x', '---\nname: ../evil\n---\n', `---\n---\n${'x'.repeat(70_000)}`]) {
    const file = write('a.md', text);
    expectFault(await run('add', file, '--json'), 1, 'config-invalid');
  }
  expectFault(await run('add', './gone.md', '--json'), 1, 'config-invalid', /There is no file/);
  expect(existsSync(join(box.home, 'profiles'))).toBe(false);
});

test('add and rm of the project’s, and rm of nobody else’s', { tags: ['full'] }, async () => {
  const { box, project, run, ask, write } = openWorld();
  const file = write('tester.md', tester);
  const path = join(project, '.signalbox', 'profiles', 'tester.md');
  expect(await ask('add', file, '--project')).toMatchObject({ origin: 'project', path });
  expectFault(await run('rm', 'tester', '--json'), 3, 'profile-not-found', /Say --project/);
  await ask('add', file);
  expect(await ask('rm', 'tester')).toEqual({
    name: 'tester',
    path: join(box.home, 'profiles', 'tester.md'),
  });
  expect(existsSync(path)).toBe(true);
  expect((await run('rm', 'tester', '--project')).stdout).toBe(`tester removed: ${path}\n`);
  expect(existsSync(path)).toBe(false);
  const claude = write('.claude/agents/helper.md', '---\nname: helper\n---\nx');
  expectFault(await run('rm', 'helper', '--json'), 5, 'not-allowed', /belongs to Claude Code/);
  expect(existsSync(claude)).toBe(true);
  expectFault(await run('rm', 'reviewer', '--json'), 5, 'not-allowed', /comes with signalbox/);
  expectFault(await run('rm', 'nobody', '--json'), 3, 'profile-not-found');
  // One that cannot be read any more can still go.
  write('.signalbox/profiles/broken.md', 'x');
  await ask('rm', 'broken', '--project');
});

test('every command of the group has help with an example', { tags: ['full'] }, async () => {
  const { run } = openWorld();
  for (const command of ['list', 'show', 'validate', 'add', 'rm']) {
    const { code, stdout } = await run(command, '--help');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/Examples?:\n {2}\$ signalbox profile/),
    ]);
  }
});
