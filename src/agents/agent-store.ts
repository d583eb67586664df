import type { Agent, AgentStatus } from './agent.ts';
import type { EndedBy, EndsWith } from './ending.ts';
import type { Worktree } from './role.ts';

/**
 * The port behind which agents are kept. Removed agents stay as rows as long as their names stand
 * in messages.
 */
export interface AgentStore {
  /** Undefined when a living agent of its session has that name already. */
  insert(agent: Agent): Promise<Agent | undefined>;
  find(id: string): Promise<Agent | undefined>;
  isLiving(id: string): Promise<boolean>;
  /** Who or what ended it, of one that lives; undefined for one that does not. */
  findLiving(id: string): Promise<Pick<Agent, 'endedBy'> | undefined>;
  /** The living of this name, at most one in each session, by session. */
  listByName(name: string): Promise<readonly Agent[]>;
  /** The living, by name. */
  list(session?: string): Promise<readonly Agent[]>;
  /** Removed ones, too, until they are forgotten. */
  listNames(ids: readonly string[]): Promise<ReadonlyMap<string, NameInSession>>;
  setParent(id: string, parent: string | undefined): Promise<void>;
  listChildren(parent: string): Promise<readonly Agent[]>;
  /** The git worktree that is being made for it, and where in it the agent will work. */
  setWorktree(id: string, worktree: Worktree, cwd: string): Promise<void>;
  /** Where its next life works. */
  setCwd(id: string, cwd: string): Promise<void>;
  setEpoch(id: string, epoch: number): Promise<void>;
  setStatus(id: string, status: KnownStatus): Promise<void>;

  setEndsWith(id: string, endsWith: EndsWith | undefined): Promise<void>;
  /** Its life ends by this, or a new one stands; nobody's word brings it back any more. */
  setEnded(id: string, by: EndedBy | undefined): Promise<void>;
  /**
   * The word of `by` brings it back: of the user, or of its parent, where no person has stopped it.
   * The user's word is not replaced by its parent's. Returns whether it comes back.
   */
  callBack(id: string, by: string): Promise<boolean>;
  /** It could not be brought back. */
  dropCall(id: string): Promise<void>;
  setBackground(id: string, tasks: number | undefined): Promise<void>;
  /** The living that end by themselves and have not, and those that are to come back. */
  listWorkers(): Promise<readonly Agent[]>;

  /** Takes it out of the living; its inbox is settled afterwards, in batches. */
  markRemoved(id: string, at: number, isByUser: boolean): Promise<void>;
  markInboxSettled(id: string): Promise<void>;
  /** Removed, but their inbox is not settled yet: a removal that was cut short. */
  listUnsettled(): Promise<readonly Agent[]>;
  /**
   * Removed before `before`, and nothing of theirs goes on: no life or run that has not ended, no
   * unsettled inbox, no living child. Messages may still name them.
   */
  listForgettable(before: number): Promise<readonly string[]>;
  /**
   * Deletes a removed agent with its lives and runs, and its session with the last agent of it. Its
   * id is never given again.
   */
  forget(id: string): Promise<void>;

  /** The session that follows the project with this root. */
  findSession(root: string): Promise<string | undefined>;
  /** The root of the project that this session follows; undefined where somebody named it. */
  findRoot(session: string): Promise<string | undefined>;
  /** From now on, and as long as any agent of this session is known. */
  setRoot(session: string, root: string): Promise<void>;
}

export type NameInSession = Pick<Agent, 'name' | 'session' | 'namesakes'>;

/** What was last known: shown while no daemon runs. */
export interface KnownStatus {
  readonly status: AgentStatus;
  readonly detail?: string;
  readonly source: string;
  readonly since: number;
}
