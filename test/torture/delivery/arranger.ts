import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Station } from './station.ts';

/** One thing that a person does to the panes of our tmux server, and what takes it back. */
interface Act {
  readonly does: (place: Place, other: Place) => readonly string[];
  readonly undoes?: (place: Place) => readonly string[];
}

interface Place {
  readonly pane: string;
  readonly window: string;
  readonly session: string;
}

const acts = {
  'swap panes': { does: ({ pane }, other) => ['swap-pane', '-d', '-s', pane, '-t', other.pane] },
  'join panes': { does: ({ pane }, other) => ['join-pane', '-d', '-s', pane, '-t', other.pane] },
  'break a pane out': { does: ({ pane }) => ['break-pane', '-d', '-s', pane] },
  'move a window': {
    does: ({ window }, other) => ['move-window', '-d', '-s', window, '-t', `${other.session}:`],
  },
  'link a window': {
    does: ({ window }, other) => ['link-window', '-d', '-s', window, '-t', `${other.session}:`],
  },
  'rename a session': {
    does: ({ session }) => [
      'rename-session',
      '-t',
      session,
      `named-${session.slice(1)}-${count++}`,
    ],
  },
  'rename a window': { does: ({ window }) => ['rename-window', '-t', window, 'ja, #S: %H'] },
  'split a window': {
    does: ({ pane }) => ['split-window', '-d', '-l', '3', '-t', pane, 'exec cat'],
  },
  'resize a window': {
    does: ({ window }) => ['resize-window', '-t', window, '-x', '90', '-y', '30'],
    undoes: ({ window }) => ['resize-window', '-t', window, '-x', '120', '-y', '40'],
  },
  'zoom a pane': { does: ({ pane }) => ['resize-pane', '-Z', '-t', pane] },
  'change a layout': { does: ({ window }) => ['select-layout', '-t', window, 'tiled'] },
  synchronise: {
    does: ({ window }) => ['set-option', '-w', '-t', window, 'synchronize-panes', 'on'],
    undoes: ({ window }) => ['set-option', '-w', '-t', window, '-u', 'synchronize-panes'],
  },
  'switch the input off': {
    does: ({ pane }) => ['select-pane', '-d', '-t', pane],
    undoes: ({ pane }) => ['select-pane', '-e', '-t', pane],
  },
  'show the time': {
    does: ({ pane }) => ['clock-mode', '-t', pane],
    undoes: ({ pane }) => ['send-keys', '-t', pane, '-X', 'cancel'],
  },
  'close a session': { does: ({ session }) => ['kill-session', '-t', session] },
} as const satisfies Readonly<Record<string, Act>>;

/** The session of ours in which all windows are, by which alone we hear of them. */
const closesHub = 'close the hub';
type ActName = keyof typeof acts | typeof closesHub;
const names = [...Object.keys(acts), closesHub] as readonly ActName[];
let count = 0;

/** A window with a shell of the person's stays open for so long. */
const splitMs = 4000;

/**
 * A person who arranges the panes of agents while messages are on their way: what was beside one
 * is beside another, in another window or session, and keys would go elsewhere or nowhere.
 */
export class Arranger {
  readonly count = new Map<string, number>();
  readonly #station: Station;
  readonly #random: Random;

  constructor(station: Station, random: Random) {
    this.#station = station;
    this.#random = random;
  }

  async run(isLoaded: () => boolean): Promise<void> {
    while (isLoaded()) {
      await delay(this.#random.between(100, 700));
      const places = await this.#places();
      if (places.length === 0 || !isLoaded()) continue;
      await this.#do(
        this.#random.pick(names),
        this.#random.pick(places),
        this.#random.pick(places),
      );
    }
    await this.#tidy();
  }

  async #do(name: ActName, place: Place, other: Place): Promise<void> {
    const act: Act = name === closesHub ? await this.#closeHub() : acts[name];
    if ((await this.#station.tmux(...act.does(place, other))) === undefined) return;
    this.count.set(name, (this.count.get(name) ?? 0) + 1);
    if (!act.undoes) return;
    await delay(this.#random.between(200, 2500));
    await this.#station.tmux(...act.undoes(place));
  }

  async #closeHub(): Promise<Act> {
    const format = '#{session_id} #{@sbx-hub}';
    const listed = (await this.#station.tmux('list-sessions', '-F', format)) ?? '';
    const hub = /^(\$\d+) ldg_/m.exec(listed)?.[1] ?? '';
    return { does: () => ['kill-session', '-t', hub] };
  }

  async #places(): Promise<readonly Place[]> {
    const format = '#{@sbx-agent} #{pane_id} #{window_id} #{session_id}';
    const listed = (await this.#station.tmux('list-panes', '-a', '-F', format)) ?? '';
    return listed.split('\n').flatMap((line) => {
      const [agent = '', pane = '', window = '', session = ''] = line.split(' ');
      return agent === '' ? [] : [{ pane, window, session }];
    });
  }

  /** Nothing of it stands in the way of what is still to come. */
  async #tidy(): Promise<void> {
    await delay(splitMs);
    for (const place of await this.#places()) {
      for (const name of ['synchronise', 'switch the input off'] as const)
        await this.#station.tmux(...acts[name].undoes(place));
      const only = ['if-shell', '-F', '-t', place.pane] as const;
      await this.#station.tmux(...only, '#{pane_in_mode}', `send-keys -t ${place.pane} -X cancel`);
      await this.#station.tmux('break-pane', '-d', '-s', place.pane);
      await this.#station.tmux(...acts['resize a window'].undoes(place));
    }
  }
}
