import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { scriptedProvider, writeScriptedProvider } from '../../src/demo/scripted-provider.ts';
import { sweep } from '../../src/demo/sweep.ts';
import { scriptedAgent } from '../fakes/scripted-agent.ts';
import { program } from '../support/cli.ts';

/** Where the pages are followed: a person's home and project, with signalbox on the PATH. */
export interface PageWorld {
  readonly folder: string;
  /** A git repository with a commit, in which the person stands. */
  readonly cwd: string;
  /** The whole environment of the person's shell. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** The keys with which a person lets a CLI trust the folder, when it asks for the first time. */
  trust(provider: string): readonly string[];
  close(): Promise<void>;
}

/**
 * No account and no vendor's CLI is needed: whatever a page launches is the scripted agent, a real
 * program in a real terminal with the dialogs of a coding CLI. It asks whether to trust the folder
 * until somebody has said so once. Of what it reads there is no proof, so `--wait seen` becomes
 * `--wait injected`; `npm run lab:pages` changes no word and runs the CLIs themselves.
 */
export function openScriptedWorld(): PageWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-pages-')));
  const [home, bin] = [join(folder, 'state'), join(folder, 'bin')];
  for (const made of [home, bin]) mkdirSync(made, { mode: 0o700 });
  const trusted = join(folder, 'trusted');
  const agent = scriptedAgent().map(quote).join(' ');
  const start = `[ -e ${quote(trusted)} ] && exec ${agent}; exec ${agent} --start '@@ask trust'`;
  const settings = { 'default-provider': scriptedProvider };
  const command = ['sh', '-c', start, 'sh'];
  writeFileSync(join(home, 'config.yaml'), writeScriptedProvider(command, { settings }));
  writeProgram(join(bin, 'signalbox'), standIn);
  return {
    folder,
    home,
    cwd: makeProject(folder),
    env: {
      PATH: [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      HOME: folder,
      SIGNALBOX_HOME: home,
      LANG: 'C.UTF-8',
      ...pass('SIGNALBOX_TEST_RUN'),
    },
    trust: () => {
      writeFileSync(trusted, '');
      return ['Enter'];
    },
    close: async () => {
      const left = await sweep(home);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      if (left.length > 0) throw new Error(`still there: ${left.join(', ')}`);
    },
  };
}

/** A CLI's name becomes the scripted agent's, where something is launched. */
const standIn = `
verb=$1
n=$#
while [ $n -gt 0 ]; do
  word=$1; shift; n=$((n - 1))
  case "$verb $word" in
    launch\\ claude|launch\\ codex|launch\\ gemini|launch\\ opencode|launch\\ copilot|launch\\ qwen|launch\\ kimi) word=${scriptedProvider} ;;
    assign\\ codex|assign\\ claude|handoff\\ codex|handoff\\ claude) word=${scriptedProvider} ;;
    send\\ seen) word=injected ;;
  esac
  set -- "$@" "$word"
done
exec ${quote(process.execPath)} ${quote(program)} "$@"
`;

export function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}`);
  chmodSync(path, 0o755);
}

/** What the pages speak of: a shop with a cart, a build, and a profile that somebody wrote. */
export function makeProject(folder: string): string {
  const cwd = join(folder, 'shop');
  mkdirSync(join(cwd, 'src'), { recursive: true });
  writeFileSync(join(cwd, 'src', 'cart.ts'), 'export const cart = [];\n');
  writeFileSync(join(cwd, 'Makefile'), 'all test:\n\t@echo built\n');
  writeFileSync(join(cwd, 'tester.md'), '---\nname: tester\ndescription: Tests.\n---\nTest it.\n');
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', [
      '-C',
      cwd,
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.com',
      ...args,
    ]);
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  return cwd;
}

export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** How the test run finds what it left behind. */
function pass(name: string): Readonly<Record<string, string>> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}
