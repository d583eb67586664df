import type { Clock } from '../../shared/clock.ts';
import { pause } from '../../shared/clock.ts';
import type { Backend, BackendEvents } from '../backend.ts';
import { DeathWatch } from '../death-watch.ts';
import type { Terminal } from '../terminal.ts';
import { attachFrom } from './attach.ts';
import { herdrCapabilities } from './capabilities.ts';
import { closeTerminal } from './close.ts';
import { installHost } from './host-script.ts';
import { findNote } from './identity.ts';
import { launchTerminal, startHelper } from './launch.ts';
import { Link } from './link.ts';
import { Natives } from './natives.ts';
import { Notes } from './notes.ts';
import type { HerdrParts } from './parts.ts';
import { findPlace, type PlaceOptions } from './place.ts';
import { closeRestored, FormerPlaces } from './restored.ts';
import { closeLeftovers, Rooms } from './rooms.ts';
import { lookAt, readPlainText } from './screen.ts';
import { firstSequence } from './sequence.ts';
import { goneMs, Missing, sightTerminals } from './sights.ts';
import type { Hint } from './subscription.ts';
import type { PaneRecord, Snapshot } from './wire.ts';
import { writeText } from './write.ts';

/** `env` is the daemon's: herdr is found on its PATH and by its folders. */
export interface HerdrOptions extends PlaceOptions {
  readonly clock: Clock;
  readonly events: BackendEvents;
}

/** Enough for a server's start on a busy machine. */
const startMs = 15_000;

/** Terminals in a herdr server: in a session of its own as a rule, or in a person's. */
export function openHerdrBackend(options: HerdrOptions): Backend {
  const { ledgerId, clock, events } = options;
  const place = findPlace(options);
  const notes = new Notes(place.folder, clock);
  const missing = new Missing();
  const deaths = new DeathWatch(() => events.changed());
  const whenSettled: (() => void)[] = [];

  const settle = (): void => {
    for (const wake of whenSettled.splice(0)) wake();
  };
  const link = new Link(place, clock, {
    state: (state) => {
      if (state.state !== 'ready') {
        // What could not be seen meanwhile is not missing.
        missing.forget();
      }
      events.connection(state);
      if (state.state !== 'connecting') settle();
    },
    seen: (snapshot, before) => take(snapshot, before),
    concerns: (hint) => isAboutUs(hint, link.latest, notes),
  });
  const natives = new Natives(link, events, clock, firstSequence(place.folder, clock));
  const parts: HerdrParts = {
    link,
    notes,
    rooms: new Rooms(place.folder, clock),
    former: new FormerPlaces(place.folder),
    place,
    clock,
    ledgerId,
    host: installHost(place.folder),
  };

  const take = (snapshot: Snapshot, before: Snapshot): void => {
    const ours = notes.all();
    const isChanged = ours.some(
      ({ terminal = '' }) => snapshot.panes.has(terminal) !== before.panes.has(terminal),
    );
    natives.take(snapshot, ours);
    if (isChanged) events.changed();
  };
  /** A doubt is settled by a second look, not sooner. */
  let again: NodeJS.Timeout | undefined;
  const lookAgain = (): void => {
    again ??= setTimeout(() => {
      again = undefined;
      events.changed();
    }, goneMs + 100).unref();
  };
  const recordOf = (terminal: Terminal): PaneRecord | undefined =>
    findNote(parts, terminal) && link.latest.panes.get(terminal.pane);

  return {
    name: 'herdr',
    get capabilities() {
      const isOld = link.state.state === 'ready' && link.server().isOld;
      return isOld ? { ...herdrCapabilities, typing: 'no' as const } : herdrCapabilities;
    },
    state: () => link.state,
    start: async () => {
      link.start();
      const deadline = new AbortController();
      await Promise.race([
        new Promise<void>((done) => {
          // One that is down says why at once; it is tried again by itself.
          if (link.state.state !== 'connecting') done();
          else whenSettled.push(done);
        }),
        pause(clock, startMs, deadline.signal),
      ]);
      deadline.abort();
      link.server(); // Throws with the reason when it cannot be used.
    },
    launch: async (wanted, signal) => {
      const terminal = await launchTerminal(parts, wanted, signal);
      deaths.add(terminal);
      return terminal;
    },
    startHelper: async (terminal, helper) => {
      await link.look();
      const record = recordOf(terminal);
      return record ? startHelper(parts, terminal, record.workspace, helper) : 'gone';
    },
    list: async () => {
      const snapshot = await link.look();
      const sights = await sightTerminals(parts, missing, snapshot);
      await closeLeftovers(parts, snapshot);
      await closeRestored(parts, snapshot);
      if (missing.hasDoubts) lookAgain();
      deaths.replace(sights.filter(({ isAlive }) => isAlive).map(({ terminal }) => terminal));
      return sights;
    },
    look: async (terminal, look) => lookAt(parts, terminal, look),
    readText: async (terminal, maxBytes) => readPlainText(parts, terminal, maxBytes),
    write: async (terminal, bytes, how) => writeText(parts, terminal, bytes, how),
    // herdr tells nobody what a program prints.
    follow: () => () => undefined,
    // A workspace goes with its last pane, never without it.
    rehome: async (terminal) => (recordOf(terminal) ? 'rehomed' : 'gone'),
    closeTerminal: async (terminal) => closeTerminal(parts, terminal),
    report: (terminal, status) => {
      if (findNote(parts, terminal)) natives.report(terminal, status, recordOf(terminal));
    },
    attachCommand: (terminal, env) => {
      const record = recordOf(terminal);
      return record ? attachFrom(place, record, env) : 'gone';
    },
    close: async () => {
      deaths.close();
      clearTimeout(again);
      if (link.state.state === 'ready') await natives.takeAllBack();
      await link.close();
      settle(); // Whoever waits for the start hears that there will be none.
    },
  };
}

/**
 * Of the events of a whole server, which may be old ones, only those that name a terminal of ours
 * are worth a look.
 */
function isAboutUs({ panes, workspace }: Hint, { panes: known }: Snapshot, notes: Notes): boolean {
  return notes.all().some(({ terminal = '' }) => {
    const record = known.get(terminal);
    return (
      record &&
      (panes.includes(record.pane) || (panes.length === 0 && record.workspace === workspace))
    );
  });
}
