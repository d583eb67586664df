import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type {
  AgentContext,
  HookPayload,
  OwnState,
  Provider,
  StateWatch,
} from '../../../src/providers/provider.ts';
import type {
  AttemptTrace,
  Evidence,
  Finding,
  Injected,
  NativeRoute,
  TurnNews,
} from '../../../src/providers/way-in.ts';
import { findFreePort } from '../../../src/shared/free-port.ts';
import { createMark } from '../../../src/shared/ids.ts';
import { parseObject } from '../../../src/shared/json.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { LabTerminal } from '../driver.ts';
import type { LabHome } from '../homes/home.ts';
import type { Screen } from '../screen.ts';

export interface LifeWish {
  readonly provider: Provider;
  readonly home: LabHome;
  readonly epoch: number;
  readonly resume?: string | undefined;
  readonly extraArgs?: readonly string[];
  readonly isReady: (screen: Screen) => boolean;
  /** Prompts that a hook told, of this life and those before it: the ledger remembers them, too. */
  readonly submitted: string[];
}

/** What was handed in, and what evidence is asked about. */
export interface Given {
  readonly mark: string;
  readonly injected: Injected;
  readonly trace: AttemptTrace;
}

/**
 * One life of a real CLI, started as the product does, with all that its provider opens on it;
 * hooks go to a file.
 */
export class ProviderLife {
  readonly states: OwnState[] = [];
  readonly runFolder: string;
  readonly #wish: LifeWish;
  readonly #startedAt = Date.now();
  #terminal: LabTerminal | undefined;
  #conversation: string | undefined;
  #watch: StateWatch | undefined;
  #native: NativeRoute | undefined;
  #evidence: Evidence | undefined;
  #hooksRead = 0;
  readonly hooks: HookPayload[] = [];
  readonly hookEnds: TurnNews[] = [];
  changes = 0;

  private constructor(wish: LifeWish) {
    this.#wish = wish;
    this.#conversation = wish.resume;
    this.runFolder = join(wish.home.folder, `run-${wish.epoch}`);
    mkdirSync(this.runFolder, { recursive: true });
  }

  static async open(wish: LifeWish): Promise<ProviderLife> {
    const life = new ProviderLife(wish);
    const { home, provider } = wish;
    const plan = provider.planLaunch({
      agent: { id: 'agt_1', name: 'lab' },
      epoch: wish.epoch,
      executablePath: join(home.cli.binFolder, provider.executable),
      version: home.cli.version,
      cwd: home.cwd,
      model: undefined,
      role: {},
      tools: undefined,
      extraArgs: [...home.args, ...(wish.extraArgs ?? [])],
      resume: wish.resume,
      runFolder: life.runFolder,
      env: home.env,
      hookCommand: (event) =>
        `{ printf '%s ' ${event}; cat; echo; } >> '${join(life.runFolder, 'hooks.log')}'`,
      newConversation: randomUUID(),
      freePort: await findFreePort(),
    });
    for (const { path, text } of plan.files) {
      const full = join(life.runFolder, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text, { mode: 0o600 });
    }
    life.#conversation = plan.conversation ?? wish.resume;
    const env = { ...home.env, ...plan.env };
    life.#terminal = await LabTerminal.open({ argv: plan.argv, env, cwd: home.cwd });
    life.attach();
    return life;
  }

