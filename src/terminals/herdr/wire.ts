/**
 * What comes from herdr is read field by field: unknown ones are ignored, missing ones have a
 * meaning here.
 */
export type Json = Readonly<Record<string, unknown>>;

/** One terminal of a herdr server, ours or not. */
export interface PaneRecord {
  /**
   * The key: unique, and the same for as long as the terminal lives, wherever it is moved. New
   * after a server's restart.
   */
  readonly terminal: string;
  /** The address, for now: it changes with a move, and 0.6.8 numbers anew at every close. */
  readonly pane: string;
  readonly workspace: string;
  readonly tab: string;
  readonly label: string;
  readonly title: string;
  readonly tokens: Readonly<Record<string, string>>;
  /** What herdr makes of what runs in it. */
  readonly agent: HostedAgent | undefined;
  /** Names the session that an integration of herdr has told of here. */
  readonly session: string | undefined;
  /** Changes when herdr noticed something about it. */
  readonly mark: string;
}

export interface HostedAgent {
  readonly label: string;
  readonly status: 'idle' | 'working' | 'blocked' | 'unknown';
  /**
   * The CLI reports its whole life by its integration, and herdr has stopped matching its screen.
   */
  readonly isOwnWord: boolean;
}

export interface WorkspaceRecord {
  readonly workspace: string;
  readonly label: string;
  readonly tokens: Readonly<Record<string, string>>;
  /** Set where herdr groups it with other checkouts of one repository. */
  readonly worktree: { readonly repository: string; readonly isLinked: boolean } | undefined;
}

export interface Snapshot {
  readonly panes: ReadonlyMap<string, PaneRecord>;
  readonly workspaces: ReadonlyMap<string, WorkspaceRecord>;
}

export function readPanes(panes: unknown, agents: unknown): ReadonlyMap<string, PaneRecord> {
  const hosted = new Map(records(agents).map((agent) => [textOf(agent, 'terminal_id'), agent]));
  const found = records(panes).map((pane) =>
    readPane(pane, hosted.get(textOf(pane, 'terminal_id'))),
  );
  return new Map(
    found.filter(({ terminal, pane }) => terminal && pane).map((r) => [r.terminal, r]),
  );
}

export function readPane(pane: Json, agent: Json | undefined = undefined): PaneRecord {
  const hosted = readHosted(pane, agent);
  const title = textOf(pane, 'terminal_title') || textOf(pane, 'title');
  const changes = agent?.['state_change_seq'];
  return {
    terminal: textOf(pane, 'terminal_id'),
    pane: textOf(pane, 'pane_id'),
    workspace: textOf(pane, 'workspace_id'),
    tab: textOf(pane, 'tab_id'),
    label: textOf(pane, 'label') || textOf(agent ?? {}, 'name'),
    title,
    tokens: readTokens(pane),
    agent: hosted,
    session: readSession(pane),
    mark: JSON.stringify([title, pane['revision'], changes, hosted?.status, hosted?.label]),
  };
}

function readSession({ agent_session: session }: Json): string | undefined {
  if (typeof session !== 'object' || session === null) return undefined;
  const [source, value] = [textOf(session as Json, 'source'), textOf(session as Json, 'value')];
  return source === '' ? undefined : `${source} ${value}`;
}

/**
 * Only panes that host an agent are in the list of agents; the pane itself says the same in fewer
 * words.
 */
function readHosted(pane: Json, agent: Json | undefined): HostedAgent | undefined {
  const label = textOf(agent ?? pane, 'agent') || textOf(pane, 'agent');
  if (!agent && !label) return undefined;
  const status = textOf(agent ?? pane, 'agent_status');
  return {
    label,
    status: statuses[status] ?? 'unknown',
    isOwnWord: agent?.['screen_detection_skipped'] === true,
  };
}

/** `done` is idle that nobody has looked at yet. */
const statuses: Readonly<Record<string, HostedAgent['status']>> = {
  idle: 'idle',
  done: 'idle',
  working: 'working',
  blocked: 'blocked',
};

export function readWorkspaces(workspaces: unknown): ReadonlyMap<string, WorkspaceRecord> {
  return new Map(
    records(workspaces).map((record) => {
      const workspace = textOf(record, 'workspace_id');
      const { worktree } = record;
      const membership =
        typeof worktree === 'object' && worktree !== null
          ? {
              repository: textOf(worktree as Json, 'repo_key'),
              isLinked: (worktree as Json)['is_linked_worktree'] === true,
            }
          : undefined;
      const label = textOf(record, 'label');
      return [workspace, { workspace, label, tokens: readTokens(record), worktree: membership }];
    }),
  );
}

/**
 * To close the last pane of such a workspace is to close every checkout of that repository that is
 * open beside it (0.8.0).
 */
export function isGroupParent({ workspaces }: Snapshot, id: string): boolean {
  const worktree = workspaces.get(id)?.worktree;
  if (!worktree || worktree.isLinked) return false;
  const others = [...workspaces.values()].filter(
    (other) => other.workspace !== id && other.worktree?.repository === worktree.repository,
  );
  return others.length > 0;
}

export function textOf(record: Json, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

function records(list: unknown): readonly Json[] {
  if (!Array.isArray(list)) return [];
  return list.filter((item): item is Json => typeof item === 'object' && item !== null);
}

function readTokens(record: Json): Readonly<Record<string, string>> {
  const { tokens } = record;
  if (typeof tokens !== 'object' || tokens === null) return {};
  const entries = Object.entries(tokens).filter((entry) => typeof entry[1] === 'string');
  return Object.fromEntries(entries as [string, string][]);
}
