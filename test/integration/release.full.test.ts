import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempHome } from '../support/home.ts';
import { openRepository } from '../support/repository.ts';

const script = resolve('scripts/check-release.mjs');
const integrity = 'sha512-AAAA';

describe('the lockfile', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Record<string, unknown>>;
  };
  const entries = Object.entries(packages).filter(([path]) => path);

  test('has a hash for each package, save binaries of tools for platforms that not every registry has', () => {
    expect(entries.length).toBeGreaterThan(200);
    const bare = entries.filter(([, entry]) => entry['integrity'] === undefined);
    const isToolOfAnotherPlatform = (entry: Record<string, unknown>) =>
      entry['dev'] === true && entry['optional'] === true && entry['cpu'] !== undefined;
    expect(bare.filter(([, entry]) => !isToolOfAnotherPlatform(entry))).toEqual([]);
  });

  test('names no address, so that each package comes from the registry that npm is set up for', () => {
    expect(entries.filter(([, entry]) => entry['resolved'] ?? entry['link'])).toEqual([]);
  });

  test('brings install scripts of the two packages alone that package.json judges', () => {
    const scripted = entries.filter(([, entry]) => entry['hasInstallScript']);
    expect(scripted.map(([path]) => path)).toEqual([
      'node_modules/better-sqlite3',
      'node_modules/esbuild',
    ]);
  });
});

describe('what `npm pack` contains', () => {
  const [{ files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'], {
      encoding: 'utf8',
    }),
  ) as [{ files: { path: string; mode: number }[] }];
  const paths = files.map(({ path }) => path);

  test('is our programs, their data, the documents and the skill', () => {
    const programs = paths.filter((path) => path.endsWith('.cjs'));
    expect(programs.sort()).toEqual(
      [
        ...['daemon', 'demo-agent', 'demo-janitor', 'hook', 'mcp', 'mcp-sdk'],
        ...['scripted-agent', 'signalbox', 'tmux-reader', 'xterm-headless'],
        ...['claude-code', 'codex', 'copilot', 'gemini', 'generic', 'kimi', 'opencode', 'qwen'].map(
          (name) => `providers/${name}`,
        ),
      ]
        .map((name) => `dist/${name}.cjs`)
        .sort(),
    );
    const folders = new Set(paths.map((path) => path.split('/').slice(0, -1).join('/')));
    expect([...folders].sort()).toEqual([
      '',
      'dist',
      'dist/dashboard',
      'dist/dashboard/assets',
      'dist/detectors',
      'dist/migrations',
      'dist/profiles',
      'dist/providers',
      'docs',
      'docs/clis',
      'docs/decisions',
      'docs/results',
      'skills/signalbox',
    ]);
  });

  test('has one executable file, and no script that npm runs where it is installed', () => {
    expect(files.filter(({ mode }) => mode & 0o111).map(({ path }) => path)).toEqual([
      'dist/signalbox.cjs',
    ]);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const run = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts);
    expect(run).toEqual([]);
  });
});

describe('the release check', () => {
  test('lets a package through that is whole', () => {
    const { status, stdout } = check({});
    expect(stdout).not.toContain('refused');
    expect(status).toBe(0);
  });

  test.each([
    ['a package without its hash', { lock: { version: '1.0.0' } }, 'left-pad 1.0.0'],
    [
      'a package from another source',
      { lock: { version: '1.0.0', integrity, resolved: 'https://example.com/left-pad.tgz' } },
      'node_modules/left-pad (https://example.com/left-pad.tgz)',
    ],
    [
      'a package with an install script that nobody has judged',
      { lock: { version: '1.0.0', integrity, hasInstallScript: true } },
      'left-pad',
    ],
    ['an install script of ours', { scripts: { postinstall: 'node x.js' } }, 'postinstall'],
    ['a file that slipped in', { files: { 'dist/.env': 'KEY=1' } }, 'dist/.env'],
    ['a program that was not built', { bin: 'dist/other.cjs' }, 'dist/other.cjs'],
    ['a second executable file', { executable: 'dist/daemon.cjs' }, 'dist/daemon.cjs'],
    ['a version without a heading', { version: '1.0.1' }, '## 1.0.1'],
    ['what is not committed', { uncommitted: 'new.md' }, '?? new.md'],
  ])('refuses %s and names it', (_what, changes, named) => {
    const { status, stdout } = check(changes);
    expect(stdout).toContain(`           ${named}`);
    expect(stdout.match(/^refused/gm)).toHaveLength(1);
    expect(status).toBe(1);
  });

  test('refuses a packed file that names the folder it was built in', () => {
    const folder = tempHome();
    const files = { 'dist/daemon.cjs': `// ${folder}/src/main.ts` };
    const { status, stdout } = check({ files }, folder);
    expect(stdout).toContain('refused  no packed file names a folder of this machine');
    expect(status).toBe(1);
  });

  /** Runs the real check on a small package of its own, whole but for the changes. */
  function check(changes: Changes, folder = tempHome()): { status: number | null; stdout: string } {
    const { write, commit } = openRepository(folder);
    const manifest = {
      name: 'whole',
      version: changes.version ?? '1.0.0',
      bin: { whole: changes.bin ?? 'dist/signalbox.cjs' },
      files: ['dist', 'docs'],
      scripts: changes.scripts ?? {},
    };
    const packages = {
      '': {},
      'node_modules/left-pad': changes.lock ?? { version: '1.0.0', integrity },
    };
    write('package.json', JSON.stringify(manifest));
    write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
    write('CHANGELOG.md', '# Changelog\n\n## 1.0.0\n');
    write('README.md', '# whole\n');
    write('dist/signalbox.cjs', '');
    write('dist/daemon.cjs', '');
    for (const [path, text] of Object.entries(changes.files ?? {})) write(path, text);
    chmodSync(join(folder, 'dist/signalbox.cjs'), 0o755);
    if (changes.executable) chmodSync(join(folder, changes.executable), 0o755);
    commit('all');
    if (changes.uncommitted) write(changes.uncommitted, '');
    return spawnSync('node', [script], { cwd: folder, encoding: 'utf8' });
  }
});

interface Changes {
  readonly lock?: object;
  readonly scripts?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly bin?: string;
  readonly version?: string;
  readonly executable?: string;
  readonly uncommitted?: string;
}
