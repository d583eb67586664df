import type { Clock } from '../../shared/clock.ts';
import { pause } from '../../shared/clock.ts';
import type { Backend, BackendEvents, OutputChunk } from '../backend.ts';
import { DeathWatch } from '../death-watch.ts';
import { attachFrom } from './attach.ts';
import { tmuxCapabilities } from './capabilities.ts';
import { Connection, lostFault } from './connection.ts';
import { Followers } from './followers.ts';
import { closeTerminal, rehomeTerminal } from './homes.ts';
import { logLastWords } from './last-words.ts';
import { launchTerminal } from './launch.ts';
import type { News } from './link.ts';
import { giveBackSizes } from './own-size.ts';
import type { Pane } from './panes.ts';
import { findPlace, type PlaceOptions } from './place.ts';
import { prepareBytes } from './prepare-bytes.ts';
import { lookAt, readPlainText } from './screen.ts';
import { sightTerminals } from './sights.ts';
import { startHelper } from './start-beside.ts';
import { tellPeople } from './tell-people.ts';
import { writeBytes } from './write.ts';

/**
 * `env` is the daemon's: tmux is found on its PATH, and people's own windows get the plain part of
 * it.
 */
export interface TmuxOptions extends PlaceOptions {
  readonly clock: Clock;
  readonly events: BackendEvents;
}

/** Terminals in a tmux server of our own, whose socket lies in the state folder. */
export function openTmuxBackend(options: TmuxOptions): Backend {
  const { ledgerId, clock, events } = options;
  const place = findPlace(options);
  /** Where each pane is, as last seen: for `attach`. */
  const homes = new Map<string, string>();
  const followers = new Followers((pane, isOn) => {
    connection?.link.tell({ kind: 'follow', pane, isOn });
  });
  const deaths = new DeathWatch(() => events.changed());
  let connection: Connection | undefined;
  let whenReady: (() => void)[] = [];

  const notePanes = (panes: readonly Pane[], hub: string) => {
    homes.clear();
    for (const { pane, window, sessions } of panes) {
      const session = sessions.find((candidate) => candidate !== hub) ?? hub;
      homes.set(pane, `${session}:${window}.${pane}`);
    }
  };
  const take = ({ isChanged, outputs, followed, troubles }: News) => {
    for (const [agent, bytes] of outputs) events.output(agent, bytes);
    for (const part of followed) followers.take(part);
    for (const [agent, trouble] of troubles) events.logTrouble(agent, trouble);
    if (isChanged) events.changed();
  };
  const connect = () =>
    new Connection(place, {
      state: (state) => {
        events.connection(state);
        if (state.state === 'down') for (const wake of whenReady.splice(0)) wake();
      },
      ready: (panes) => {
        notePanes(panes, use().server().hub);
        followers.resume(new Set(panes.map(({ pane }) => pane)));
        for (const wake of whenReady.splice(0)) wake();
      },
      news: take,
      unseen: (panes) => {
        for (const { agent } of panes) if (agent) events.output(agent, 0);
      },
    });
  const use = (): Connection => {
    if (connection) return connection;
    throw lostFault('The tmux backend was not started', undefined);
  };

  return {
    name: 'tmux',
    capabilities: tmuxCapabilities,
    state: () => connection?.state ?? { state: 'down', detail: 'not started' },
    start: async () => {
      connection ??= connect();
      const deadline = new AbortController();
      await Promise.race([
        new Promise<void>((done) => {
          if (use().state.state === 'ready') done();
          else whenReady.push(done);
        }),
        pause(clock, startMs, deadline.signal),
      ]);
      deadline.abort();
      use().server(); // Throws with the reason when it cannot be used.
    },
    launch: async (wanted, signal) => {
      const parts = { connection: use(), ledgerId, clock };
      const { terminal, window, session } = await launchTerminal(parts, wanted, signal);
      homes.set(terminal.pane, `${session}:${window}.${terminal.pane}`);
      deaths.add(terminal);
      return terminal;
    },
    startHelper: (terminal, helper) =>
      startHelper({ connection: use(), ledgerId }, terminal, helper),
    list: async () => {
      const { panes, sights } = await sightTerminals(use(), clock);
      await logLastWords(use(), ledgerId, panes, clock);
      await giveBackSizes(use(), ledgerId, panes);
      notePanes(panes, use().server().hub);
      deaths.replace(sights.filter(({ isAlive }) => isAlive).map(({ terminal }) => terminal));
      return sights;
    },
    look: (terminal, look) => lookAt(use(), ledgerId, terminal, look),
    readText: (terminal, maxBytes) => readPlainText(use(), ledgerId, terminal, maxBytes),
    write: (terminal, bytes, how) => writeBytes(use(), ledgerId, terminal, bytes, how),
    prepare: (terminal, bytes, how) => prepareBytes(use(), ledgerId, terminal, bytes, how),
    tell: (terminal, notice) => tellPeople(use(), terminal, notice),
    follow: ({ pane }, listener: (chunk: OutputChunk) => void) => followers.add(pane, listener),
    rehome: (terminal, name) => rehomeTerminal(use(), ledgerId, terminal, name),
    closeTerminal: async (terminal) => {
      await closeTerminal(use(), ledgerId, terminal);
      // By its life: where the pane is gone, nobody may know any more which one it was.
      const { agent, epoch } = terminal;
      use().link.tell({ kind: 'unwatch', agent, epoch });
      homes.delete(terminal.pane);
    },
    attachCommand: ({ pane }, env) => {
      const target = homes.get(pane);
      return target === undefined
        ? 'gone'
        : attachFrom({ ...place, tmux: use().server().tmux }, target, env);
    },
    close: async () => {
      deaths.close();
      whenReady = [];
      await connection?.close();
    },
  };
}

/** Enough for a server's start with all its retries on a busy machine. */
const startMs = 15_000;
