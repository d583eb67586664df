import type { Terminal } from '../terminals/terminals.ts';
import { Hosted } from './hosted-agent.ts';
import { type LayoutNode, listPanes } from './layout.ts';
import { Tokens } from './tokens.ts';
import type { Membership } from './worktree-groups.ts';

/** Workspaces hold tabs, tabs hold panes in a tree of splits, a pane shows one terminal. */
export class Workspace {
  readonly id: string;
  label: string;
  cwd: string;
  readonly tabs: Tab[] = [];
  active: Tab | undefined;
  /** Public numbers are never given twice while the workspace lives (herdr 0.7.0 and later). */
  nextTab = 1;
  nextPane = 1;
  worktree: Membership | undefined;
  readonly tokens = new Tokens();

  constructor(id: string, label: string, cwd: string) {
    this.id = id;
    this.label = label;
    this.cwd = cwd;
  }

  get panes(): readonly Pane[] {
    return this.tabs.flatMap(({ panes }) => panes);
  }

  get activeTab(): Tab {
    return require(this.active ?? this.tabs[0], 'workspace without a tab');
  }
}

export class Tab {
  readonly workspace: Workspace;
  readonly number: number;
  label: string | undefined;
  root: LayoutNode | undefined;
  focus: Pane | undefined;

  constructor(workspace: Workspace, number: number, label?: string) {
    this.workspace = workspace;
    this.number = number;
    this.label = label;
  }

  get panes(): readonly Pane[] {
    return this.root ? listPanes(this.root) : [];
  }

  get focusedPane(): Pane {
    return require(this.focus ?? this.panes[0], 'tab without a pane');
  }
}

export class Pane {
  /** The server's own number of it, which the alias `p_17` names. */
  readonly raw: number;
  tab: Tab;
  number: number;
  #terminal: Terminal | undefined;
  cwd: string;
  label: string | undefined;
  /** What it was started with, where that was not the default shell. */
  argv: readonly string[] | undefined;
  readonly hosted = new Hosted();
  title: string | undefined;
  displayAgent: string | undefined;
  stateLabels: Readonly<Record<string, string>> = {};
  readonly tokens = new Tokens();
  /** Counts changes of tokens and of the terminal's own title, nothing else. */
  revision = 0;

  constructor(raw: number, tab: Tab, number: number, cwd: string) {
    this.raw = raw;
    this.tab = tab;
    this.number = number;
    this.cwd = cwd;
  }

  /** It has none only while it is being started. */
  get terminal(): Terminal {
    return require(this.#terminal, 'pane without a terminal');
  }

  set terminal(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get workspace(): Workspace {
    return this.tab.workspace;
  }

  get agent(): Hosted | undefined {
    return this.hosted.isAgent ? this.hosted : undefined;
  }
}

function require<T>(value: T | undefined, broken: string): T {
  if (value === undefined) throw new Error(broken);
  return value;
}
