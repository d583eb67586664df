import { createFusionMemory } from '../agents/fusion-memory.ts';
import { fullName } from '../agents/reference.ts';
import { isAtRest } from '../agents/remember-turn.ts';
import type { StatusView } from '../agents/status.ts';
import type { AgentContext, OwnState, StateWatch } from '../providers/provider.ts';
import type { TurnNews } from '../providers/way-in.ts';
import type { Ledger } from '../store/ledger.ts';
import type { NativeStatus } from '../terminals/backend.ts';
import { describeLive } from './describe-live.ts';
import type { HookCall, HookReceipt, LiveAgent } from './fleet.ts';
import { ToldQuestion } from './interrupt/told-question.ts';
import type { Working } from './interrupt/working.ts';
import { keepConversation } from './keep-conversation.ts';
import { KnownConversation } from './known-conversation.ts';
import { KnownEnvironment } from './known-environment.ts';
import { lastKnown, statusKey, unseen } from './known-status.ts';
import type { Life, Remains } from './life.ts';
import { NewestWrite } from './newest-write.ts';
import { noteSubmitted } from './note-submitted.ts';
import type { FleetParts } from './parts.ts';
import { People } from './people.ts';
import { openQuestions } from './questions/open.ts';
import { type Questions, withHidden, withQuestions } from './questions/questions.ts';
import { readReceipt } from './read-receipt.ts';
import { type OpenRecipient, openRecipient } from './recipient.ts';
import { runFolder } from './run-folder.ts';
import { SubAgents } from './sub-agents.ts';
import { Troubles } from './troubles.ts';
import { openTurnRecords } from './turn-records.ts';
import { UntoldRest } from './untold-rest.ts';
import { StatusMonitor } from './watch-status.ts';
import { TurnWatch } from './watch-turns.ts';
import type { SeenWorker } from './workers/read-facts.ts';

/**
 * One agent in a terminal of ours, for one epoch. It owns the monitor of its status, the watch on
 * its CLI's own state, and the order in which what is learned reaches the ledger. It touches the
 * terminal only by looking, and dies with `close`: the next one learns all it knew again.
 */
export class RunningAgent {
  readonly life: Life;
  readonly questions: Questions;
  readonly #parts: FleetParts;
  readonly #monitor: StatusMonitor;
  readonly #watch: StateWatch | undefined;
  readonly #onGone: () => void;
  readonly #troubles: Troubles;
  readonly #turns: TurnWatch;
  readonly #recipient: OpenRecipient;
  readonly #environment: KnownEnvironment;
  readonly #statuses: NewestWrite<Omit<StatusView, 'composer'>>;
  readonly #conversation: KnownConversation;
  readonly #untoldRest = new UntoldRest();
  readonly #toldQuestion: ToldQuestion;
  readonly #subAgents: SubAgents;
  #written: string;
  readonly people: People;
  #isHidden = false;
  #notes: string[] = [];

