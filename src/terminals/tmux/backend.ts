import type { Clock } from '../../shared/clock.ts';
import { pause } from '../../shared/clock.ts';
import type { Backend, BackendEvents, OutputChunk } from '../backend.ts';
import { DeathWatch } from '../death-watch.ts';
import { attachFrom } from './attach.ts';
import { tmuxCapabilities } from './capabilities.ts';
import { Connection, lostFault } from './connection.ts';
import { emptyFormat, endEmptyServer } from './end-empty-server.ts';
import { Followers } from './followers.ts';
import { closeTerminal, rehomeTerminal } from './homes.ts';
import { isListening } from './is-listening.ts';
import { logLastWords } from './last-words.ts';
import { launchTerminal } from './launch.ts';
import type { News } from './link.ts';
import { giveBackSizes } from './own-size.ts';
import type { Pane } from './panes.ts';
import { findPlace, type PlaceOptions } from './place.ts';
import { prepareBytes } from './prepare-bytes.ts';
import { Rest } from './rest.ts';
import { lookAt, readPlainText } from './screen.ts';
import { sightTerminals } from './sights.ts';
import { startHelper } from './start-beside.ts';
import { StatusLine } from './status-line.ts';
import { tellPeople } from './tell-people.ts';
import { writeBytes } from './write.ts';

/**
 * `env` is the daemon's: tmux is found on its PATH, and people's own windows get the plain part of
 * it.
 */
export interface TmuxOptions extends PlaceOptions {
  readonly clock: Clock;
  /** The key that leaves an agent's terminal, as the setting is now; `off` for none. */
  readonly attachKey: () => Promise<string>;
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
  const line = new StatusLine({
    clock,
    attachKey: options.attachKey,
    server: () => (connection?.state.state === 'ready' ? connection.server() : undefined),
    sessionOf: (pane) => homes.get(pane)?.split(':')[0],
    ask: (list) => use().ask(list),
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
        line.reset();
        for (const wake of whenReady.splice(0)) wake();
      },
      news: take,
      unseen: (panes) => {
        for (const { agent } of panes) if (agent) events.output(agent, 0);
      },
    });
  const use = (): Connection => {
    if (connection) return connection;
    throw lostFault('There is no tmux server', undefined);
  };
  const becomeReady = async () => {
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
  };
  /** The version of the server that we have ended, while there is none. */
  let ended: string | undefined;
  const wake = async () => {
    ended = undefined;
    await becomeReady();
  };
  // The control client goes first: a server waits for a client that does not read.
  const rest = new Rest(clock, async () => {
    const { version } = use().server();
    const old = connection;
    ended = version;
    connection = undefined;
    await old?.close();
    if ((await endEmptyServer(place)) === 'in-use') await wake();
  });
  const isEmpty = async (panes: readonly Pane[]): Promise<boolean> => {
    if (panes.length > 0) return false;
    const { hub } = use().server();
    const question = ['display-message', '-p', '-t', `${hub}:`, emptyFormat(ledgerId)] as const;
    return (await use().ask([[...question]]))[0]?.text === '1';
  };

  return {
    name: 'tmux',
    capabilities: tmuxCapabilities,
    state: () => {
      if (connection) return connection.state;
      // The next launch starts one.
      if (ended !== undefined) return { state: 'ready', version: ended };
      return { state: 'down', detail: 'not started' };
    },
    start: becomeReady,
    launch: (wanted, signal) =>
      rest.launch(async () => {
        if (ended !== undefined) await wake();
        const parts = { connection: use(), ledgerId, clock };
        const { terminal, window, session } = await launchTerminal(parts, wanted, signal);
        homes.set(terminal.pane, `${session}:${window}.${terminal.pane}`);
        deaths.add(terminal);
        return terminal;
      }),
    startHelper: (terminal, helper) =>
      startHelper({ connection: use(), ledgerId }, terminal, helper),
    list: async () => {
      await rest.settled();
      if (ended !== undefined) {
        // Somebody may have started one by hand.
        if (!(await isListening(place))) return [];
        await wake();
      }
      const { panes, sights } = await sightTerminals(use(), clock);
      await logLastWords(use(), ledgerId, panes, clock);
      await giveBackSizes(use(), ledgerId, panes);
      notePanes(panes, use().server().hub);
      deaths.replace(sights.filter(({ isAlive }) => isAlive).map(({ terminal }) => terminal));
      line.listed();
      await rest.saw(await isEmpty(panes));
      return sights;
    },
    look: (terminal, look) => lookAt(use(), ledgerId, terminal, look),
    readText: (terminal, maxBytes) => readPlainText(use(), ledgerId, terminal, maxBytes),
    write: (terminal, bytes, how) => writeBytes(use(), ledgerId, terminal, bytes, how),
    prepare: (terminal, bytes, how) => prepareBytes(use(), ledgerId, terminal, bytes, how),
    tell: (terminal, notice) => tellPeople(use(), terminal, notice),
    report: (terminal, status, more) => {
      if (more) line.report(terminal, { ...more, status });
    },
    reportWaiting: (agents) => line.reportWaiting(agents),
    follow: ({ pane }, listener: (chunk: OutputChunk) => void) => followers.add(pane, listener),
    rehome: (terminal, name) => rehomeTerminal(use(), ledgerId, terminal, name),
    closeTerminal: async (terminal) => {
      // With its server, every terminal has gone.
      if (ended !== undefined) return;
      await closeTerminal(use(), ledgerId, terminal);
      // By its life: where the pane is gone, nobody may know any more which one it was.
      const { agent, epoch } = terminal;
      use().link.tell({ kind: 'unwatch', agent, epoch });
      line.forget(terminal.pane);
      homes.delete(terminal.pane);
    },
    attachCommand: ({ pane }, env) => {
      line.lookAtKey();
      const target = homes.get(pane);
      return target === undefined
        ? 'gone'
        : attachFrom({ ...place, tmux: use().server().tmux }, target, env);
    },
    close: async () => {
      deaths.close();
      whenReady = [];
      await rest.settled();
      await line.close();
      const wasReady = connection?.state.state === 'ready';
      await connection?.close();
      // Nobody is left to end it later.
      if (wasReady && homes.size === 0) await endEmptyServer(place);
    },
  };
}

/** Enough for a server's start with all its retries on a busy machine. */
const startMs = 15_000;
