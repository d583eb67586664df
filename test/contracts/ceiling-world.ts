import { spawn } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import type { Role } from '../../src/agents/role.ts';
import { hashToken } from '../../src/agents/token.ts';
import { Bus } from '../../src/events/bus.ts';
import { add } from '../../src/fleet/add.ts';
import { beginRun } from '../../src/fleet/begin-run.ts';
import { limitAdded } from '../../src/fleet/ceiling.ts';
import type { Fleet } from '../../src/fleet/fleet.ts';
import { requireLaunchTarget } from '../../src/fleet/launch-target.ts';
import { openFleet } from '../../src/fleet/open.ts';
import { openProfileShelf } from '../../src/profiles/shelf.ts';
import { openProviderShelf } from '../../src/providers/registry.ts';
import { createApp } from '../../src/server/app.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createId } from '../../src/shared/ids.ts';
import { readStartTime, systemHost } from '../../src/shared/processes.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { openBackends } from '../../src/terminals/backends.ts';
import type { Terminal, WantedTerminal } from '../../src/terminals/terminal.ts';
import { openTrustBook } from '../../src/trust/book.ts';
import { readWorkingFile } from '../../src/trust/working-file.ts';
import { FakeBackend } from '../fakes/backend.ts';
import { FakeHookDesk } from '../fakes/hook-desk.ts';
import { idleDelivery } from '../fakes/idle-delivery.ts';
import { FakeMailDelivery } from '../fakes/mail-delivery.ts';
import { toolServer } from '../support/launch-request.ts';

/** Each with its program and the version it says. */
const clis = {
  'claude-code': ['claude', '2.1.325 (Claude Code)'],
  codex: ['codex', 'codex-cli 0.166.0'],
  gemini: ['gemini', '0.61.0'],
  opencode: ['opencode', '1.18.33'],
  copilot: ['copilot', '1.0.102'],
  qwen: ['qwen', '0.24.4'],
  kimi: ['kimi', '2.1.0'],
} as const;

export type Cli = keyof typeof clis;
export const cliNames = Object.keys(clis) as readonly Cli[];

/** All that a program would have been started with. */
export interface Start {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly helpers: readonly unknown[];
  readonly umask: number;
  /** What the run folder held, links by where they lead. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Notes what would be started, and starts nothing: the launch fails behind that, and leaves
 * nothing.
 */
class NotingBackend extends FakeBackend {
  readonly noted: Start[] = [];
  readonly #runs: string;

  constructor(runs: string) {
    super('noting');
    this.#runs = runs;
  }

