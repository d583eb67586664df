import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../../src/agents/role.ts';
import { writeRunFolder } from '../../../src/fleet/write-run-folder.ts';
import type { LaunchPlan, ToolServer } from '../../../src/providers/launch-plan.ts';
import type { AgentContext, Provider, StateWatch } from '../../../src/providers/provider.ts';
import type {
  AttemptTrace,
  Evidence,
  Finding,
  NativeRoute,
  TurnNews,
} from '../../../src/providers/way-in.ts';
import { findFreePort } from '../../../src/shared/free-port.ts';
import { createMark } from '../../../src/shared/ids.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { LabTerminal } from '../driver.ts';
import type { LabHome } from '../homes/home.ts';
import { signalProcess } from '../processes.ts';
import { waitUntilReady } from '../ready.ts';
import type { Screen } from '../screen.ts';
import { LabHookDesk } from './hook-desk.ts';

interface LifeWish {
  readonly provider: Provider;
  readonly home: LabHome;
  readonly epoch: number;
  readonly resume?: string | undefined;
  readonly extraArgs?: readonly string[];
  readonly role?: Role;
  readonly tools?: ToolServer;
}

/**
 * One life of a real CLI, started as the product does, with all that its provider opens on it;
 * hooks are answered.
 */
export class HookedLife {
  readonly desk: LabHookDesk;
  readonly turnEnds: TurnNews[] = [];
  readonly #wish: LifeWish;
  readonly #runFolder: string;
  readonly #startedAt = Date.now();
  #env: Readonly<Record<string, string>>;
  #conversation: string | undefined;
  #terminal: LabTerminal | undefined;
  #watch: StateWatch | undefined;
  #native: NativeRoute | undefined;
  #evidence: Evidence | undefined;
  readonly #helpers: ChildProcess[] = [];
  /** The fleet calls it after output; here nobody listens to that. */
  readonly #output = setInterval(() => this.#watch?.check(), 200);

  private constructor(wish: LifeWish) {
    this.#wish = wish;
    this.#env = wish.home.env;
    this.#conversation = wish.resume;
    this.#runFolder = join(wish.home.folder, `run-${wish.epoch}`);
    const deskFolder = join(wish.home.folder, `desk-${wish.epoch}`);
    mkdirSync(deskFolder);
    this.desk = new LabHookDesk(deskFolder, wish.provider, (hook) => {
      const meaning = wish.provider.readHook?.(hook);
      if (meaning?.turnEnd) this.turnEnds.push(meaning.turnEnd);
      if (meaning?.conversation === undefined) return;
      this.#conversation = meaning.conversation;
      this.#watch?.follow?.(meaning.conversation);
    });
  }

