import { basename } from 'node:path';
import type { Counters } from '../chaos/counters.ts';
import type { Faults } from '../chaos/faults.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { Profile } from '../profile.ts';
import type { SessionPlace } from '../socket-paths.ts';
import type { Terminal, Terminals } from '../terminals/terminals.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { changeAgent } from './agent-changes.ts';
import { statusOf } from './hosted-agent.ts';
import type { Ids } from './ids.ts';
import { findProgram, type PaneWish, paneEnvironment, usableFolder } from './launch.ts';
import { area, type Direction, placePanes, splitAt, without } from './layout.ts';
import { Pane, Tab, Workspace } from './panes.ts';
import { layoutSnapshot, paneInfo, type Sight, tabInfo, workspaceInfo } from './records.ts';
import type { Saving } from './saving.ts';
import { fitTab, newSize, sizeIn } from './sizes.ts';

export interface SessionParts {
  readonly profile: Profile;
  readonly ids: Ids;
  readonly hub: EventHub;
  readonly terminals: Terminals;
  readonly place: SessionPlace;
  readonly faults: Faults;
  readonly counters: Counters;
  /** The open ones. */
  readonly connections: Set<{ close(): void }>;
  /** Of what the next server must know. */
  readonly saving: Saving;
}

/**
 * The workspaces, tabs and panes of one server, with the events that each change leaves in the hub,
 * in herdr's order. Which events are *not* sent is as much of the behaviour: closing a tab says
 * nothing about its panes, and a program that ends takes its tab and workspace along in silence.
 */
