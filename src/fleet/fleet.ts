import type { Agent } from '../agents/agent.ts';
import type { EndedBy, EndsWith } from '../agents/ending.ts';
import type { Permission } from '../agents/permission.ts';
import type { Role } from '../agents/role.ts';
import type { StatusView } from '../agents/status.ts';
import type { HookPayload } from '../providers/provider.ts';
import type { Decided, Decision } from '../providers/questions.ts';
import type { HookOffer, HookReply, TurnNews } from '../providers/way-in.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import type { AttachCommand, BackendState, OutputChunk } from '../terminals/backend.ts';
import type { Interrupted, InterruptWish } from './interrupt/interrupt.ts';
import type { HeldAnswer } from './questions/held-hooks.ts';
import type { AskedNow } from './questions/questions.ts';
import type { BackendHealth } from './watch-backends.ts';
import type { WorkerEnding } from './workers/find-ending.ts';
import type { TidiedWorktree } from './worktrees/tidy.ts';

/**
 * The running agents of one ledger: what the daemon's server, and later delivery, may ask of them.
 */
export interface Fleet {
  /**
   * Connects the backends and reconciles ledger and reality; afterwards both are kept in step until
   * `close`.
   */
  start(): Promise<void>;
  launch(wanted: WantedLaunch): Promise<Agent>;
  /**
   * Resolves when the present life is beyond its start, or the time is over; throws what its CLI
   * said when it has ended.
   */
  awaitLaunch(
    agent: string,
    wait: { readonly limitMs: number; readonly signal: AbortSignal },
  ): Promise<Agent>;
  /** Ends the process tree for good and verifies it. The inbox stays. */
  stop(agent: string, by: Extract<EndedBy, 'parent' | 'person'>): Promise<StopResult>;
  /** Ends the turn that runs, as its person's Esc would. Throws where that may not be. */
  interrupt(agent: string, wish: InterruptWish): Promise<Interrupted>;
  /** Begins the next epoch; resumes the conversation where the CLI can (rule 37). */
  restart(agent: string, wanted: WantedRestart): Promise<Agent>;
  /** Stops a worker that has nothing left to do; whether it did. */
  endWorker(agent: string): Promise<boolean>;
  /** Starts one that was called back. Throws what passes, for another try. */
  bringBack(agent: string): Promise<void>;
  /** Whether a worker ends, has ended or comes back, and why; undefined for any other agent. */
  endingOf(tx: LedgerTransaction, agent: Agent): Promise<WorkerEnding | undefined>;
  /** Rule 35. */
  remove(agent: string, how: { readonly isByUser: boolean }): Promise<RemovedRunning>;
  /** What is known of a running agent right now; undefined for one without a terminal of ours. */
  live(agent: string): LiveAgent | undefined;
  output(agent: string, mode: OutputMode, signal: AbortSignal): Promise<AgentOutput>;
  /**
   * Which of these last lines of messages its records show in a tool's result; none where nothing
   * can tell. Never throws.
   */
  findInResults(agent: string, ends: readonly string[]): Promise<readonly string[]>;
  /** How to follow its raw output; throws where its backend tells none. */
  follow(agent: string): Promise<Follow>;
  attachCommand(agent: string, env: NodeJS.ProcessEnv): Promise<AttachCommand>;
  /** A hook's payload with the token of the agent's life. */
  /** `report` names this call of the hook. */
  receiveHook(token: string, event: string, body: unknown, report?: string): Promise<HookReceipt>;
  /** What it asks and can be answered without its terminal; none where it does not run. */
  questions(agent: string): AskedNow;
  /** What it may do without asking a person; undefined where it is not known. */
  permissionOf(agent: string): Promise<Permission | undefined>;
  /**
   * Before a decision is noted: what an earlier daemon left undecided is settled, which cannot be
   * told from it later. Throws while the ledger takes nothing.
   */
  settleLeft(): Promise<void>;
  /** Answers exactly this question, by its name. */
  decide(
    agent: string,
    question: string,
    decision: Decision,
    signal: AbortSignal,
  ): Promise<Decided>;
  /** One poll of a hook that waits for a decision, by the token of its agent's life. */
  holdQuestion(
    token: string,
    poll: WantedPoll,
    signal: AbortSignal,
  ): Promise<HeldAnswer | 'unseen'>;
  /** It is about to print the decision. False: that was none of ours, or it is too late. */
  confirmDecision(id: string): boolean;
  health(): FleetHealth;
  /** Ends its watches; agents and terminals live on. Its backends stay open for their opener. */
  close(): Promise<void>;
}

/** `cli` and `hook` are processes, `body` what the hook was called with. */
export interface WantedPoll {
  readonly cli: number;
  readonly hook: number;
  readonly body: unknown;
}

/** Returns the unfollow. */
export type Follow = (listener: (chunk: OutputChunk) => void) => () => void;

/** One call of a hook, with its name. */
export type HookCall = HookPayload & Pick<TurnNews, 'report'>;

