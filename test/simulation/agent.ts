import type { AgentStatus } from '../../src/agents/agent.ts';
import { isAtRest } from '../../src/agents/remember-turn.ts';
import { acknowledge } from '../../src/delivery/acknowledge.ts';
import type { Delivery } from '../../src/delivery/open-delivery.ts';
import type { TurnOutcome } from '../../src/messages/message.ts';
import { FakeComposer } from './composer.ts';
import { Conversations } from './conversation.ts';
import { askHook, runWaitingHook } from './hooks.ts';
import type { Kind } from './kinds.ts';
import { drain } from './puller.ts';
import { Life } from './scheduler.ts';
import type { Stage } from './stage.ts';
import { type Entry, readEnvelope } from './truth.ts';

/** A coding agent: one process after the other, its turns, and what a person does to it. */
export class FakeAgent {
  readonly id: string;
  readonly kind: Kind;
  readonly stage: Stage;
  readonly talk: Conversations;
  readonly composer: FakeComposer;
  /** Marks that are on their way in, and may still arrive. */
  readonly underway = new Set<string>();
  /** Marks of which its records have said what became of them. */
  readonly told = new Set<string>();
  epoch = 0;
  pid = 0;
  process: Life = new Life();
  status: AgentStatus = 'exited';
  /** As the status monitor shows it, a little later; and since when it has been at rest, for that monitor. */
  shown: AgentStatus = 'exited';
  restSince: number | undefined;
  /** Kept by the CLI for the next turn. */
  queue: string[] = [];
  /** Joined at the next step of the turn. */
  joining: string[] = [];
  isRemoved = false;
  /** Its end is on record. */
  isEnded = true;
  turns = 0;
  /** Nobody heard that its last turn ended: the next daemon finds it out. */
  missed: TurnOutcome | undefined;
  #isPaused = false;
  #turn = new Life();
  #isContinued = false;
  #blocks = 0;
  #mustDrain = false;

  constructor(stage: Stage, id: string, kind: Kind) {
    this.stage = stage;
    this.id = id;
    this.kind = kind;
    this.talk = new Conversations(stage, id, kind);
    this.composer = new FakeComposer(stage);
    this.process.end();
  }

  get isAlive(): boolean {
    return !this.process.isOver;
  }

  get isAtRest(): boolean {
    return isAtRest(this.status);
  }

  start(epoch: number, isResumed: boolean): void {
    this.process = new Life();
    this.pid = this.stage.hosts.start().pid;
    this.epoch = epoch;
    if (!isResumed) this.#leave();
    if (!this.kind.queueSurvives) this.queue = [];
    this.#isPaused = false;
    this.setStatus('starting');
    this.after(200, 1500, () => {
      this.setStatus('idle');
      this.#spawnWaiter();
      this.#goOn();
    });
  }

  kill(): void {
    this.#turn.end();
    this.stage.hosts.kill(this.pid);
    this.process.end();
    this.composer.set('', 'program');
    this.composer.isInCopyMode = false;
    this.underway.clear();
    this.joining = [];
    this.talk.flush();
    this.setStatus('exited');
  }

  setStatus(status: AgentStatus): void {
    const { random } = this.stage;
    if (!isAtRest(status)) this.restSince = undefined;
    else this.#blocks = 0;
    this.status = status;
    this.#show(random.chance(0.5) ? 0 : random.between(0, 150), () => this.status);
  }

  /** For a while nobody can tell what it does. */
  blur(): void {
    this.#show(0, () => 'unknown');
    this.#show(this.stage.random.between(500, 8000), () => this.status);
  }

  /** By its own way in, or from the composer. */
  take(text: string): void {
    this.underway.delete(readEnvelope(text)?.mark ?? '');
    if (!this.isAlive) return;
    const isFirst = this.queue.length + this.joining.length === 0;
    if (this.isAtRest && !this.#isPaused && isFirst) this.#begin([text]);
    else if (this.kind.whileWorking === 'join' && this.status === 'processing')
      this.joining.push(text);
    else this.queue.push(text);
  }

  /** A person's own prompt. */
  prompt(): void {
    if (!this.isAtRest || !this.composer.isEmpty) return;
    this.#isPaused = false;
    this.#begin([]);
  }

  submit(by: 'person' | 'program'): void {
    const { text } = this.composer;
    if (by === 'program') this.stage.truth.woke(this.id, this.stage.scheduler.monotonicMs);
    this.composer.set('', by);
    if (text.startsWith('signalbox:')) this.#mustDrain = true;
    this.talk.forget(readEnvelope(text)?.mark);
    this.take(text);
  }

  /** `/clear`. */
  clear(): void {
    if (this.isAtRest && this.composer.isEmpty) this.#leave();
  }

  interrupt(): void {
    if (this.status !== 'processing' && this.status !== 'waiting') return;
    this.#turn.end();
    const back = this.talk.cancel();
    this.composer.set(this.composer.text === '' ? (back ?? '') : this.composer.text, 'person');
    this.queue.push(...this.joining);
    this.joining = [];
    this.#isPaused = this.queue.length > 0;
    this.setStatus('completed');
    this.#spawnWaiter();
    this.after(2000, 2000, () => void this.tellTurn(this.process, 'interrupted'));
  }

  release(): void {
    this.#isPaused = false;
    this.#goOn();
  }

  after(low: number, high: number, run: () => void): void {
    this.stage.scheduler.after(this.process, this.stage.random.between(low, high), run);
  }

  #begin(texts: readonly string[]): void {
    this.turns++;
    this.#turn = this.process.child();
    this.#isContinued = false;
    if (this.kind.saysContinued) this.#blocks = 0;
    this.setStatus('processing');
    for (const text of texts) this.#land(text);
    this.#plan();
  }