  constructor(parts: FleetParts, life: Life, onGone: () => void) {
    this.#parts = parts;
    this.life = life;
    this.#onGone = onGone;
    this.#troubles = new Troubles(life.agent.id, parts.log);
    this.#environment = new KnownEnvironment(life.agent.id, life.terminal.pid, life.given);
    this.#subAgents = new SubAgents({ isFoundAgain: life.given === undefined });
    this.#written = statusKey(life.agent);
    this.#statuses = new NewestWrite((status) =>
      this.#write((ledger) =>
        ledger.write((tx) => tx.agents.setStatus(life.agent.id, status), { haste: 'last' }),
      ),
    );
    const { clock } = parts.surroundings;
    this.people = new People(clock, life.terminal, (said) => this.note(said));
    this.#toldQuestion = new ToldQuestion(clock, life.provider.capabilities);
    this.#conversation = new KnownConversation(clock, life.epoch.conversation, (learned) =>
      this.#write((ledger) => keepConversation(ledger, clock, life.epoch, learned)),
    );
    this.#monitor = new StatusMonitor(
      {
        clock,
        look: () =>
          life.backend.look(life.terminal, { styled: life.provider.capabilities.styledScreen }),
        detect: (look) => this.#toldQuestion.seen(life.detect(look)),
        readyAfterMs: life.provider.readyAfterMs ?? 0,
        onChange: (view) => this.#publish(view),
        onLook: (look) => {
          this.#troubles.end();
          this.people.note(look);
        },
        onGone: () => this.#onGone(),
        onTrouble: (error) => this.#troubles.take('look', error),
      },
      createFusionMemory({
        startedAt: clock.monotonicMs(),
        last: { ...unseen(life.agent), ...lastKnown(life.agent) },
      }),
    );
    const live = { current: () => this.context, changed: () => parts.delivery.look(this.id) };
    const told = { ...live, changed: () => this.#tellQuestions(), people: this.people };
    this.questions = openQuestions(parts, life, this.#troubles, told);
    const records = openTurnRecords(life, () => this.context);
    const isBehind = (): boolean => this.#watch?.isBehind?.() ?? false;
    this.#turns = new TurnWatch(parts, life, { ...records, isBehind });
    this.#watch = this.#troubles.attempt('state watch', () =>
      life.provider.watchState?.(this.context, (state) => this.#takeState(state)),
    );
    this.#recipient = openRecipient(parts, life, {
      live,
      view: () => withHidden(this.#monitor.view ?? unseen(life.agent), this.questions),
      atRestSince: () => this.#monitor.atRestSince,
      brokenOffAt: () => this.#untoldRest.since,
      emptySince: () => this.#monitor.emptySince,
      lastLook: () => this.#monitor.lastLook,
      humanKeyAt: () => this.people.keyAt,
      keyTimes: this.people.keyTimes,
      subAgents: this.#subAgents,
      entered: () => this.#beginTurn(),
      prompted: (beganMs) => this.#turns.prompted(() => this.#monitor.view, beganMs),
      onTrouble: this.#troubles.take,
    });
    parts.delivery.attach(this.#recipient);
  }

  get id(): string {
    return this.life.agent.id;
  }

  get live(): LiveAgent {
    const view = this.#monitor.view ?? unseen(this.life.agent);
    return describeLive(withQuestions(view, this.questions.now), {
      providerVersion: this.life.epoch.providerVersion,
      conversation: this.#conversation.current,
      typed: this.people.typed,
      notes: this.#notes,
    });
  }

  /** What decides whether it has anything left to do, beside the ledger. */
  get seenAsWorker(): SeenWorker {
    const { view = unseen(this.life.agent), lastLook, restsMs } = this.#monitor;
    const isBeside = this.#subAgents.beside(view.status, lastLook, this.#now) !== undefined;
    return { ...view, restsMs, isBeside, watchers: this.people.watchers };
  }

  get working(): Working {
    const [view, askedAt] = [() => this.live, () => this.#untoldRest.askedAt];
    const mayAsk = () => this.#toldQuestion.isOpen || this.questions.now.questions.length > 0;
    const pressed = (): void => this.people.press();
    return { life: this.life, native: this.#recipient.native, view, askedAt, mayAsk, pressed };
  }

  /** Resolves when nothing of ours is under way in it; nothing more is put in. */
  async stopCarrying(): Promise<void> {
    await this.#parts.delivery.detach(this.id);
  }

  carryAgain(): void {
    this.#parts.delivery.attach(this.#recipient);
  }

  /** It has been looked at. */
  get hasView(): boolean {
    return this.#monitor.view !== undefined;
  }

  get isTroubled(): boolean {
    return this.#troubles.isOpen;
  }

  /** Enough for a provider to find what the CLI writes about itself. */
  get context(): AgentContext & { readonly transcriptPath?: string } {
    const { agent, epoch, terminal, owedReceipts } = this.life;
    const { current, transcriptPath } = this.#conversation;
    return {
      agent: agent.id,
      pid: terminal.pid,
      cwd: agent.cwd,
      runFolder: runFolder(this.#parts, epoch),
      conversation: current,
      startedAt: epoch.startedAt,
      version: epoch.providerVersion,
      env: this.#environment.read(),
      ...(owedReceipts === undefined ? {} : { owedReceipts }),
      ...(transcriptPath === undefined ? {} : { transcriptPath }),
    };
  }

  /** What a next life of it must know. */
  get remains(): Remains {
    const { current: conversation, lastTurnIn } = this.#conversation;
    return { conversation, lastTurnIn, env: this.#environment.read() };
  }

  /** Without bytes it is a hint that something may have changed. */
  output(bytes: number): void {
    if (bytes > 0) this.#monitor.output();
    else this.#monitor.hint();
    this.#watch?.check();
    this.#parts.announce.output(this.id, bytes);
  }

  /** The backend's own idea of what it does. */
  native(native: NativeStatus | undefined): void {
    this.#monitor.native(native);
  }

  /** What happened to the backend's connection may have hidden anything. */
  lookAgain(): void {
    this.#monitor.output();
    this.#watch?.check();
    // What it can do may be known only now.
    this.#parts.delivery.look(this.id);
  }

  /** Resolves when what it tells of a turn's end is on disk: whoever is answered may rely on it. */
  async hook(call: HookCall): Promise<HookReceipt> {
    return readReceipt(this.life.provider, this.#troubles, call, await this.#learn(call));
  }

  async #learn({ event, body, ...named }: HookCall): Promise<boolean> {
    try {
      this.questions.note({ event, body });
      await noteSubmitted(this.#parts, this.id, body);
      const meaning = this.life.provider.readHook?.({ event, body });
      if (!meaning) return false;
      if (meaning.transcriptPath !== undefined)
        this.#conversation.transcriptPath = meaning.transcriptPath;
      if (meaning.conversation !== undefined) this.#learnConversation(meaning.conversation);
      const kept = meaning.turnEnd && this.#endTurn({ ...meaning.turnEnd, ...named });
      if (meaning.report?.status === 'processing') this.#beginTurn();
      if (meaning.report) this.#monitor.hook(meaning.report);
      this.#toldQuestion.told(meaning.report);
      const { subAgents } = meaning;
      if (subAgents && this.#subAgents.take(subAgents)) this.#parts.delivery.look(this.id);
      await kept;
      return true;
    } catch (error) {
      this.#troubles.take(`hook ${event}`, error); // The agent goes on.
      return false;
    }
  }

  note(text: string): void {
    if (!this.#notes.includes(text)) this.#notes = [...this.#notes, text].slice(-8);
  }

  /** Resolves when all it learned is in the ledger, or was given up with a word in the log. */
  async close(): Promise<void> {
    this.#monitor.close();
    this.people.close();
    await this.#parts.delivery.detach(this.id);
    this.#troubles.attempt('close of its questions', () => this.questions.close());
    this.#recipient.close();
    await this.#turns.close();
    this.#troubles.attempt('close of the state watch', () => this.#watch?.close());
    await Promise.all([this.#statuses.settled(), this.#conversation.settled()]);
  }

  #takeState(state: OwnState): void {
    if (state.conversation !== undefined) this.#learnConversation(state.conversation);
    if (state.turnEnd) void this.#endTurn(state.turnEnd);
    if (!('report' in state)) return;
    this.#monitor.ownState(state.report);
    this.#toldQuestion.told(state.report);
    this.questions.ownState(state.report);
  }

  get #now(): number {
    return this.#parts.surroundings.clock.monotonicMs();
  }

  #beginTurn(): void {
    this.#untoldRest.began();
    this.#turns.began();
  }

  #endTurn(news: TurnNews): Promise<void> {
    this.#conversation.lastTurnIn = news.session;
    if (this.#untoldRest.told(news, this.#now)) this.#parts.delivery.look(this.id);
    return this.#turns.news(news);
  }

  #learnConversation(conversation: string): void {
    if (this.#conversation.learn(conversation)) this.#watch?.follow?.(conversation);
  }

  #publish(seen: StatusView): void {
    const view = withHidden(seen, this.questions);
    const { agent, backend, terminal } = this.life;
    this.#announce(view);
    backend.report?.(terminal, view.status, { name: fullName(agent), detail: view.detail });
    this.#turns.status(view);
    this.#untoldRest.status(view, this.#now);
    this.#parts.delivery.look(agent.id);
    const key = statusKey(view);
    if (key === this.#written) return;
    this.#written = key;
    const { composer: _, question: __, ...status } = view;
    this.#statuses.put(status);
  }

  #tellQuestions(): void {
    const { view } = this.#monitor;
    const isHidden = this.questions.hiddenSince !== undefined;
    if (view && isHidden !== this.#isHidden) this.#publish(view);
    else if (view) this.#announce(view);
    this.#isHidden = isHidden;
    this.#parts.delivery.look(this.id);
  }

  #announce(view: StatusView): void {
    this.questions.rests(isAtRest(view.status));
    this.#parts.announce.status(this.life.agent, withQuestions(view, this.questions.now));
  }

  async #write(work: (ledger: Ledger) => Promise<unknown>): Promise<void> {
    try {
      await work(this.#parts.ledger);
    } catch (error) {
      // Reported there; the next status is written again.
      this.#written = '';
      this.#troubles.take('ledger', error);
    }
  }
}
