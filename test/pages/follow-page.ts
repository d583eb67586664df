import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { HealthView } from '../../src/protocol/daemon.ts';
import { keyPauseMs } from '../lab/life/hands.ts';
import { waitUntil } from '../support/wait-until.ts';
import { listBlocks } from './read-page.ts';
import type { PageShell } from './shell.ts';
import type { PageWorld } from './world.ts';

const run = promisify(execFile);

/**
 * Types every line of a page's blocks that are to be run, in their order, into the person's shell.
 * Gives what went wrong: a line that did not end with 0, and its screen.
 */
export async function followPage(file: string, around: Around): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { at, how, commands } of listBlocks(file, readFileSync(file, 'utf8'))) {
    if (how !== 'run') continue;
    for (const line of commands) {
      const problem = await typeLine(line, around);
      if (problem !== undefined) wrong.push(`${at}: ${problem}`);
    }
  }
  return wrong;
}

export interface Around {
  readonly world: PageWorld;
  readonly shell: PageShell;
}

/** Types one line, and comes back from it as a person does; gives what went wrong. */
async function typeLine(line: string, around: Around): Promise<string | undefined> {
  const leave = leaving.find(([form]) => form.test(line))?.[1];
  const meanwhile = leave && (() => leave(line, around));
  const { code, screen } = await around.shell.type(line, meanwhile);
  // A shell says 130 of a program that Ctrl-C ended.
  if (code === 0 || (code === 130 && leave)) return undefined;
  return `${line}: ended with ${code}\n${screen.trim()}`;
}

/** What a person does to come back from a command that does not end by itself. */
const leaving: readonly (readonly [RegExp, (line: string, around: Around) => Promise<void>])[] = [
  [/^signalbox attach (?!.*--json)|--attach\b/, answerAndDetach],
  [/ --(?:watch|follow|foreground)\b|^curl .* -N /, interrupt],
  [/^signalbox (?:uninstall|trust \S+)$/, sayYes],
  [/\bsignalbox mcp\b/, endInput],
];

/** Goes there, says yes to what the CLI asks at its first start, and leaves it running. */
async function answerAndDetach(line: string, { world, shell }: Around): Promise<void> {
  const [, name = ''] = /^signalbox attach (\S+)/.exec(line) ?? [];
  await waitUntil(`somebody at ${name}`, async () => (await countPeople(world)) > 0);
  const agent = name === '' ? undefined : await awaitStart(world, name);
  if (agent?.status === 'waiting') {
    for (const key of world.trust(agent.provider)) {
      await shell.press(key);
      await delay(keyPauseMs);
    }
    const isWaiting = async () => (await readAgent(world, name)).status === 'waiting';
    await waitUntil(`${name} to be answered`, async () => !(await isWaiting()));
  }
  await shell.press('C-]');
}

/** Once it has printed something, or the daemon has a reader who waits for news. */
async function interrupt(line: string, { world, shell }: Around): Promise<void> {
  const isAtWork = async (): Promise<boolean> => {
    const [, ...rest] = (await shell.screen()).trim().split('\n');
    return rest.length > 0 || (await countReaders(world)) > 0;
  };
  await waitUntil(`${line} to be at work`, isAtWork);
  await shell.press('C-c');
}

async function sayYes(line: string, { shell }: Around): Promise<void> {
  await waitUntil(`the question of ${line}`, async () => /\[y\/N\]/.test(await shell.screen()));
  await shell.press('y', 'Enter');
}

async function endInput(line: string, { shell }: Around): Promise<void> {
  await waitUntil(`${line} to be at work`, async () => (await shell.program()) !== 'bash');
  await shell.press('C-d');
}

/** Those who look at an agent's terminal; the daemon's own client is none. */
async function countPeople({ home }: PageWorld): Promise<number> {
  const asked = ['-S', join(home, 'tmux.sock'), 'list-clients', '-F', '#{client_control_mode}'];
  const { stdout } = await run('tmux', asked);
  return stdout.split('\n').filter((mode) => mode === '0').length;
}

async function countReaders({ env, cwd }: PageWorld): Promise<number> {
  // It ends with 1 while no daemon is up.
  const asked = run('signalbox', ['health', '--json'], { env, cwd });
  const stdout = await asked.then(
    (ended) => ended.stdout,
    () => undefined,
  );
  return stdout === undefined
    ? 0
    : ((JSON.parse(stdout) as HealthView).components.daemon.subscribers ?? 0);
}

/** A CLI may ask a while after `launch` has stopped waiting for it. */
function awaitStart(world: PageWorld, name: string): Promise<AgentView> {
  return waitUntil(`${name} to have started`, async () => {
    const agent = await readAgent(world, name);
    return ['starting', 'unknown'].includes(agent.status) ? undefined : agent;
  });
}

async function readAgent({ env, cwd }: PageWorld, name: string): Promise<AgentView> {
  const { stdout } = await run('signalbox', ['status', name, '--json'], { env, cwd });
  return JSON.parse(stdout) as AgentView;
}
