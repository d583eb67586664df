import type { AgentStatus } from '../../src/agents/agent.ts';
import { isAtRest } from '../../src/agents/remember-turn.ts';
import type { TurnOutcome } from '../../src/messages/message.ts';
import type { Act } from './account.ts';
import { FakeChannel } from './channel.ts';
import { FakeComposer } from './composer.ts';
import { Conversations } from './conversation.ts';
import { askHook, spawnWaiter, tellInterruption, tellRest, tellTurn } from './hooks.ts';
import { isReleasable, type Kind } from './kinds.ts';
import { FakeModel, failureActs, type Reply } from './model.ts';
import { FakeMonitor } from './monitor.ts';
import { answerFor, drain } from './puller.ts';
import { Queues } from './queues.ts';
import { FakeRecords } from './records.ts';
import { Life } from './scheduler.ts';
import type { Stage } from './stage.ts';
import { type Entry, isOurs, readEnvelope } from './truth.ts';
import { Wish } from './wish.ts';

/** A coding agent: one process after the other, its turns, and what a person does to it. */
export class FakeAgent {
  readonly id: string;
  readonly kind: Kind;
  readonly stage: Stage;
  readonly talk: Conversations;
  /** Kept by the CLI for the next turn. */
  readonly queue: Queues;
  readonly composer: FakeComposer;
  readonly monitor: FakeMonitor;
  readonly records: FakeRecords;
  readonly model: FakeModel;
  readonly wish = new Wish();
  readonly channel = new FakeChannel();
  /** Marks that are on their way in, and may still arrive. */
  readonly underway = new Set<string>();
  /** Marks of which its records have said what became of them. */
  readonly told = new Set<string>();
  epoch = 0;
  pid = 0;
  process: Life = new Life();
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
    this.queue = new Queues(kind, this.talk);
    this.composer = new FakeComposer(stage);
    this.monitor = new FakeMonitor(stage, id);
    this.records = new FakeRecords(stage.scheduler);
    this.model = new FakeModel(stage.scheduler);
    this.process.end();
  }

  /** Delivery knows of every turn that has ended, as far as can be told. */
  get isUpToDate(): boolean {
    return this.missed === undefined && !this.stage.audience;
  }

  get isAlive(): boolean {
    return !this.process.isOver;
  }

  get status(): AgentStatus {
    return this.monitor.status;
  }

  get isAtRest(): boolean {
    return isAtRest(this.status);
  }

  /** In this conversation. */
  start(epoch: number, conversation: number): void {
    this.process = new Life();
    this.pid = this.stage.hosts.start().pid;
    this.epoch = epoch;
    if (conversation !== this.talk.current) this.#open(conversation);
    this.#isPaused = false;
    this.channel.isCut = false;
    this.setStatus('starting');
    this.after(200, 1500, () => {
      this.setStatus('idle');
      spawnWaiter(this);
      this.#goOn();
    });
  }

  kill(): void {
    this.#turn.end();
    this.stage.hosts.kill(this.pid);
    this.process.end();
    this.composer.clear();
    this.underway.clear();
    this.joining = [];
    this.queue.processEnded();
    this.talk.flush();
    this.setStatus('exited');
  }

  setStatus(status: AgentStatus): void {
    if (isAtRest(status)) this.#blocks = 0;
    this.monitor.set(status);
  }

  /** By its own way in, or from the composer. */
  take(text: string): void {
    this.underway.delete(readEnvelope(text)?.mark ?? '');
    if (!this.isAlive) return;
    const isFirst = this.queue.length + this.joining.length === 0;
    if (this.isAtRest && !this.#isPaused && isFirst) this.#begin([text], true);
    else if (this.kind.whileWorking === 'join' && this.status === 'processing')
      this.joining.push(text);
    else {
      this.queue.push(text);
      this.wish.meet(this, 'queued');
    }
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

  /**
   * `/new`, `/clear`, `/resume`: the terminal shows another conversation, at rest and with an empty
   * composer only.
   */
  show(conversation: number, how: 'kept' | 'cleared' = 'kept'): boolean {
    if (!this.isAtRest || !this.composer.isEmpty) return false;
    this.composer.set('', 'person');
    this.#open(conversation, how);
    // The line that told it to drain stayed behind.
    this.#mustDrain = false;
    this.release();
    return true;
  }

  interrupt(): void {
    if (this.status !== 'processing' && this.status !== 'waiting') return;
    const isUnread = this.talk.listUnread().some(isOurs);
    this.#account(isUnread ? 'Esc before any output' : 'Esc in mid-answer');
    this.#turn.end();
    const back = this.talk.cancel();
    this.composer.set(this.composer.text === '' ? (back ?? '') : this.composer.text, 'person');
    this.queue.push(...this.joining.splice(0));
    if (this.queue.length > 0) this.#account('Esc over a queue');
    this.#emptyQueue();
    // A queue that nobody could release goes on by itself (Claude Code 2.1.325 sends it at once).
    this.#isPaused = this.queue.length > 0 && isReleasable(this.kind);
    this.setStatus('completed');
    spawnWaiter(this);
    tellInterruption(this);
    this.#goOn();
  }

  /** What Esc does to the queue of a CLI that does not keep it. */
  #emptyQueue(): void {
    const { queueOnEsc = 'kept' } = this.kind.ways;
    if (queueOnEsc === 'kept') return;
    const [first] = this.queue.takeAll();
    if (queueOnEsc !== 'returned' || first === undefined || !this.composer.isEmpty) return;
    // The person may send it at any time, also after it was given up (rule 12).
    this.stage.truth.late.add(readEnvelope(first)?.mark ?? '');
    this.composer.set(first, 'person');
  }

  release(): void {
    this.#isPaused = false;
    this.#goOn();
  }

  after(low: number, high: number, run: () => void): void {
    this.stage.scheduler.after(this.process, this.stage.random.between(low, high), run);
  }

  #begin(texts: readonly string[], isWake = false): void {
    this.turns++;
    this.#turn = this.process.child();
    this.#isContinued = false;
    if (this.kind.saysContinued) this.#blocks = 0;
    this.setStatus('processing');
    this.stage.audience?.began(this);
    for (const text of texts) this.#land(text, isWake);
    if (texts.length > 0) this.wish.meet(this, 'landed');
    this.#plan();
  }

  #land(text: string, isWake = false): void {
    const by = this.kind.ways.hasWaitingHook ? 'hook' : 'other';
    this.talk.land(this.epoch, text, by, isWake);
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
    const carried = this.talk.listUnread();
    const reply = this.model.answer(faults, carried.every(isOurs) ? 0.06 : 0.3);
    if (reply === 'answered' || reply === 'broken') {
      await answerFor(this, turn, this.talk.speak(reply));
      this.wish.meet(this, 'answered');
    }
    if (reply !== 'answered') return this.#fail(reply, carried);
    if (this.#mustDrain || random.chance(0.04)) {
      this.#mustDrain = false;
      await drain(this, turn);
      return this.#plan();
    }
    if (faults?.dialogs && random.chance(0.08)) return this.#ask();
    await (random.chance(0.3) ? this.#useTool(turn) : this.#stop(turn));
  }

  #ask(): void {
    this.#account('dialogs');
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
      this.talk.passBoundary('completed');
      const mayAsk = await tellTurn(this, turn, 'completed');
      const isContinued = this.kind.saysContinued ? this.#isContinued : true;
      const text = mayAsk ? await askHook(this, turn, 'turn-boundary', isContinued) : undefined;
      if (text !== undefined) return this.#continue(text);
    }
    turn.end();
    if (!hasHook) this.talk.passBoundary('completed');
    this.setStatus('completed');
    tellRest(this, hasHook);
    spawnWaiter(this);
    this.#goOn();
  }

  #continue(text: string): void {
    this.#isContinued = true;
    this.#blocks++;
    const own = this.kind.ways.maxBlocks ?? Number.POSITIVE_INFINITY;
    const more = this.#blocks - Math.min(this.stage.blockLimit, own);
    const broken = more > 0 && `rule 19: ${this.#blocks} blocks in a row`;
    if (more >= 0) this.stage.truth.judge('rule 19: the last block', broken);
    this.talk.land(this.epoch, text, 'hook');
    this.#plan();
  }

  #fail(reply: Exclude<Reply, 'answered'>, carried: readonly Entry[]) {
    this.#account(failureActs[reply]);
    // Some refusals the CLI itself answers with another try.
    if (reply === 'refused' && this.stage.random.chance(0.3)) return this.#plan();
    this.#turn.end();
    this.talk.passBoundary('failed');
    this.talk.fail(carried, reply === 'refused' ? 'refused' : 'failed', this.isUpToDate);
    this.setStatus(this.kind.hidesFailure ? 'completed' : 'error');
    spawnWaiter(this);
    void tellTurn(this, this.process, 'failed');
  }

  /** What it kept for itself comes next. */
  #goOn(): void {
    if (this.#isPaused || this.queue.length + this.joining.length === 0) return;
    this.after(10, 100, () => {
      if (!this.isAtRest || this.#isPaused) return;
      const texts = [...this.queue.takeAll(), ...this.joining.splice(0)];
      if (texts.length > 0) this.#begin(texts);
    });
  }

  /** What stays behind in a queue comes late, if it comes. */
  #open(conversation: number, how?: 'kept' | 'cleared'): void {
    this.talk.open(conversation, how);
    for (const text of this.queue.listElsewhere())
      this.stage.truth.late.add(readEnvelope(text)?.mark ?? '');
  }

  #account(act: Act): void {
    this.stage.account.note(this.kind.name, act);
  }
}
