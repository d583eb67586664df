import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { node22Program } from '../lab/find-cli.ts';
import { waitForEnd } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { openRegistry } from './fixtures/package-registry.ts';

const compilers = /^(python|gmake$|make$|cc$|gcc|g\+\+|c\+\+|clang)/;

/** All programs of this machine but those that compile, as links in one folder. */
function pathWithoutCompilers(): string {
  const folder = tempHome();
  for (const place of (process.env['PATH'] ?? '').split(':')) {
    for (const name of existsSync(place) ? readdirSync(place) : []) {
      const link = join(folder, name);
      if (compilers.test(name) || lstatSync(link, { throwIfNoEntry: false })) continue;
      symlinkSync(join(place, name), link);
    }
  }
  return folder;
}

interface Installation {
  readonly prefix: string;
  /** What npm ran, with its whole output. */
  readonly code: number | null;
  readonly log: string;
  run(...args: readonly string[]): ReturnType<typeof waitForEnd>;
  runWith(node: string, ...args: readonly string[]): ReturnType<typeof waitForEnd>;
}

/** As docs/getting-started.md has it, from a tarball, into a prefix of its own. */
async function install(path: string, prefix = tempHome()): Promise<Installation> {
  const folder = tempHome();
  const packed = execFileSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
    { encoding: 'utf8' },
  ).trim();
  const headers = dirname(dirname(process.execPath));
  const env = {
    ...process.env,
    PATH: path,
    // `uninstall` looks at the default folders, too: they must not be those of whoever runs tests.
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    SIGNALBOX_HOME: join(folder, 'home'),
    // Nothing is downloaded: it is compiled, or there is none.
    npm_config_build_from_source: 'better-sqlite3',
    npm_config_registry: await openRegistry(),
    npm_config_cache: join(folder, 'cache'),
    npm_config_audit: 'false',
    JOBS: 'max',
    // Whether it compiles is what counts here; with -O3 that takes a minute more.
    CFLAGS: '-O0',
    CXXFLAGS: '-O0',
    npm_config_fund: 'false',
    npm_config_prefix: prefix,
    // `npm run --silent` hands its own level on.
    npm_config_loglevel: 'notice',
    ...(existsSync(join(headers, 'include/node/node.h')) ? { npm_config_nodedir: headers } : {}),
  };
  mkdirSync(env.SIGNALBOX_HOME, { mode: 0o700 });
  const words = ['install', '-g', '--prefix', prefix, join(folder, packed)];
  const ended = await waitForEnd(spawn('npm', words, { env, cwd: folder }));
  const built = 'node_modules/signalbox/dist/signalbox.cjs';
  const runHere = (program: string, args: readonly string[]) =>
    waitForEnd(spawn(program, args, { env, cwd: folder, detached: true }));
  return {
    prefix,
    code: ended.code,
    log: ended.stdout + ended.stderr,
    run: (...args) => runHere(join(prefix, 'bin', 'signalbox'), args),
    runWith: (node, ...args) => runHere(node, [join(prefix, 'lib', built), ...args]),
  };
}

/** The one that packs a clone. */
function readLine(page: string): string {
  const [, line = ''] = /^\$ (npm ci .+)$/m.exec(readFileSync(page, 'utf8')) ?? [];
  return line;
}

