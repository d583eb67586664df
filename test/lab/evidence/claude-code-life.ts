import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Listener, listen } from '../../../src/daemon/listen.ts';
import type { HookDesk, Said, Waiter } from '../../../src/delivery/hook-desk.ts';
import { installHookScript } from '../../../src/fleet/hook-script.ts';
import { provider } from '../../../src/providers/claude-code/provider.ts';
import type { AgentContext, HookPayload } from '../../../src/providers/provider.ts';
import type {
  AttemptTrace,
  Evidence,
  Finding,
  HookOffer,
  TurnNews,
} from '../../../src/providers/way-in.ts';
import { createSecret } from '../../../src/shared/ids.ts';
import { launchRequest } from '../../support/launch-request.ts';
import { addHookLives } from '../../support/mail.ts';
import { TestServer } from '../../support/server.ts';
import { LabTerminal } from '../driver.ts';
import type { LabHome } from '../homes/home.ts';
import { pins } from '../versions.ts';

export interface LifeWish {
  readonly home: LabHome;
  readonly epoch: number;
  readonly resume?: string | undefined;
}

/**
 * Says what a case tells it to say, when a hook offers that route: the engine's place, without its
 * rules.
 */
class LabDesk implements HookDesk {
  readonly confirmed = new Set<string>();
  readonly pending = new Map<HookOffer['route'], string>();
  /** What a synchronous hook must wait for: the window between the event and its reply. */
  gate: Promise<void> = Promise.resolve();
  waiting: { waiter: Waiter; tell: (outcome: Said | 'dismissed') => void } | undefined;

  async ask(_: string, offer: HookOffer): Promise<Said | undefined> {
    const text = this.pending.get(offer.route);
    if (text === undefined) return undefined;
    this.pending.delete(offer.route);
    return { id: createSecret('say'), reply: offer.reply(text) };
  }

  wait(_: string, waiter: Waiter, signal: AbortSignal): Promise<Said | 'dismissed'> {
    return new Promise((tell) => {
      this.waiting?.tell('dismissed');
      const mine = { waiter, tell };
      this.waiting = mine;
      signal.addEventListener('abort', () => {
        if (this.waiting === mine) this.waiting = undefined;
        tell('dismissed');
      });
    });
  }

  async caption(): Promise<undefined> {
    return undefined;
  }

  async confirm(id: string): Promise<boolean> {
    this.confirmed.add(id);
    return true;
  }

  /** False when nobody waits. */
  wake(text: string): string | undefined {
    if (!this.waiting) return undefined;
    const { waiter, tell } = this.waiting;
    this.waiting = undefined;
    const id = createSecret('say');
    tell({ id, reply: waiter.offer.reply(text) });
    return id;
  }
}

/**
 * One life of a real Claude Code, started as the product does, with the product's hook client and
 * server.
 */
export class ClaudeLife {
  readonly hooks: HookPayload[] = [];
  readonly turnEnds: TurnNews[] = [];
  readonly conversations = new Set<string>();
  readonly desk = new LabDesk();
  terminal!: LabTerminal; // Set by `open`, before anybody gets it.
  evidence!: Evidence; // The same.
  readonly #wish: LifeWish;
  readonly #runFolder: string;
  readonly #startedAt = Date.now();
  #listener: Listener | undefined;
  #conversation: string | undefined;