  get terminal(): LabTerminal {
    if (!this.#terminal) throw new Error('The terminal is not open yet.');
    return this.#terminal;
  }

  get native(): NativeRoute {
    if (!this.#native) throw new Error('Nothing is attached.');
    return this.#native;
  }

  get evidence(): Evidence {
    if (!this.#evidence) throw new Error('Nothing is attached.');
    return this.#evidence;
  }

  get conversation(): string | undefined {
    return this.#conversation;
  }

  get turnEnds(): readonly TurnNews[] {
    this.readHooks();
    return [...this.states.flatMap(({ turnEnd }) => turnEnd ?? []), ...this.hookEnds];
  }

  /** As a daemon that starts, or starts again, does. */
  attach(): void {
    const { provider } = this.#wish;
    this.#watch = provider.watchState?.(this.context(), (state) => {
      if (state.conversation !== undefined) this.#conversation = state.conversation;
      this.states.push(state);
    });
    const life = {
      current: () => this.context(),
      changed: () => {
        this.changes++;
      },
    };
    this.#native = provider.openNative?.(life);
    this.#evidence = provider.openEvidence?.(life);
  }

  detach(): void {
    this.#watch?.close();
    this.#native?.close();
    this.#evidence?.close();
  }

  async ready(): Promise<void> {
    await this.terminal.waitFor('the composer', this.#wish.isReady, 90_000);
    await this.terminal.settled(1000, 60_000);
    await waitUntil('the way in', () => this.native.blocked() === undefined, 30_000);
  }

  /** An envelope with a new mark round a script for the mock. */
  async inject(script: string): Promise<Given> {
    const at = Date.now();
    const mark = createMark();
    const text = `<signalbox ${mark}>\nOne message for you.\n${script}\n</signalbox ${mark}>`;
    const injected = await this.native.inject({
      mark,
      at,
      text,
      begin: async () => true,
      signal: AbortSignal.timeout(10_000),
    });
    const receipt = injected.outcome === 'taken' ? injected.receipt : undefined;
    const trace: AttemptTrace = {
      mark,
      route: 'native',
      at,
      isSubmitted: false,
      isAlive: true,
      conversation: this.#conversation,
      ...(receipt === undefined ? {} : { receipt }),
    };
    return { mark, injected, trace };
  }

  async judge(trace: AttemptTrace): Promise<Finding> {
    const [finding] = await this.evidence.judge([{ ...trace, ...this.submitted(trace.mark) }]);
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
    await waitUntil(`the finding ${found}`, holds, deadlineMs).catch((error: Error) => {
      throw new Error(`${error.message} Last: ${JSON.stringify(last)}`);
    });
    if (!last) throw new Error('No finding.');
    return last;
  }

  submitted(mark: string): Pick<AttemptTrace, 'isSubmitted'> {
    this.readHooks();
    return { isSubmitted: this.#wish.submitted.some((prompt) => prompt.includes(mark)) };
  }

  readHooks(): void {
    const path = join(this.runFolder, 'hooks.log');
    if (!existsSync(path)) return;
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.includes(' {'));
    for (const line of lines.slice(this.#hooksRead)) {
      const space = line.indexOf(' ');
      const hook = { event: line.slice(0, space), body: parseObject(line.slice(space)) ?? {} };
      this.hooks.push(hook);
      if (hook.event === 'UserPromptSubmit') this.#wish.submitted.push(String(hook.body['prompt']));
      const meaning = this.#wish.provider.readHook?.(hook);
      if (meaning?.conversation !== undefined) this.#conversation = meaning.conversation;
      if (meaning?.turnEnd) this.hookEnds.push(meaning.turnEnd);
    }
    this.#hooksRead = Math.max(this.#hooksRead, lines.length);
  }

  /** kill -9 of all that came from it. */
  async kill(): Promise<void> {
    for (const { pid } of this.terminal.processes()) {
      if (pid === process.pid) continue;
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    await this.end();
  }

  async end(): Promise<void> {
    this.readHooks();
    this.detach();
    await this.#terminal?.end();
    this.#terminal = undefined;
  }

  context(): AgentContext {
    const { home } = this.#wish;
    return {
      agent: 'agt_1',
      pid: this.#terminal?.pid ?? 1,
      cwd: home.cwd,
      runFolder: this.runFolder,
      conversation: this.#conversation,
      startedAt: this.#startedAt,
      version: home.cli.version,
      env: home.env,
    };
  }
}
