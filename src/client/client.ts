import type { Awaitable } from '../delivery/reach.ts';
import type { Outgoing } from '../fleet/outgoing.ts';
import type { MessageState } from '../messages/message.ts';
import type { AgentName, AgentView, RemoveResult } from '../protocol/agents.ts';
import type { LedgerReport } from '../protocol/doctor.ts';
import type { EventView } from '../protocol/events.ts';
import type {
  DrainResult,
  Explanation,
  InboxList,
  MessageView,
  SendResult,
} from '../protocol/messages.ts';
import type { AnswerView, TaskRequest, TaskView } from '../protocol/tasks.ts';
import type {
  AttachView,
  LaunchRequest,
  OutputMode,
  OutputPiece,
  OutputView,
  StopView,
} from '../protocol/terminals.ts';
import type { Several } from './several.ts';

/**
 * What the command line, and everybody else outside, may ask for. Agents are named as people name them: by name, by id,
 * or `self`. Failures a caller can act on are `Fault`s. What concerns terminals is asked of the daemon, which is started when
 * it does not run.
 */
export interface Client extends DirectClient {
  launch(wanted: WantedLaunch): Promise<AgentView>;
  /** Gives a task; for a profile or provider an agent is launched. */
  assign(task: Omit<TaskRequest, 'env'>): Promise<TaskView>;
  /** The answer, or why there is none; to be confirmed once it is printed. */
  awaitAnswer(task: string, timeoutMs: number): Promise<AnswerView>;
  confirmHandOver(id: string): Promise<void>;
  stopAgents(which: WhichAgents): Promise<Several<StopView>>;
  restartAgents(which: WhichAgents, how: { fresh: boolean }): Promise<Several<AgentView>>;
  output(agent: string, mode: OutputMode): Promise<OutputView>;
  /** Raw output from now on, until the agent ends. */
  followOutput(agent: string): AsyncIterable<OutputPiece>;
  attachCommand(agent: string): Promise<AttachView>;
  /** Events from now on; survives a restart of the daemon. */
  watchEvents(patterns: readonly string[]): AsyncIterable<EventView>;
  recentEvents(patterns: readonly string[]): Promise<readonly EventView[]>;
}

/** What the ledger alone can answer, without a daemon. */
export interface DirectClient {
  /** Who is asking: the agent that SIGNALBOX_AGENT names, else the user. */
  readonly caller: AgentName;

  addAgent(wanted: WantedAgent): Promise<AgentView>;
  /** `startsNothing`: what was last known, when no daemon runs. */
  listAgents(
    session?: string,
    options?: { readonly startsNothing?: boolean },
  ): Promise<readonly AgentView[]>;
  showAgent(agent: string): Promise<AgentView>;
  removeAgents(which: WhichAgents): Promise<RemoveResult>;

  send(message: Outgoing): Promise<SendResult>;
  listInbox(agent: string | undefined, query: InboxQuery): Promise<InboxList>;
  show(id: string): Promise<MessageView>;
  /** For whoever prints it. */
  showOut(id: string): Promise<Shown>;
  drain(agent: string | undefined, max: number | undefined): Promise<Drain>;
  ack(ids: readonly string[]): Promise<readonly { id: string; state: MessageState }[]>;
  explain(id: string): Promise<Explanation>;
  /** Whether it came so far in time. A fault at once when it never will. */
  waitFor(id: string, state: Awaitable, timeoutMs: number): Promise<boolean>;

  listDeadLetters(query: { max: number }): Promise<InboxList>;
  retryDeadLetter(id: string): Promise<MessageView>;
  discardDeadLetter(id: string): Promise<MessageView>;

  doctor(options: { fix: boolean }): Promise<LedgerReport>;
  close(): Promise<void>;
}

export interface WantedAgent {
  readonly name: string;
  readonly session?: string;
  readonly parent?: string;
  readonly notify: boolean;
  readonly cwd: string;
}

/** The environment of whoever asks goes along (rule 40). */
export type WantedLaunch = Omit<LaunchRequest, 'env'>;

export interface WhichAgents {
  readonly names: readonly string[];
  readonly session?: string;
  /** Every agent but the user. */
  readonly all?: true;
}

export interface InboxQuery {
  readonly states: readonly MessageState[];
  readonly max: number;
}

/** What was taken out of an inbox. It is the caller's only once `finish` resolved: print and flush before (rule 16). */
export interface Drain extends DrainResult {
  /** An agent's own, in its terminal: what is printed goes to its model, and its next call answers for it (rule 17). */
  readonly isInTerminal: boolean;
  /** `partly` names those whose bodies were not printed to their end. */
  finish(partly?: readonly string[]): Promise<void>;
  lose(cause: string): Promise<void>;
}

/** One message, to be printed. */
export interface Shown {
  readonly message: MessageView;
  /** Its recipient asks, in its own terminal. */
  readonly isOwn: boolean;
  /** The body was printed to its end, and flushed. */
  finish(): Promise<void>;
}
