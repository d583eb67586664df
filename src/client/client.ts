import type { Awaitable } from '../delivery/reach.ts';
import type { Outgoing } from '../fleet/outgoing.ts';
import type { MessageState } from '../messages/message.ts';
import type { AgentName, AgentView, RemoveResult } from '../protocol/agents.ts';
import type { LedgerReport } from '../protocol/doctor.ts';
import type { EventView } from '../protocol/events.ts';
import type { InterruptView } from '../protocol/interrupt.ts';
import type {
  CancelView,
  DrainResult,
  Explanation,
  InboxList,
  MessageView,
  PartView,
  SendResult,
} from '../protocol/messages.ts';
import type { DashboardView } from '../protocol/page.ts';
import type { Skipped } from '../protocol/printed.ts';
import type { AgentQuestions, DecidedView, DecisionRequest } from '../protocol/questions.ts';
import type { AnswerView, TaskRequest, TaskView } from '../protocol/tasks.ts';
import type {
  AttachView,
  LaunchRequest,
  OutputMode,
  OutputPiece,
  OutputView,
  StopView,
} from '../protocol/terminals.ts';
import type { AddWish } from '../requests/add-agent.ts';
import type { Shown, ShowWish } from '../requests/show-message.ts';
import type { Several } from './several.ts';

/**
 * What the command line, and everybody else outside, may ask for. Agents are named as people name
 * them: by name, by id, or `self`. Failures a caller can act on are `Fault`s. What concerns
 * terminals is asked of the daemon, which is started when it does not run.
 */
export interface Client extends DirectClient {
  launch(wanted: WantedLaunch): Promise<AgentView>;
  /** Until an agent that was launched is beyond its start, or so long; a fault if it has ended. */
  awaitLaunch(agent: string, timeoutMs: number): Promise<AgentView>;
  /** Gives a task; for a profile or provider an agent is launched. */
  assign(task: Asked<TaskRequest>): Promise<TaskView>;
  /** The answer, or why there is none; to be confirmed once it is printed. */
  awaitAnswer(task: string, timeoutMs: number): Promise<AnswerView>;
  confirmHandOver(id: string): Promise<void>;
  stopAgents(which: WhichAgents): Promise<Several<StopView>>;
  /** Ends its turn, as its Esc would; for the user at a terminal alone. */
  interrupt(agent: string, timeoutMs: number): Promise<InterruptView>;
  restartAgents(which: WhichAgents, how: RestartHow): Promise<Restarted>;
  output(agent: string, mode: OutputMode): Promise<OutputView>;
  /** Raw output from now on, until the agent ends. */
  followOutput(agent: string): AsyncIterable<OutputPiece>;
  /** What it asks and can be answered without its terminal, whole. */
  questions(agent: string): Promise<AgentQuestions>;
  /** Exactly this question, by its name. */
  answer(agent: string, question: string, decision: DecisionRequest): Promise<DecidedView>;
  attachCommand(agent: string): Promise<AttachView>;
  /** A link for one sign-in to the page in a browser; for the user at a terminal alone. */
  openDashboard(readOnly: boolean): Promise<DashboardView>;
  /** Events from now on, until `over`; survives a restart of the daemon. */
  watchEvents(patterns: readonly string[], over?: AbortSignal): AsyncIterable<EventView>;
  recentEvents(patterns: readonly string[]): Promise<readonly EventView[]>;
}

/** What the ledger alone can answer, without a daemon. */
export interface DirectClient {
  /** Who is asking: the agent that SIGNALBOX_AGENT names, else the user. */
  readonly caller: AgentName;

  /**
   * The session that the caller works in: an agent's own, or that of the project of this folder.
   */
  findSession(): Promise<string | undefined>;
  /** What anybody may write for this agent, by id, and reach no other of its name. */
  nameOf(agent: string): Promise<string>;
  /** What a person calls these messages, by id: `lead:412`. It never fails. */
  nameMessages(ids: readonly string[]): Promise<(id: string) => string>;
  addAgent(wanted: AddWish): Promise<AgentView>;
  /** `startsNothing`: what was last known, when no daemon runs. */
  listAgents(
    session?: string,
    options?: { readonly startsNothing?: boolean },
  ): Promise<readonly AgentView[]>;
  showAgent(agent: string): Promise<AgentView>;
  /** Whom a command that ends agents means, by id. */
  selectAgents(which: WhichAgents): Promise<readonly string[]>;
  removeAgents(which: WhichAgents): Promise<RemoveResult>;

  send(message: Outgoing): Promise<SendResult>;
  listInbox(agent: string | undefined, query: InboxQuery): Promise<InboxList>;
  show(id: string): Promise<MessageView>;
  /** For whoever prints it. */
  showOut(id: string, wish: Omit<ShowWish, 'id'>): Promise<Shown>;
  drain(agent: string | undefined, wanted: WantedDrain): Promise<Drain>;
  ack(ids: readonly string[]): Promise<readonly { id: string; state: MessageState }[]>;
  explain(id: string): Promise<Explanation>;
  /** Takes it back, where that is still possible. */
  cancel(id: string): Promise<CancelView>;
  /** Whether it came so far in time. A fault at once when it never will. */
  waitFor(id: string, state: Awaitable, timeoutMs: number): Promise<boolean>;

  listDeadLetters(query: { max: number }): Promise<InboxList>;
  retryDeadLetter(id: string): Promise<MessageView>;
  discardDeadLetter(id: string): Promise<MessageView>;

  doctor(options: { fix: boolean }): Promise<LedgerReport>;
  close(): Promise<void>;
}

/** The environment and the umask of whoever asks go along (rule 40). */
export type WantedLaunch = Asked<LaunchRequest>;

/** Without a folder: here for the user, and an agent's own folder for that agent. */
type Asked<Request extends { readonly cwd: string }> = Omit<Request, 'env' | 'umask' | 'cwd'> &
  Partial<Pick<Request, 'cwd'>>;

export interface WhichAgents {
  readonly names: readonly string[];
  readonly session?: string;
  /** Every agent but the user. */
  readonly all?: true;
}

export interface RestartHow {
  readonly fresh: boolean;
  /** Where it works from now on. */
  readonly cwd?: string;
}

export interface Restarted extends Several<AgentView> {
  /** Those that `--all` leaves alone, each with the reason. */
  readonly skipped: readonly Skipped[];
}

interface InboxQuery {
  readonly states: readonly MessageState[];
  readonly max: number;
}

/**
 * What was taken out of an inbox. It is the caller's only once `finish` resolved: print and flush
 * before (rule 16).
 */
export interface Drain extends DrainResult {
  readonly messages: readonly PartView[];
  finish(): Promise<void>;
  lose(cause: string): Promise<void>;
}

interface WantedDrain {
  readonly max?: number | undefined;
  /**
   * In an agent's own terminal long bodies come part by part: a model reads what is printed
   * (rule 17).
   */
  readonly inParts?: boolean;
}
