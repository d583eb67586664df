import { takesPaste } from '../../../src/agents/takes-paste.ts';
import type { AgentView } from '../../../src/protocol/agents.ts';
import type { AttachView, OutputView } from '../../../src/protocol/terminals.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { LabCase } from '../cases/case.ts';
import { type Gate, openGate } from '../evidence/gate.ts';
import { type LabHome, openHome } from '../homes/home.ts';
import type { HomeWish } from '../homes/home-wish.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import { type MockLlm, openMockLlm } from '../mock-llm/server.ts';
import { type FoundProcess, findFamily, readProcess } from '../processes.ts';
import { LabBox, type LabProgram, type LabTerminal, type Variables } from './box.ts';
import { Hands } from './hands.ts';
import { type StatusEvent, StatusLog } from './status-log.ts';

/** Two cores, and often others on them: what takes a second alone may take a minute. */
export const patienceMs = 90_000;

/** The mock writes down an end just after its last byte has left. */
export const sameMomentMs = 100;

/** A prompt that has not reached the model by then may still stand in the composer. */
const nudgeMs = 20_000;
/** When nothing was published for so long, a screen has come to rest. */
const quietMs = 1500;

export interface Turn {
  readonly request: LoggedRequest;
  /** Events from here on are of this turn or later. */
  readonly from: number;
}

/**
 * One real CLI, launched by signalbox in a home of its own, with a model of its own: what the
 * checks work on.
 */
export class Life {
  readonly lab: LabCase;
  readonly home: LabHome;
  readonly mock: MockLlm;
  /** Between the CLI and the mock: what it holds has left the CLI and not reached the model. */
  readonly gate: Gate;
  readonly box: LabBox;
  readonly log: StatusLog;
  #agent: AgentView | undefined;
  #hands: Hands | undefined;

  private constructor(parts: Pick<Life, 'lab' | 'home' | 'mock' | 'gate' | 'box' | 'log'>) {
    this.lab = parts.lab;
    this.home = parts.home;
    this.mock = parts.mock;
    this.gate = parts.gate;
    this.box = parts.box;
    this.log = parts.log;
  }

  static async open(
    lab: LabCase,
    program: string | LabProgram,
    wish: Partial<HomeWish> = {},
    terminal: LabTerminal = 'tmux',
    variables: Variables = {},
  ): Promise<Life> {
    const mock = await openMockLlm();
    const gate = await openGate(mock.port);
    const home = openHome(lab.name, { ...wish, mockUrl: gate.url });
    const box = await LabBox.open(program, terminal, variables);
    const log = await StatusLog.open(box);
    return new Life({ lab, home, mock, gate, box, log });
  }

  get isLaunched(): boolean {
    return this.#agent !== undefined;
  }