  override async launch(wanted: WantedTerminal): Promise<Terminal> {
    const { argv, env, cwd, helpers = [], umask, agent, epoch } = wanted;
    const files = readFolder(join(this.#runs, `${agent}-${epoch}`));
    this.noted.push({ argv, env, cwd, helpers, umask, files });
    throw new Error('noted');
  }
}

function readFolder(folder: string, below = ''): Record<string, string> {
  return Object.fromEntries(
    readdirSync(join(folder, below)).flatMap((name): [string, string][] => {
      const path = join(below, name);
      const full = join(folder, path);
      const kind = lstatSync(full);
      if (kind.isSymbolicLink()) return [[path, `→ ${readlinkSync(full)}`]];
      if (kind.isDirectory()) return Object.entries(readFolder(folder, path));
      return [[path, readFileSync(full, 'utf8')]];
    }),
  );
}

/**
 * The HTTP API on a real fleet with the real adapters of all CLIs; only the terminal is missing.
 */
export async function openCeilingWorld() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-ceiling-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const own = join(folder, 'own');
  const other = join(folder, 'other');
  const home = join(folder, 'home');
  const bin = join(folder, 'bin');
  for (const made of [own, other, bin, join(folder, 'profiles')]) mkdirSync(made);
  // As after a first use, so that the homes of a run are made.
  for (const made of ['.gemini/tmp', '.kimi-code/sessions', '.kimi/sessions']) {
    mkdirSync(join(home, made), { recursive: true });
  }
  for (const kimi of ['.kimi-code', '.kimi']) {
    writeFileSync(join(home, kimi, 'session_index.jsonl'), '');
  }
  for (const [program, version] of Object.values(clis)) {
    writeFileSync(join(bin, program), `#!/bin/sh\necho '${version}'\n`);
    chmodSync(join(bin, program), 0o755);
  }
  const userEnv = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' };
  const runs = join(folder, 'run');
  const backend = new NotingBackend(runs);
  const ledger = new MemoryLedger();
  const folders = { config: folder, state: folder };
  const providers = openProviderShelf(folders);
  const profiles = openProfileShelf(folders);
  const trust = openTrustBook(folders);
  const nothing = () => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  const fleet: Fleet = openFleet({
    ledger,
    backends: openBackends({
      default: 'noting',
      names: ['noting'],
      open: { noting: () => backend },
    }),
    surroundings: { clock: systemClock, host: systemHost },
    ...{ providers, profiles, trust, log },
    limits: { depth: 3, breadth: 10, idleStopMs: 0 },
    folders: {
      run: runs,
      logs: join(folder, 'logs'),
      snapshots: join(folder, 'snapshots'),
      worktrees: join(folder, 'worktrees'),
      spool: join(folder, 'spool'),
    },
    announce: {
      ...{ launched: nothing, exited: nothing, rehomed: nothing, removed: nothing },
      ...{ output: nothing, status: nothing },
    },
    delivery: idleDelivery,
    agentEnv: { SIGNALBOX_SOCKET: join(folder, 'socket') },
    ownEnv: userEnv,
    tools: async () => toolServer,
    hookCommand: (event) => `post ${event}`,
  });
  const bus = new Bus({ clock: systemClock, boot: 'boot1', onError: nothing });
  const surroundings = { clock: systemClock, host: systemHost };
  const targets = { providers, profiles, trust, defaultProvider: async () => 'claude-code' };
  const app = createApp({
    dashboard: { open: () => Promise.reject(new Error('nobody asks for it')) },
    team: {
      ...{ ledger, surroundings, bus, fleet },
      findTarget: (name, cwd) => requireLaunchTarget(targets, { name, cwd }),
    },
    ...{ ledger, fleet, bus, log, ...surroundings },
    ledgerPath: '/ledger.db',
    hookDesk: new FakeHookDesk(),
    delivery: new FakeMailDelivery(),
    version: '9.9.9',
    userToken: 'usr_00000000000000000000000000',
    supervisorsAnswer: async () => new Map(),
    bodyLimit: 1024 * 1024,
    daemon: () => ({ state: 'running', pid: 1 }),
    providers: async () => ({}),
    routesOf: async () => undefined,
    versionWarningOf: async () => undefined,
    isWokenOf: async () => true,
    toolCallMsOf: async () => undefined,
    ownEnv: userEnv,
    shutdown: nothing,
    ending: new AbortController().signal,
  });
  await fleet.start();
  onTestFinished(() => fleet.close());

  /**
   * An agent that runs, with a process that has the environment it was launched with, and what its
   * CLI was given (`plans`).
   */
  const addAgent = async (
    name: string,
    role: Role,
    more: Partial<Agent> = {},
    plans: Readonly<Record<string, string>> = {},
  ): Promise<Agent> => {
    const now = systemClock.now();
    const id = createId('agt', now);
    const env = { ...userEnv, ...plans, SIGNALBOX_AGENT: id };
    const child = spawn('/bin/sleep', ['600'], { env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const pid = child.pid ?? 0;
    await new Promise((done) => child.once('spawn', done));
    const startedAt = readStartTime(pid) ?? '';
    const terminal = { agent: id, epoch: 1, server: 's', pane: `%${name}`, pid, startedAt };
    backend.sights.set(terminal.pane, { terminal, isAlive: true, isHomeless: false, title: '' });
    return ledger.write(async (tx) => {
      const agent = await tx.agents.insert({
        ...{ id, name, role, session: 'default', provider: 'claude-code', backend: 'noting' },
        ...{ epoch: 1, status: 'idle', source: 'process', since: now, notify: true },
        ...{ cwd: own, createdAt: now },
        ...more,
      });
      if (!agent) throw new Error('the name is taken');
      await tx.epochs.insert({
        ...{ agent: id, epoch: 1, backend: 'noting', provider: agent.provider, argv: [] },
        ...{ extraArgs: [], tokenHash: hashToken(`tok_${name}`), startedAt: now },
        terminal: JSON.stringify(terminal),
      });
      return agent;
    });
  };

  /** As `agents add` and `run-task` of an agent do, in their folder. */
  const addBelow = async (
    way: 'add' | 'run',
    adder: Pick<Agent, 'id'>,
    cwd: string,
    session = 'default',
  ): Promise<Agent> => {
    const role = await limitAdded({ ledger, providers }, adder, { session, cwd });
    const wanted = { session, cwd, parent: adder.id, ...(role ? { role } : {}) };
    return way === 'run'
      ? beginRun(ledger, surroundings, { ...wanted, title: 'command' })
      : add(ledger, systemClock, { ...wanted, name: createId('agt', 0), notify: true });
  };

  const post = async (path: string, body: unknown, headers: Record<string, string>) =>
    app.fetch(
      new Request(new URL(path, 'http://localhost'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    );

  return {
    ...{
      ledger,
      fleet,
      backend,
      addAgent,
      addBelow,
      surroundings,
      post,
      own,
      other,
      userEnv,
      home,
      runs,
    },
    /** One of the user's own. */
    writeProfile: (name: string, fields: string, body = 'Do it.') =>
      writeFileSync(
        join(folder, 'profiles', `${name}.md`),
        `---\nname: ${name}\n${fields}\n---\n${body}\n`,
      ),
    /** One of the project in the agents' own folder, which the user has trusted as it is. */
    writeTrusted: (name: string, fields: string) => {
      const path = join(own, '.signalbox', 'profiles', `${name}.md`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `---\nname: ${name}\nprovider: claude-code\n${fields}\n---\nDo it.\n`);
      trust.trust(readWorkingFile(path, 'profile', 4096), { trustedAt: 'now', by: 'a test' });
    },
    /** What was noted since the last time. */
    take: (): readonly Start[] => backend.noted.splice(0),
  };
}

export type CeilingWorld = Awaited<ReturnType<typeof openCeilingWorld>>;

/** Without what is of one life alone: ids, secrets, ports, folders, and its launcher's umask. */
export function normalise({ umask: _, ...start }: Start): Omit<Start, 'umask'> {
  const text = JSON.stringify(start)
    .replaceAll(/agt_[0-9a-z]+/g, 'AGENT')
    .replaceAll(/\b(tok|oc)_[0-9a-zA-Z_-]+/g, 'SECRET')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/(?<=--port",")\d+|(?<=\\"port\\":)\d+/g, 'PORT');
  return JSON.parse(text) as Omit<Start, 'umask'>;
}
