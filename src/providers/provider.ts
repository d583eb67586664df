import type { Permission } from '../agents/permission.ts';
import type { StatusReport, WindowSize } from '../agents/status.ts';
import type { WaitReason } from '../messages/wait-reason.ts';
import type { ProviderCapabilities } from './capabilities.ts';
import type { LaunchedAs, LaunchPlan, LaunchRequest } from './launch-plan.ts';
import type { FindDecision, HookQuestion, QuestionChannel } from './questions.ts';
import type { Saved } from './saved.ts';
import type {
  Evidence,
  HookOffer,
  HookReply,
  LiveContext,
  NativeRoute,
  PutUp,
  TurnNews,
} from './way-in.ts';

/**
 * The adapter for one CLI: how it is started beside the user's own configuration, what it tells
 * about itself, and what its screen means (`detector.yaml` in the same folder). One folder each,
 * with the same file names.
 */
export interface Provider {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly title: string;
  /** Looked for on the PATH of whoever launches. */
  readonly executable: string;
  readonly capabilities: ProviderCapabilities;
  /** Questions it may ask a person before it can work, as `waiting` details. */
  readonly firstRunQuestions: readonly string[];
  /**
   * How long its first composer must have stood to count: some CLIs draw it before they ask such a
   * question.
   */
  readonly readyAfterMs?: number;
  /**
   * Decides everything and changes nothing; files are written by the fleet, into the run folder.
   */
  planLaunch(request: LaunchRequest): LaunchPlan;
  /**
   * Before a conversation is resumed: takes away what a killed life of it left, where the CLI would
   * ask a person about that.
   */
  clearBehind?(conversation: string, env: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Whether there is anything of a conversation that could be resumed. Without this each is taken
   * for saved.
   */
  findSaved?(wanted: WantedConversation): Promise<Saved>;
  /**
   * The conversation that it was in at last, from the one it is known by: where /clear begins
   * another, and without hooks nothing tells. Throws where that cannot be read.
   */
  findLast?(wanted: WantedConversation): Promise<string>;
  /**
   * What a person's own arguments let it do without asking; undefined: they say nothing about that,
   * or it cannot be told.
   */
  readPermission?(extraArgs: readonly string[]): Permission | undefined;
  /** The version of the installed CLI, without running it where its package tells. */
  readVersion(executablePath: string): Promise<string | undefined>;
  /**
   * The CLI's own state, where it has one: a file, a socket, an API. Reports until disposed; never
   * throws.
   */
  watchState?(context: AgentContext, report: (report: OwnState) => void): StateWatch;
  /**
   * Why no message wakes a life that was started so, although its capabilities name a native route;
   * undefined where one does. From data alone: asked before it is up, and without a daemon.
   * Providers that have it stand in `may-lack-native.ts`.
   */
  lacksNative?(life: LaunchedAs): WaitReason | undefined;
  /** The CLI's own way in, where this life has one; `native.ts`. */
  openNative?(life: LiveContext): NativeRoute;
  /**
   * Puts its standing channel up again, which is gone while the agent lives (rule 53); `put-up.ts`.
   * Never throws.
   */
  putUp?(context: AgentContext): Promise<PutUp>;
  /** Its questions and the channel that answers them, where this life has one; `questions.ts`. */
  openQuestions?(life: LiveContext): QuestionChannel | undefined;
  /**
   * Called before a decision goes to a hook that waits: by what the CLI's records show since, it
   * was taken. Undefined where they show nothing.
   */
  trackDecision?(
    hook: HookPayload,
    life: Pick<AgentContext, 'env'>,
  ): Promise<FindDecision | undefined>;
  /** The question that this call of a hook is, for a CLI whose hook waits for the decision. */
  readQuestion?(hook: HookPayload): HookQuestion | undefined;
  /**
   * What proves how far an attempt got; `evidence.ts`. Without it `injected` is the end (rule 8).
   */
  openEvidence?(life: LiveContext): Evidence;
  /**
   * What this call of a hook lets us say to the model; undefined: nothing, or not here (a
   * sub-agent's, rule 38).
   */
  readOffer?(hook: HookPayload): HookOffer | undefined;
  /**
   * How this call of a hook, which tells of a text that was submitted, shows the person a line
   * about it; undefined: not here. For CLIs with `showsSenders`.
   */
  readCaption?(hook: HookPayload): ((line: string) => HookReply) | undefined;
  /**
   * What one hook's payload means for the status; undefined when it means nothing (sub-agents,
   * hidden threads).
   */
  readHook?(hook: HookPayload): HookMeaning | undefined;
  /** The last answer from its transcript or API; undefined when there is no such source. */
  readLastAnswer?(context: AgentContext, signal: AbortSignal): Promise<Answer | undefined>;
  /**
   * The last turn that began, under the name that its end will have; for ends that the authority
   * for them does not tell (rule 26).
   */
  findLastTurn?(
    context: AgentContext,
    signal: AbortSignal,
  ): Promise<Pick<TurnNews, 'session' | 'id'> | undefined>;
  /**
   * The parts of a turn that has ended, for a CLI that tells one end of a turn which others joined:
   * each part was given something, and has an answer of its own (rule 27). The last of them is the
   * end that was told. Waits until the records have it, or until the signal ends, and then gives
   * what is known.
   */
  readTurnParts?(
    end: TurnNews,
    place: WantedConversation,
    heard: HeardTurn,
  ): Promise<readonly TurnNews[]>;
  /**
   * Which of these lines, the last ones of messages in an answer of ours, stand in a tool's result
   * that is on record; for a CLI that cancels calls whose answers it has taken (rule 17). Waits for
   * its records until the signal ends.
   */
  findInResults?(
    context: AgentContext,
    ends: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /** Without a transcript: cuts the last answer out of plain terminal text. */
  cutLastAnswer?(text: string): Answer | undefined;
}

export interface WantedConversation {
  readonly conversation: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface HeardTurn {
  /** Wall time, when its end was told: nothing that was written down later is of this turn. */
  readonly heardAt: number;
  readonly signal: AbortSignal;
}

/** Enough to find what a running CLI writes about itself. */
export interface AgentContext {
  readonly agent: string;
  readonly pid: number;
  readonly cwd: string;
  readonly runFolder: string;
  readonly conversation: string | undefined;
  readonly startedAt: number;
  readonly version: string | undefined;
  /**
   * Where the CLI took the tasks that were owed when this watch began: a person may have left those
   * conversations long since.
   */
  readonly owedReceipts?: readonly string[];
  /**
   * The environment variables that move the CLI's own folders (HOME, CODEX_HOME …), read from the
   * running process.
   */
  readonly env: Readonly<Record<string, string>>;
}

export interface OwnState {
  /**
   * Undefined when the source was lost: other sources decide until it is back. Absent when it has
   * not changed.
   */
  readonly report?: Omit<StatusReport, 'at' | 'source'> | undefined;
  readonly conversation?: string;
  /** A turn has ended, where the CLI's own state is the authority for that. */
  readonly turnEnd?: TurnNews;
}

export interface StateWatch {
  /** Called after output; for sources that have no event of their own. */
  check(): void;
  /**
   * It is not connected, or looks up what ended before: that it tells of no turn's end proves
   * nothing yet.
   */
  isBehind?(): boolean;
  /** Another source has told which conversation it is in. */
  follow?(conversation: string): void;
  close(): void;
}

export interface HookPayload {
  readonly event: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface HookMeaning {
  readonly report?: Omit<StatusReport, 'at' | 'source'>;
  readonly conversation?: string;
  readonly transcriptPath?: string;
  /** A turn has ended, where hooks are the authority for that. */
  readonly turnEnd?: TurnNews;
  readonly subAgents?: SubAgentNews;
}

/**
 * Of the sub-agents that work beside the conversation: one began, one ended, or these are all that
 * there are.
 */
export type SubAgentNews =
  | { readonly began: string }
  | { readonly ended: string }
  | { readonly running: readonly string[] };

export type Answer =
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly isPartial: boolean;
      /** A later turn has begun, and said nothing: these are the words of one before it. */
      readonly isEarlier?: true;
    }
  | { readonly kind: 'no-response' };

/** A rendered screen as a detector reads it, live or from a file. */
export interface Screen {
  readonly lines: readonly string[];
  /** With SGR sequences; undefined when only plain text is known. */
  readonly styledLines?: readonly string[];
  readonly title?: string;
  readonly cursor?: { readonly x: number; readonly y: number };
  /** Of the window; undefined where the backend cannot tell. */
  readonly size?: WindowSize;
}