  private constructor(wish: LifeWish) {
    this.#wish = wish;
    this.#conversation = wish.resume;
    this.#runFolder = join(wish.home.folder, 'run', `agt_1-${wish.epoch}`);
    // The hooks believe a socket in a folder of the user's own alone.
    mkdirSync(this.#runFolder, { recursive: true, mode: 0o700 });
  }

  static async open(wish: LifeWish): Promise<ClaudeLife> {
    const life = new ClaudeLife(wish);
    const { home, epoch, resume } = wish;
    const run = join(home.folder, 'run');
    const socket = join(run, `sock-${epoch}`);
    await life.#listen(socket);
    const plan = provider.planLaunch(
      launchRequest({
        executablePath: join(home.cli.binFolder, 'claude'),
        version: pins['claude-code'].version,
        epoch,
        cwd: home.cwd,
        resume,
        extraArgs: home.args,
        runFolder: life.#runFolder,
        newConversation: crypto.randomUUID(),
        hookCommand: await installHookScript(join(home.folder, 'hooks'), {
          runFolder: run,
          fallback: ['true'],
        }),
      }),
    );
    if (plan.conversation !== undefined) life.#learn(plan.conversation);
    for (const { path, text } of plan.files) writeFileSync(join(life.#runFolder, path), text);
    life.terminal = await LabTerminal.open({
      argv: plan.argv,
      cwd: home.cwd,
      env: {
        ...home.env,
        SIGNALBOX_SOCKET: socket,
        SIGNALBOX_TOKEN: 'right',
        SIGNALBOX_AGENT: 'agt_1',
        SIGNALBOX_EPOCH: String(epoch),
      },
    });
    life.attach();
    return life;
  }

  get conversation(): string | undefined {
    return this.#conversation;
  }

  /** As a daemon that starts, or starts again, does. */
  attach(): void {
    const open = provider.openEvidence;
    if (open) this.evidence = open({ current: () => this.#context(), changed: () => undefined });
  }

  async ready(): Promise<void> {
    await this.terminal.waitFor('the composer', ({ text }) => /^❯/m.test(text), 60_000);
    await until('the waiting hook', () => this.desk.waiting !== undefined);
  }

  /** By the hook that waits. */
  async wake(script: string): Promise<AttemptTrace> {
    const trace = this.trace('native');
    await this.wakeAs(trace, script);
    return trace;
  }

  async wakeAs(trace: AttemptTrace, script: string): Promise<void> {
    await until('a waiting hook', () => this.desk.waiting !== undefined);
    const id = this.desk.wake(envelope(trace.mark, script));
    await until('its word', () => id !== undefined && this.desk.confirmed.has(id));
  }

  /** By the next hook that offers the route. */
  reply(route: 'turn-boundary' | 'mid-turn', script: string): AttemptTrace {
    const trace = this.trace(route);
    this.desk.pending.set(route, envelope(trace.mark, script));
    return trace;
  }

  trace(route: AttemptTrace['route']): AttemptTrace {
    return {
      mark: createSecret('mark'),
      route,
      at: Date.now(),
      isSubmitted: false,
      isAlive: true,
      conversation: this.#conversation,
    };
  }

  /** As the ledger has it: whether a submission with the mark was told by a hook. */
  async judge(trace: AttemptTrace): Promise<Finding> {
    const isSubmitted = this.isSubmitted(trace.mark);
    const [found] = await this.evidence.judge([
      { ...trace, isSubmitted: trace.isSubmitted || isSubmitted },
    ]);
    return found as Finding;
  }

  isSubmitted(mark: string): boolean {
    return this.hooks.some(
      ({ event, body }) => event === 'UserPromptSubmit' && JSON.stringify(body).includes(mark),
    );
  }

  async finds(trace: AttemptTrace, found: Finding['found'], deadlineMs = 20_000): Promise<Finding> {
    let last: Finding | undefined;
    const holds = async (): Promise<boolean> => {
      last = await this.judge(trace);
      return last.found === found;
    };
    await until(`the finding ${found}`, holds, deadlineMs).catch((error: Error) => {
      throw new Error(`${error.message} Last: ${JSON.stringify(last)}`);
    });
    return last as Finding;
  }

  async heard(event: string, times = 1): Promise<void> {
    const count = () => this.hooks.filter((hook) => hook.event === event).length;
    await until(`hook ${event}`, () => count() >= times);
  }

  async end(how: 'kill' | 'quit'): Promise<void> {
    this.evidence?.close();
    if (how === 'kill') process.kill(this.terminal.pid, 'SIGKILL');
    await this.terminal.end();
    await this.#listener?.close(0);
    this.#listener = undefined;
  }

  #learn(conversation: string): void {
    this.#conversation = conversation;
    this.conversations.add(conversation);
  }

  async #listen(socket: string): Promise<void> {
    const server = await addHookLives(new TestServer({ hookDesk: this.desk }));
    server.fleet.receiveHook = async (_token, event, body) => {
      const hook = { event, body: body as Record<string, unknown> };
      this.hooks.push(hook);
      await this.desk.gate;
      const meaning = provider.readHook?.(hook);
      if (meaning?.conversation !== undefined) this.#learn(meaning.conversation);
      if (meaning?.turnEnd) this.turnEnds.push(meaning.turnEnd);
      const offer = provider.readOffer?.(hook);
      return { outcome: 'taken', agent: 'agt_1', ...(offer ? { offer } : {}) };
    };
    this.#listener = await listen(socket, (request) => server.fetch(request));
  }

  #context(): AgentContext {
    return {
      agent: 'agt_1',
      pid: this.terminal.pid,
      cwd: this.#wish.home.cwd,
      runFolder: this.#runFolder,
      conversation: this.#conversation,
      startedAt: this.#startedAt,
      version: pins['claude-code'].version,
      env: this.#wish.home.env,
    };
  }
}

export function envelope(mark: string, script: string): string {
  return `<signalbox ${mark}>\nmessage of the lab\n${script}\n</signalbox ${mark}>`;
}

export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  deadlineMs = 30_000,
): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Not within ${deadlineMs} ms: ${what}.`);
    await delay(20);
  }
}
