import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../client/client.ts';
import { inspectTerminals } from '../client/doctor-terminals.ts';
import { openClient } from '../client/open.ts';
import { findFolders } from '../config/folders.ts';
import { Fault } from '../shared/fault.ts';
import { findProgram } from './programs.ts';
import { scriptedProvider, writeScriptedProvider } from './scripted-provider.ts';
import { sweep } from './sweep.ts';

export const session = 'demo';

/** A throw-away folder with everything in it: settings, ledger, daemon, tmux server, agents. */
export interface Stage {
  readonly home: string;
  /** As a person has it who looks into that folder. */
  readonly env: NodeJS.ProcessEnv;
  readonly client: Client;
  /** Where the agents work. */
  readonly cwd: string;
  /** Ends everything and removes the folder; or keeps both. */
  close(options: { keep: boolean }): Promise<void>;
}

export async function openStage(beatMs: number): Promise<Stage> {
  const home = makeHome();
  const janitor = startJanitor(home);
  const env = writeSettings(home, beatMs);
  let client: Client | undefined;
  const close: Stage['close'] = async ({ keep }) => {
    // Whatever is left is ended next.
    await client?.close().catch(() => undefined);
    if (!keep) await endAll(home);
    await dismiss(janitor);
  };
  try {
    await requireTmux(env);
    client = await openClient(env, () => undefined);
    return { home, env, cwd: join(home, 'work'), client, close };
  } catch (error) {
    await close({ keep: false });
    throw error;
  }
}

/**
 * Profiles of the demo's own, beside its settings: the supervisor launches its workers from one of
 * them.
 */
const profiles = {
  supervisor: 'Gives out the parts of a task and puts the answers together.',
  worker: 'Does one part of a task and answers.',
};

function makeHome(): string {
  try {
    // Its real path: processes are found again by it.
    return realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-demo-')));
  } catch (error) {
    throw new Fault(
      'ledger-unwritable',
      `No folder for the demo could be made in ${tmpdir()}.`,
      'Set TMPDIR to a folder that is writable.',
      { cause: error },
    );
  }
}

function writeSettings(home: string, beatMs: number): NodeJS.ProcessEnv {
  const command = [...findProgram('agent'), String(beatMs)];
  writeFileSync(join(home, 'config.yaml'), writeScriptedProvider(command, { hasTools: true }));
  for (const folder of ['work', 'profiles']) mkdirSync(join(home, folder));
  for (const [name, description] of Object.entries(profiles)) {
    const matter = `name: ${name}\ndescription: ${description}\nprovider: ${scriptedProvider}`;
    writeFileSync(join(home, 'profiles', `${name}.md`), `---\n${matter}\n---\n`);
  }
  const kept = Object.entries(process.env).filter(([name]) => !/^(SIGNALBOX_|TMUX)/.test(name));
  // Nobody has to do anything for its agents.
  const quiet = { SIGNALBOX_DESKTOP_NOTIFICATIONS: 'off' };
  return { ...Object.fromEntries(kept), ...quiet, SIGNALBOX_HOME: home };
}

async function requireTmux(env: NodeJS.ProcessEnv): Promise<void> {
  const folders = findFolders(env);
  const { problems } = await inspectTerminals(folders, env);
  const [problem] = problems;
  if (!problem) return;
  throw new Fault(
    'backend-missing',
    `The demo runs its agents in tmux. ${problem.what}`,
    `${problem.next} Debian and Ubuntu: apt-get install tmux; Fedora: dnf install tmux; macOS: brew install tmux.`,
  );
}

function startJanitor(home: string): ChildProcess {
  const [program = '', ...args] = findProgram('janitor');
  const janitor = spawn(program, [...args, home], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  janitor.stdin?.on('error', () => undefined); // Somebody ended it; then there is none.
  janitor.on('error', () => undefined);
  janitor.unref();
  return janitor;
}

async function dismiss(janitor: ChildProcess): Promise<void> {
  if (janitor.pid === undefined || janitor.exitCode !== null || janitor.signalCode !== null) return;
  const gone = new Promise((done) => janitor.once('exit', done));
  janitor.ref();
  janitor.stdin?.end('all is well\n');
  await gone;
}

async function endAll(home: string): Promise<void> {
  const left = await sweep(home);
  if (left.length === 0) return;
  throw new Fault(
    'stop-failed',
    `Processes of the demo could not be ended: ${left.join(', ')}.`,
    'End them by hand.',
  );
}