  static async open(wish: LifeWish): Promise<HookedLife> {
    const life = new HookedLife(wish);
    await life.desk.open();
    const { home, provider } = wish;
    const plan = provider.planLaunch({
      agent: { id: 'agt_1', name: 'lab' },
      epoch: wish.epoch,
      executablePath: join(home.cli.binFolder, provider.executable),
      version: home.cli.version,
      cwd: home.cwd,
      model: undefined,
      role: wish.role ?? {},
      tools: wish.tools,
      extraArgs: [...home.args, ...(wish.extraArgs ?? [])],
      resume: wish.resume,
      runFolder: life.#runFolder,
      env: home.env,
      hookCommand: (event) => life.desk.command(event),
      newConversation: randomUUID(),
      freePort: await findFreePort(),
    });
    await writeRunFolder(life.#runFolder, plan);
    life.#conversation = plan.conversation ?? wish.resume;
    life.#env = { ...home.env, ...plan.env };
    await life.#help(plan);
    life.#terminal = await LabTerminal.open({ argv: plan.argv, env: life.#env, cwd: home.cwd });
    life.attach();
    return life;
  }

  get terminal(): LabTerminal {
    if (!this.#terminal) throw new Error('The terminal is not open.');
    return this.#terminal;
  }

  get native(): NativeRoute {
    if (!this.#native) throw new Error('It has no way in of its own.');
    return this.#native;
  }

  get conversation(): string | undefined {
    return this.#conversation;
  }

  attach(): void {
    const { provider } = this.#wish;
    const life = { current: () => this.context(), changed: () => undefined };
    this.#watch = provider.watchState?.(this.context(), ({ conversation, turnEnd }) => {
      if (conversation !== undefined) this.#conversation = conversation;
      if (turnEnd) this.turnEnds.push(turnEnd);
    });
    this.#native = provider.openNative?.(life);
    this.#evidence = provider.openEvidence?.(life);
  }

  async ready(): Promise<void> {
    await waitUntilReady(this.terminal, this.#wish.home.cli.name);
    // A Gemini that resumes draws its composer seconds before it reads from it.
    await this.terminal.settled(this.#wish.provider.readyAfterMs ?? 500, 60_000);
    if (this.#native) await waitUntil('the way in', () => this.native.blocked() === undefined);
  }

  /**
   * By hand, as a paste of ours would. Some swallow an Enter that comes too soon after the text: it
   * is pressed again as long as the cursor stands at the text's end.
   */
  async submit(text: string): Promise<void> {
    await this.terminal.paste(text);
    await this.terminal.waitFor('the text in the composer', (screen) => isAtEnd(screen, text));
    for (let tries = 0; tries < 5; tries++) {
      // While it works it never stands still.
      await this.terminal.settled(300, 1500).catch(() => undefined);
      await this.terminal.keys('Enter');
      const sent = this.terminal.waitFor('the text sent', (screen) => !isAtEnd(screen, text), 2000);
      if (await sent.then(() => true).catch(() => false)) return;
    }
    throw new Error(`Enter did not send ${JSON.stringify(text)}.`);
  }

  /** An envelope with a new mark round a script for the mock. */
  envelope(script: string): { readonly trace: AttemptTrace; readonly text: string } {
    const at = Date.now();
    const mark = createMark();
    const text = `<signalbox ${mark}>\nOne message for you.\n${script}\n</signalbox ${mark}>`;
    const { conversation } = this;
    const trace = { mark, at, route: 'paste', isSubmitted: false, isAlive: true } as const;
    return { text, trace: { ...trace, conversation } };
  }

  async judge(trace: AttemptTrace): Promise<Finding> {
    const [finding] = (await this.#evidence?.judge([trace])) ?? [];
    if (!finding) throw new Error('No finding.');
    return finding;
  }

  /** Asked until it says so. */
  async finds(trace: AttemptTrace, found: Finding['found'], deadlineMs = 20_000): Promise<Finding> {
    let last: Finding | undefined;
    const holds = async (): Promise<boolean> => {
      last = await this.judge(trace);
      return last.found === found;
    };
    await waitUntil(`the finding ${found}`, holds, deadlineMs).catch(async (error: Error) => {
      const screen = await this.#terminal?.capture();
      throw new Error(`${error.message} Last: ${JSON.stringify(last)}\n${screen?.text}`);
    });
    if (!last) throw new Error('No finding.');
    return last;
  }

  /** kill -9 of the program and all that came from it. */
  async kill(): Promise<void> {
    for (const found of this.terminal.processes()) {
      if (!found.command.startsWith('tmux')) signalProcess(found, 'SIGKILL');
    }
    await this.end();
  }

  async end(): Promise<void> {
    clearInterval(this.#output);
    this.#watch?.close();
    this.#native?.close();
    this.#evidence?.close();
    await this.#terminal?.end();
    this.#terminal = undefined;
    for (const helper of this.#helpers) endGroup(helper);
    await this.desk.close().catch(() => undefined);
  }

  /** In a group of its own: some are a launcher with the program as its child. */
  async #help({ helpers }: LaunchPlan): Promise<void> {
    for (const { argv, readyPath } of helpers) {
      const [program = '', ...args] = argv;
      const { cwd } = this.#wish.home;
      const options = { cwd, env: this.#env, stdio: 'ignore', detached: true } as const;
      this.#helpers.push(spawn(program, args, options));
      if (readyPath !== undefined) await waitUntil('the helper', () => existsSync(readyPath));
    }
  }

  context(): AgentContext {
    const { home } = this.#wish;
    return {
      agent: 'agt_1',
      pid: this.#terminal?.pid ?? 1,
      cwd: home.cwd,
      runFolder: this.#runFolder,
      conversation: this.#conversation,
      startedAt: this.#startedAt,
      version: home.cli.version,
      env: this.#env,
    };
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** What stands before the cursor is the end of this text. */
function isAtEnd({ text: shown, cursor }: Screen, text: string): boolean {
  const row = [...(shown.split('\n')[cursor.y] ?? '')].slice(0, cursor.x).join('');
  const written = row.replace(/^[\s›❯>!*│┃]+/, '').replace(/[\s│┃]+$/, '');
  return written !== '' && text.endsWith(written);
}