export interface HookReceipt {
  /**
   * `ignored`: an earlier epoch's, a sub-agent's, a stranger's (rule 38), or one that means
   * nothing.
   */
  readonly outcome: 'taken' | 'ignored';
  /** Whose present life it is of. */
  readonly agent?: string;
  /** What this call lets us say to its model. */
  readonly offer?: HookOffer;
  /** What it tells was submitted, and how a line about that is shown to the person. */
  readonly caption?: { readonly text: string; readonly show: (line: string) => HookReply };
  /** The life whose token it is has ended, or never was. */
  readonly isOver?: true;
}

export interface WantedLaunch {
  readonly provider: string;
  /** Undefined: the profile's or the provider's name with a number. */
  readonly name: string | undefined;
  /** Undefined: that of the project of its folder. */
  readonly session: string | undefined;
  readonly parent: string | undefined;
  readonly notify: boolean;
  readonly cwd: string;
  readonly model: string | undefined;
  /** The backend that was asked for by name (B1). */
  readonly terminal?: string | undefined;
  /** What its profile makes of it. */
  readonly role: Role;
  /** With what it ends by itself; undefined: with nothing. */
  readonly endsWith?: EndsWith | undefined;
  /** A git worktree of its own, made from `cwd`. */
  readonly worktree: boolean;
  readonly extraArgs: readonly string[];
  /**
   * Of the user who launches; filtered here (rule 40). Of an agent that launches it is not used.
   */
  readonly callerEnv: Readonly<Record<string, string>>;
  /** Of whoever launches from outside; undefined where the client names none. */
  readonly callerUmask?: number | undefined;
  /**
   * Of the profile and `--env K=V`, refused by the same filter when it is blocked or too long
   * (B13).
   */
  readonly extraEnv: Readonly<Record<string, string>>;
  /** What of its profile does not count; noted with the agent. */
  readonly remarks?: readonly string[];
  /**
   * The agent that launches, when it is one: its child gets the environment it was itself launched
   * with.
   */
  readonly callerAgent: string | undefined;
  /** Committed as the agent's first message; never a provider argument. */
  readonly message:
    | {
        readonly from: string;
        readonly body: string;
        readonly kind?: 'message' | 'task';
        readonly isScript?: boolean;
        readonly isPrompt?: boolean;
        readonly key?: string;
      }
    | undefined;
}

export interface WantedRestart {
  readonly fresh: boolean;
  /** Where it works from now on. */
  readonly cwd?: string;
  /** Of the user who asks; of an agent that asks it is not used (rule 40). */
  readonly callerEnv: Readonly<Record<string, string>>;
  /** Of a person who restarts it: it counts only where none is known of the agent. */
  readonly callerUmask?: number | undefined;
  /** The agent that asks, when it is one. */
  readonly callerAgent: string | undefined;
  /**
   * Only if it is still called back; then with the environment that it had itself, since whoever
   * called it has left none (rule 40).
   */
  readonly isCallBack?: true;
}

export interface RemovedRunning {
  /** Messages that became dead; their senders were told. */
  readonly settled: number;
  /** How many of them may have been read. */
  readonly maybeRead: number;
  /** Messages that its records, asked once more, prove to have been read. */
  readonly read: number;
  readonly troubles: readonly string[];
  /** What became of the worktree that was made for it. */
  readonly worktree?: TidiedWorktree;
}

export interface StopResult {
  /** `already` when it was not running. */
  readonly outcome: 'stopped' | 'already';
  readonly exitCode?: number;
  readonly exitSignal?: string;
  /** Processes that had to be killed one by one. */
  readonly killed: number;
}

export interface LiveAgent extends StatusView {
  /** Wall time of the last key a person pressed in its terminal. */
  readonly humanTypedAt?: number;
  readonly providerVersion?: string;
  readonly conversation?: string;
  /** What a person should know, such as what a person did to its terminal. */
  readonly notes: readonly string[];
}

/** The visible screen; screen and scrollback; or the last answer. */
export type OutputMode = 'screen' | 'full' | 'last';

export interface AgentOutput {
  readonly text: string;
  /**
   * `partial`: its start is lost, or its end is to come; `none`: the agent finished without text,
   * or has not answered yet; `unknown`: nobody can tell which of its words are an answer.
   */
  readonly response: 'complete' | 'partial' | 'none' | 'unknown';
  /** A later turn has begun and has said nothing, such as one that a person interrupted. */
  readonly earlier?: true;
  /** What was searched: `transcript`, `api`, `screen`, `scrollback`, `snapshot`. */
  readonly searched: readonly string[];
  /** It comes from a terminal that shows a question. */
  readonly asks?: true;
}

interface FleetHealth {
  /** The default one. */
  readonly backend: BackendState & { readonly name: string };
  /** All that are in use, the default one among them. */
  readonly backends: readonly BackendHealth[];
  readonly agents: { readonly running: number; readonly troubled: readonly string[] };
}