  get agent(): AgentView {
    if (!this.#agent) throw new Error('Nothing was launched yet.');
    return this.#agent;
  }

  get hands(): Hands {
    if (!this.#hands) throw new Error('Nothing was launched yet.');
    return this.#hands;
  }

  /** By the provider's name, or by a profile's. */
  async launch(
    more: readonly string[] = [],
    target: string = this.lab.name,
    options: readonly string[] = [],
  ): Promise<void> {
    const { home } = this;
    const args = ['launch', target, '--name', 'lab', '--cwd', home.cwd, ...options];
    const tail = [...home.args, ...more];
    this.#agent = await this.box.ask<AgentView>(args, { env: this.#env, tail });
    await this.#findTerminal();
  }

  /** Another agent in its place, which has never been spoken to. */
  async renew(): Promise<void> {
    await this.box.up();
    if (this.#agent !== undefined) await this.box.ask(['rm', 'lab']);
    await this.launch();
    await this.isReady(0);
  }

  /** A second one of the same CLI, in the same folder: the hands of whoever sits there. */
  async launchBeside(name: string): Promise<Hands> {
    const { home } = this;
    const args = ['launch', this.lab.name, '--name', name, '--cwd', home.cwd];
    await this.box.ask(args, { env: this.#env, tail: home.args });
    const { argv } = await this.box.ask<AttachView>(['attach', name]);
    return new Hands(argv, this.box.herdrSocket);
  }

  async restart(...options: readonly string[]): Promise<void> {
    await this.box.ask(['restart', 'lab', ...options], { env: this.#env });
    this.#agent = await this.show();
    await this.#findTerminal();
  }

  async show(): Promise<AgentView> {
    return await this.box.ask<AgentView>(['status', 'lab']);
  }

  async lastAnswer(): Promise<OutputView> {
    return await this.box.ask<OutputView>(['output', 'lab', '--last']);
  }

  get events(): readonly StatusEvent[] {
    return this.log.of(this.agent.id);
  }

  get current(): StatusEvent | undefined {
    return this.events.at(-1);
  }

  /** The first event from there on that the condition holds for, now or later. */
  async hears(
    what: string,
    holds: (event: StatusEvent) => boolean,
    from = 0,
    deadlineMs = patienceMs,
  ): Promise<StatusEvent> {
    const heard = waitUntil(what, () => this.events.slice(from).find(holds), deadlineMs);
    return await heard.catch((error: unknown) => {
      throw new Error(`${error}; heard ${describe(this.events.slice(from))}`);
    });
  }

  /**
   * After a start: it rests, and what is typed will arrive. Where no cursor is told, no composer is
   * proven empty.
   */
  async isReady(from: number): Promise<void> {
    const isTold = this.box.terminal === 'tmux';
    await this.hears(
      'rest with an empty composer',
      (event) => isAtRest(event) && (takesPaste(event.composer ?? 'unknown') || !isTold),
      from,
    );
  }

  /**
   * What `status` says, once it says so: the screen may follow the CLI's own word later than we
   * ask.
   */
  async shows(what: string, holds: (agent: AgentView) => boolean): Promise<AgentView> {
    let last: AgentView | undefined;
    const isShown = async (): Promise<boolean> => {
      last = await this.show();
      return holds(last);
    };
    await waitUntil(what, isShown, 30_000).catch(() => {
      throw new Error(`status says ${last?.status} ${last?.detail ?? ''}, not ${what}`);
    });
    return last ?? this.agent;
  }

  /** Sends a prompt and waits until the model has got it. */
  async ask(prompt: string): Promise<Turn> {
    const from = this.events.length;
    const before = this.mock.requests.length;
    await this.hands.submit(prompt);
    const isIt = ({ n, isSide, lastUserText }: LoggedRequest): boolean =>
      n > before && !isSide && lastUserText.includes(prompt);
    for (let tries = 0; tries < 3 && !this.mock.requests.some(isIt); tries++) {
      await this.mock.waitFor(isIt, nudgeMs).catch(() => this.hands.nudge(prompt));
    }
    return { request: await this.mock.waitFor(isIt, patienceMs), from };
  }

  /**
   * The first word that a turn is over. By the clock, not by the order of words: after the end of
   * the turn before, an agent may count as working once more, until its screen has followed.
   */
  async rests({ request, from }: Turn, deadlineMs = patienceMs): Promise<StatusEvent> {
    await this.hears('processing', isProcessing, from, deadlineMs);
    const isEnded = ({ n, outcome }: LoggedRequest): boolean =>
      n === request.n && outcome !== undefined;
    const { endedAt = 0 } = await this.mock.waitFor(isEnded, deadlineMs);
    const isItsEnd = (event: StatusEvent): boolean =>
      isAtRest(event) && event.at >= endedAt - sameMomentMs;
    return await this.hears('the end of the turn', isItsEnd, from, deadlineMs);
  }

  /**
   * Some CLIs put a prompt that was broken off back into the composer, and not at once (Qwen
   * 0.24.4).
   */
  async empty(): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      const lookedAt = Date.now();
      const isQuiet = (): boolean =>
        Date.now() - Math.max(lookedAt, this.current?.at ?? 0) > quietMs;
      await waitUntil('no more words about it', isQuiet, patienceMs);
      if (takesPaste(this.current?.composer ?? 'unknown')) return;
      await this.hands.press(['C-u']);
    }
    throw new Error(`Its composer stays ${this.current?.composer}.`);
  }

  /** The agent's processes, also those that left its tree. */
  family(root?: FoundProcess): readonly FoundProcess[] {
    return findFamily(root, `SIGNALBOX_AGENT=${this.agent.id}`);
  }

  async rootProcess(): Promise<FoundProcess> {
    const pid = await this.hands.pid();
    const found = readProcess(pid);
    if (!found) throw new Error(`The agent's process ${pid} is gone.`);
    return found;
  }

  async close(): Promise<void> {
    this.log.close();
    try {
      await this.box.close();
    } finally {
      await this.gate.close();
      await this.mock.close();
      this.home.remove();
    }
  }

  get #env(): Variables {
    return { ...this.home.env, ...this.lab.env };
  }

  async #findTerminal(): Promise<void> {
    const { argv } = await this.box.ask<AttachView>(['attach', 'lab']);
    this.#hands = new Hands(argv, this.box.herdrSocket);
  }
}

export function isProcessing({ status }: Pick<StatusEvent, 'status'>): boolean {
  return status === 'processing';
}

export function isAtRest({ status }: Pick<StatusEvent, 'status'>): boolean {
  return status === 'idle' || status === 'completed' || status === 'error';
}

function describe(events: readonly StatusEvent[]): string {
  const words = events.map(({ status, detail, source, composer }) =>
    [status, detail, `(${source}, ${composer ?? '-'})`].filter(Boolean).join(' '),
  );
  return words.length === 0 ? 'nothing' : words.join(' → ');
}