export class Session implements Sight {
  readonly parts: SessionParts;
  readonly ids: Ids;
  readonly workspaces: Workspace[] = [];
  active: Workspace | undefined;
  /** Ids that panes had before they moved; they still resolve. */
  readonly formerIds = new Map<string, Pane>();
  /** Those whose terminals somebody steers from outside. */
  readonly controlled = new Set<Pane>();
  #focused: Pane | undefined;
  #raws = 0;
  #changes = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.ids = parts.ids;
  }

  get panes(): readonly Pane[] {
    return this.workspaces.flatMap(({ panes }) => panes);
  }

  get focusedPane(): Pane | undefined {
    return this.active?.activeTab.focusedPane;
  }

  /** One thing at a time, as on herdr's main loop. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  emit(event: string, data: Json): void {
    if (event === 'layout_updated' && this.parts.profile.isOld) return;
    this.parts.hub.emit(event, data);
  }

  emitLayout(tab: Tab): void {
    this.emit('layout_updated', { layout: layoutSnapshot(this, tab) });
  }

  /** Without an event. */
  async addWorkspace(wish: PaneWish & { readonly label?: string }) {
    const cwd = wish.cwd ?? process.cwd();
    const label = wish.label ?? (basename(cwd) || cwd);
    const workspace = new Workspace(this.ids.newWorkspace(this.workspaces), label, cwd);
    const opened = await this.#openTab(workspace, { ...wish, cwd });
    this.workspaces.push(workspace);
    return { workspace, ...opened };
  }

  async createWorkspace(wish: PaneWish & { readonly label?: string }, focus: boolean) {
    const { workspace, tab, pane } = await this.addWorkspace(wish);
    this.announceWorkspace(workspace, focus);
    return { workspace, tab, pane };
  }

  announceWorkspace(workspace: Workspace, focus: boolean): void {
    const tab = workspace.activeTab;
    const pane = tab.focusedPane;
    this.emit('workspace_created', { workspace: workspaceInfo(this, workspace) });
    this.emit('tab_created', { tab: this.tabInfo(tab) });
    // Told before the layout knows the pane: 24 rows, though the terminal has 23.
    this.emit('pane_created', { pane: paneInfo(this, pane, 24) });
    this.emitLayout(tab);
    // The first workspace of an empty session is focused whether that was wanted or not.
    if (focus || !this.active) this.active = workspace;
    this.settle();
  }

  async createTab(workspace: Workspace, wish: PaneWish & { readonly label?: string }) {
    const opened = await this.#openTab(workspace, { ...wish, cwd: wish.cwd ?? workspace.cwd });
    if (wish.label !== undefined) opened.tab.label = wish.label;
    return opened;
  }

  announceTab(tab: Tab, focus: boolean): void {
    this.emit('tab_created', { tab: this.tabInfo(tab) });
    for (const pane of tab.panes) this.emit('pane_created', { pane: paneInfo(this, pane, 24) });
    this.emitLayout(tab);
    if (focus) this.show(tab.focusedPane);
    this.settle();
  }

  /** Without an event: `layout.apply` tells of all its panes at once. */
  async splitPane(
    target: Pane,
    how: { readonly direction: Direction; readonly ratio: number },
    wish: PaneWish,
  ): Promise<Pane> {
    const { tab } = target;
    const pane = this.#newPane(tab, wish.cwd ?? target.cwd);
    const root = tab.root && splitAt(tab.root, target, pane, how);
    if (!root) throw new ApiError('pane_split_failed', 'the tab has no layout');
    const rect = placePanes(root).find(([candidate]) => candidate === pane)?.[1] ?? area;
    await this.#start(pane, wish, newSize(this, sizeIn(rect, false)));
    tab.root = root;
    await fitTab(this, tab);
    return pane;
  }

  announcePane(pane: Pane, focus: boolean): void {
    this.emit('pane_created', { pane: paneInfo(this, pane, 24) });
    this.emitLayout(pane.tab);
    if (focus) this.show(pane);
    this.settle();
  }

  /** Brings it to the front of its tab and workspace; `settle` tells. */
  show(pane: Pane): void {
    pane.tab.focus = pane;
    pane.workspace.active = pane.tab;
    this.active = pane.workspace;
  }

  /** After a change: tells of another focused pane, of what was seen thereby, and has it kept. */
  settle(): void {
    const pane = this.focusedPane;
    if (pane && pane !== this.#focused) {
      const workspace = { workspace_id: pane.workspace.id };
      this.emit('workspace_focused', workspace);
      this.emit('tab_focused', { tab_id: this.ids.tab(pane.tab), ...workspace });
      this.emit('pane_focused', { pane_id: this.ids.pane(pane), ...workspace });
    }
    this.#focused = pane;
    for (const seen of pane?.tab.panes ?? []) {
      if (!seen.agent || seen.agent.isSeen) continue;
      seen.agent.isSeen = true;
      this.emitStatus(seen);
    }
    this.parts.saving.changed();
  }

  emitStatus(pane: Pane): void {
    const { agent, title, displayAgent, stateLabels } = pane;
    this.emit('pane_agent_status_changed', {
      pane_id: this.ids.pane(pane),
      workspace_id: pane.workspace.id,
      agent_status: statusOf(agent),
      ...(agent?.label === undefined ? {} : { agent: agent.label }),
      ...(title === undefined ? {} : { title }),
      ...(displayAgent === undefined ? {} : { display_agent: displayAgent }),
      ...(Object.keys(stateLabels).length > 0 ? { state_labels: stateLabels } : {}),
    });
  }

  tabInfo(tab: Tab): Json {
    return tabInfo(this, tab, this.parts.profile.isOld);
  }

  /** Takes it out of the tree; what was emptied thereby goes too. */
  detach(pane: Pane): void {
    const { tab, workspace } = pane;
    tab.root = tab.root && without(tab.root, pane);
    if (tab.focus === pane) tab.focus = tab.panes[0];
    this.ids.removed(pane);
    for (const [id, former] of this.formerIds) if (former === pane) this.formerIds.delete(id);
    if (tab.root) return;
    const at = workspace.tabs.indexOf(tab);
    workspace.tabs.splice(at, 1);
    if (workspace.active === tab) workspace.active = workspace.tabs[Math.max(0, at - 1)];
    if (workspace.tabs.length > 0) return;
    const index = this.workspaces.indexOf(workspace);
    if (index >= 0) this.workspaces.splice(index, 1);
    if (this.active === workspace) this.active = this.workspaces[Math.max(0, index - 1)];
  }

  async #openTab(workspace: Workspace, wish: PaneWish & { readonly cwd: string }) {
    const tab = new Tab(workspace, workspace.nextTab++);
    const pane = this.#newPane(tab, wish.cwd);
    workspace.tabs.push(tab);
    try {
      await this.#start(pane, wish, newSize(this, sizeIn(area, true)));
    } catch (error) {
      workspace.tabs.pop();
      throw error;
    }
    tab.root = { kind: 'pane', pane };
    tab.focus = pane;
    workspace.active ??= tab;
    return { tab, pane };
  }

  /**
   * After a restart: fresh shells in the places that were kept. The focus is where it was, and
   * nobody is told.
   */
  async startAll(tab: Tab): Promise<void> {
    this.#focused = this.focusedPane;
    const placed = tab.root ? placePanes(tab.root) : [];
    for (const [pane, rect] of placed) {
      await this.#start(pane, {}, sizeIn(rect, placed.length === 1));
    }
  }

  nextRaw(): number {
    return ++this.#raws;
  }

  /** Changes of agents' states are counted over all of them. */
  nextChange(): number {
    return ++this.#changes;
  }

  #newPane(tab: Tab, cwd: string): Pane {
    return new Pane(this.nextRaw(), tab, tab.workspace.nextPane++, cwd);
  }

  async #start(pane: Pane, wish: PaneWish, size: { rows: number; cols: number }): Promise<void> {
    const { terminals, place } = this.parts;
    const argv = wish.argv ?? [process.env['SHELL'] || '/bin/sh'];
    const env = { ...wish.env, ...paneEnvironment(this.ids, pane, place) };
    pane.cwd = usableFolder(pane.cwd);
    findProgram(argv, env, pane.cwd);
    const exited = (terminal: Terminal) => void this.exclusive(async () => this.#end(terminal));
    pane.terminal = await terminals.open({ argv, cwd: pane.cwd, env, size }, exited);
    pane.argv = wish.argv;
  }

  /** The program ended by itself. */
  async #end(terminal: Terminal): Promise<void> {
    const pane = this.panes.find((candidate) => candidate.terminal === terminal);
    if (!pane) return;
    const { tab } = pane;
    const data = { pane_id: this.ids.pane(pane), workspace_id: pane.workspace.id };
    // With its pane an agent goes without a word of its own (H2).
    if (!this.parts.profile.has('silent-reported-end')) {
      changeAgent(this, pane, () => {
        pane.hosted.authority = undefined;
        pane.hosted.exit(false);
      });
    }
    this.detach(pane);
    this.emit('pane_exited', data);
    if (tab.root) this.emitLayout(tab);
    this.settle();
    await fitTab(this, tab);
  }
}
