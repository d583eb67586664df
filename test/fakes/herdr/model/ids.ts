import type { Profile } from '../profile.ts';
import { microsHex } from '../terminals/terminals.ts';
import type { Pane, Tab, Workspace } from './panes.ts';

/** How things are named, and found by their names. */
export interface Ids {
  newWorkspace(all: readonly Workspace[]): string;
  tab(tab: Tab): string;
  pane(pane: Pane): string;
  /** Called with a pane that has left its workspace's tree. */
  removed(pane: Pane): void;
  /** What survived the last server; the next workspace's number follows from it. */
  restored(workspaces: readonly Workspace[], next: number): void;
  /** For the state file. */
  readonly next: number;
  findWorkspace(all: readonly Workspace[], id: string): Workspace | undefined;
  findTab(all: readonly Workspace[], id: string): Tab | undefined;
  findPane(all: readonly Workspace[], id: string): Pane | undefined;
}

const alphabet = '123456789ABCDEFGHJKMNPQRSTVWXYZ0';

function toBase32(number: number): string {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 32)) {
    text = `${alphabet[(rest - 1) % 32]}${text}`;
  }
  return text;
}

function fromBase32(text: string): number {
  return [...text].reduce((sum, digit) => sum * 32 + alphabet.indexOf(digit) + 1, 0);
}

function highest(workspaces: readonly Workspace[]): number {
  return Math.max(0, ...workspaces.map(({ id }) => fromBase32(id.slice(1))));
}

/** Since herdr 0.7.0: `w1`, `w1:t2`, `w1:p3`, from counters that only grow. */
export class StableIds implements Ids {
  readonly #profile: Profile;
  #next = 1;

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  get next(): number {
    return this.#next;
  }

  newWorkspace(all: readonly Workspace[]): string {
    if (!this.#profile.has('numbers-go-on')) this.#next = highest(all) + 1;
    return `w${toBase32(this.#next++)}`;
  }

  tab(tab: Tab): string {
    return `${tab.workspace.id}:t${toBase32(tab.number)}`;
  }

  pane(pane: Pane): string {
    return `${pane.workspace.id}:p${toBase32(pane.number)}`;
  }

  removed(): void {}

  restored(workspaces: readonly Workspace[], next: number): void {
    this.#next = this.#profile.has('id-reuse') ? highest(workspaces) + 1 : next;
  }

  findWorkspace(all: readonly Workspace[], id: string): Workspace | undefined {
    return all.find((workspace) => workspace.id === id) ?? this.#alias(() => byPosition(all, id));
  }

  findTab(all: readonly Workspace[], id: string): Tab | undefined {
    const exact = all.flatMap(({ tabs }) => tabs).find((tab) => this.tab(tab) === id);
    return exact ?? this.#alias(() => tabByPosition(all, id));
  }

  findPane(all: readonly Workspace[], id: string): Pane | undefined {
    const panes = all.flatMap((workspace) => workspace.panes);
    const exact = panes.find((pane) => this.pane(pane) === id);
    return (
      exact ??
      this.#alias(() => {
        const [, raw] = /^p_(\d+)$/.exec(id) ?? [];
        if (raw) return panes.find((pane) => pane.raw === Number(raw));
        const [, workspace, number] = /^(.+)-(\d+)$/.exec(id) ?? [];
        return panes.find(
          (pane) => pane.workspace.id === workspace && pane.number === Number(number),
        );
      })
    );
  }

  #alias<T>(find: () => T | undefined): T | undefined {
    return this.#profile.has('aliases') ? find() : undefined;
  }
}

/**
 * herdr 0.6.8: `w<hex>`, `<workspace>:<position>`, `<workspace>-<n>`. When a pane goes, every
 * higher number goes down by one and the next new pane gets the count plus one: an id names another
 * pane from one moment to the next.
 */
export class PositionalIds implements Ids {
  #count = 0;

  get next(): number {
    return this.#count;
  }

  newWorkspace(): string {
    return `w${microsHex()}${(++this.#count).toString(16)}`;
  }

  tab(tab: Tab): string {
    return `${tab.workspace.id}:${tab.workspace.tabs.indexOf(tab) + 1}`;
  }

  pane(pane: Pane): string {
    return `${pane.workspace.id}-${pane.number}`;
  }

  removed(gone: Pane): void {
    const { workspace } = gone;
    for (const pane of workspace.panes) if (pane.number > gone.number) pane.number--;
    workspace.nextPane = workspace.panes.length + 1;
  }

  restored(): void {}

  findWorkspace(all: readonly Workspace[], id: string): Workspace | undefined {
    return all.find((workspace) => workspace.id === id) ?? byPosition(all, id);
  }

  findTab(all: readonly Workspace[], id: string): Tab | undefined {
    return tabByPosition(all, id);
  }

  findPane(all: readonly Workspace[], id: string): Pane | undefined {
    return all.flatMap(({ panes }) => panes).find((pane) => this.pane(pane) === id);
  }
}

function byPosition(all: readonly Workspace[], id: string): Workspace | undefined {
  const [, position] = /^(?:w_)?(\d+)$/.exec(id) ?? [];
  return all[Number(position) - 1];
}

function tabByPosition(all: readonly Workspace[], id: string): Tab | undefined {
  const [, first, , second, position = ''] = /^(?:(.+):|(t_)(.+)_)(\d+)$/.exec(id) ?? [];
  const workspace = all.find((candidate) => candidate.id === (first ?? second));
  return workspace?.tabs[Number(position) - 1];
}