describe('npm install -g of the tarball', () => {
  // 80 s of one core's time, which others may use as well.
  const timeout = 1_500_000;

  test('with Python, make and g++ it compiles SQLite; the command is no link into the clone', {
    timeout,
  }, async () => {
    const done = await install(process.env['PATH'] ?? '');
    expect([done.code, done.log]).toEqual([0, expect.stringContaining('added')]);
    expect(readdirSync(join(done.prefix, 'bin'))).toEqual(['signalbox']);
    const package_ = join(done.prefix, 'lib', 'node_modules', 'signalbox');
    expect(lstatSync(package_).isSymbolicLink()).toBe(false);
    expect(readlinkSync(join(done.prefix, 'bin', 'signalbox'))).toBe(
      '../lib/node_modules/signalbox/dist/signalbox.cjs',
    );
    expect(await done.run('agents', 'add', 'worker')).toMatchObject({ code: 0, stderr: '' });
    expect(await done.run('send', 'worker', 'hello')).toMatchObject({ code: 0, stderr: '' });
    const drained = await done.run('inbox', 'drain', 'worker', '--json');
    expect(drained.json()).toMatchObject({ messages: [{ body: 'hello' }] });
    const left = await done.run('uninstall', '--yes', '--purge', '--json');
    expect(left.json()).toMatchObject({
      command: `npm uninstall -g --prefix ${done.prefix} signalbox`,
    });
  });

  test('the line of the README, in a clone of what is committed', { timeout }, async () => {
    const [line, ...others] = [...new Set(['README.md', 'docs/getting-started.md'].map(readLine))];
    expect(others).toEqual([]);
    const [clone, home, prefix] = [join(tempHome(), 'clone'), tempHome(), tempHome()];
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', '.', clone]);
    // Without compilers SQLite is left out: the test above compiles it.
    const own = { PATH: pathWithoutCompilers(), SIGNALBOX_HOME: join(home, 'state') };
    // What the lockfile names is in the cache of whoever has installed this clone.
    const npm = { npm_config_prefix: prefix, npm_config_prefer_offline: 'true' };
    const env = { ...process.env, ...own, ...npm, npm_config_loglevel: 'notice' };
    const ended = await waitForEnd(spawn('sh', ['-c', line ?? ''], { env, cwd: clone }));
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('npm error')]);
    // The clone may go.
    rmSync(clone, { recursive: true });
    const said = spawn(join(prefix, 'bin', 'signalbox'), ['--version'], { env, cwd: home });
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await waitForEnd(said)).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test('without them it succeeds, and the first command says in three lines what is missing', async () => {
    const path = pathWithoutCompilers();
    const done = await install(path);
    expect(done.code).toBe(0);
    expect(await done.run('--version')).toMatchObject({ code: 0 });
    expect(await done.run('--help')).toMatchObject({ code: 0 });
    for (const args of [['ls'], ['send', 'worker', 'hello'], ['status', 'self']]) {
      const ended = await done.run(...args);
      expect([args, ended.code, ended.stdout]).toEqual([args, 1, '']);
      const lines = ended.stderr.trimEnd().split('\n');
      expect(lines).toEqual([
        expect.stringMatching(/^signalbox: .* the package better-sqlite3 is missing/),
        expect.stringMatching(
          /^ {2}To compile it, npm needs Python 3, make and a C\+\+ compiler: /,
        ),
        expect.stringMatching(/^ {2}Then install signalbox again/),
      ]);
    }
    const doctor = await done.run('doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(
      /^problem +signalbox has no database here: .*\. To compile it, /m,
    );
    const json = (await done.run('ls', '--json')).json<{ error: { code: string } }>();
    expect(json.error.code).toBe('sqlite-missing');
    if (!existsSync(node22Program())) return;
    // The same installation, with a Node that brings a SQLite which can be trusted with a ledger.
    const newer = (...args: readonly string[]) => done.runWith(node22Program(), ...args);
    expect(await newer('agents', 'add', 'worker')).toMatchObject({ code: 0, stderr: '' });
    expect(await newer('send', 'worker', 'hello')).toMatchObject({ code: 0, stderr: '' });
    const drained = await newer('inbox', 'drain', 'worker', '--json');
    expect(drained.json()).toMatchObject({ messages: [{ body: 'hello' }] });
    expect(await newer('up')).toMatchObject({ code: 0, stderr: '' });
    expect(await newer('uninstall', '--yes', '--purge')).toMatchObject({ code: 0, stderr: '' });
  });
});