  #land(text: string): void {
    this.talk.land(this.epoch, text, this.kind.ways.hasWaitingHook ? 'hook' : 'other');
  }

  #plan(): void {
    const { scheduler, random } = this.stage;
    const ms = random.chance(0.1) ? random.between(3000, 20_000) : random.between(30, 1500);
    const turn = this.#turn;
    scheduler.after(turn, ms, () => void this.#step(turn));
  }

  async #step(turn: Life): Promise<void> {
    const { random, faults } = this.stage;
    for (const text of this.joining.splice(0)) this.#land(text);
    if (faults?.modelFails && random.chance(0.06)) return this.#fail();
    for (const entry of this.talk.speak()) this.#answerFor(entry);
    if (this.#mustDrain || random.chance(0.04)) {
      this.#mustDrain = false;
      await drain(this, turn);
      return this.#plan();
    }
    if (faults?.dialogs && random.chance(0.08)) return this.#ask();
    await (random.chance(0.3) ? this.#useTool(turn) : this.#stop(turn));
  }

  #answerFor({ copies }: Entry): void {
    const { random, scheduler } = this.stage;
    const ids = copies
      .filter(({ isPointer }) => random.chance(isPointer ? 0.5 : 0.05))
      .map(({ id }) => id);
    if (ids.length === 0) return;
    const ledger = this.stage.ledger(this.process);
    void ledger.write((tx) => acknowledge(tx, scheduler.now, ids, 'acked by the agent'));
  }

  #ask(): void {
    this.setStatus('waiting');
    const { scheduler, random } = this.stage;
    scheduler.after(this.#turn, random.between(500, 20_000), () => {
      this.setStatus('processing');
      this.#plan();
    });
  }

  async #useTool(turn: Life): Promise<void> {
    if (this.kind.ways.routes.includes('mid-turn')) {
      const text = await askHook(this, turn, 'mid-turn', true);
      if (text !== undefined) this.talk.land(this.epoch, text, 'hook');
    }
    this.#plan();
  }

  async #stop(turn: Life): Promise<void> {
    const hasHook = this.kind.ways.routes.includes('turn-boundary');
    if (hasHook) {
      await this.tellTurn(turn, 'completed');
      const isContinued = this.kind.saysContinued ? this.#isContinued : true;
      const text = await askHook(this, turn, 'turn-boundary', isContinued);
      if (text !== undefined) return this.#continue(text);
    }
    turn.end();
    this.setStatus('completed');
    if (!hasHook) void this.tellTurn(this.process, 'completed');
    this.#spawnWaiter();
    this.#goOn();
  }

  #continue(text: string): void {
    this.#isContinued = true;
    this.#blocks++;
    const own = this.kind.ways.maxBlocks ?? Number.POSITIVE_INFINITY;
    if (this.#blocks > Math.min(this.stage.blockLimit, own))
      this.stage.truth.violated(`rule 19: ${this.#blocks} blocks in a row`);
    this.talk.land(this.epoch, text, 'hook');
    this.#plan();
  }

  #fail(): void {
    this.#turn.end();
    this.talk.fail();
    this.setStatus('error');
    this.#spawnWaiter();
    void this.tellTurn(this.process, 'failed');
  }

  /** What it kept for itself comes next. */
  #goOn(): void {
    if (this.#isPaused || this.queue.length + this.joining.length === 0) return;
    this.after(10, 100, () => {
      if (!this.isAtRest || this.#isPaused) return;
      const texts = [...this.queue, ...this.joining];
      this.queue = [];
      this.joining = [];
      if (texts.length > 0) this.#begin(texts);
    });
  }

  #spawnWaiter(): void {
    if (!this.kind.ways.hasWaitingHook || !this.isAlive) return;
    const life = new Life();
    const lingerMs = this.stage.random.chance(0.3) ? 3000 : 0;
    // An orphan of a killed CLI may wait a little longer.
    this.process.onEnd(() => {
      this.stage.scheduler.after(new Life(), lingerMs, () => life.end());
    });
    void runWaitingHook(this, life);
  }

  async tellTurn(life: Life, outcome: TurnOutcome): Promise<void> {
    const tell = (delivery: Delivery): Promise<boolean> =>
      delivery.turnEnded(this.id, outcome).then(() => true);
    this.missed = outcome;
    if (await this.stage.call(life, tell, 600)) this.missed = undefined;
  }

  #leave(): void {
    this.talk.leave();
    this.queue = [];
  }

  #show(lagMs: number, find: () => AgentStatus): void {
    const { scheduler } = this.stage;
    scheduler.after(new Life(), lagMs, () => {
      this.shown = find();
      if (isAtRest(this.shown)) this.restSince ??= scheduler.monotonicMs;
      else this.restSince = undefined;
      this.stage.tell((delivery) => delivery.look(this.id));
    });
  }
}
