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
  drain(agent: string | undefined, max: number | undefined): Promise<Drain>;
  ack(ids: readonly string[]): Promise<readonly { id: string; state: MessageState }[]>;
  explain(id: string): Promise<Explanation>;

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
}

export interface Outgoing {
  readonly to: string;
  readonly body: string;
  readonly from?: string;
  readonly key?: string;
  readonly urgent?: boolean;
  readonly ttlMs?: number;
  readonly replyTo?: string;
}

export interface InboxQuery {
  readonly states: readonly MessageState[];
  readonly max: number;
}

/** What was taken out of an inbox. It is the caller's only once `finish` resolved: print and flush before (rule 16). */
export interface Drain extends DrainResult {
  finish(): Promise<void>;
  lose(cause: string): Promise<void>;
}
