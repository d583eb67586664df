import type { Clock } from '../../shared/clock.ts';
import { isAlive, readStartTime } from '../../shared/processes.ts';
import { lifeOnly, type TerminalSight } from '../terminal.ts';
import { closeNoted } from './close.ts';
import { findLost, isRunning, terminalOf } from './identity.ts';
import { type Ending, type Note, readEnding, readPid } from './notes.ts';
import type { HerdrParts } from './parts.ts';
import type { Snapshot } from './wire.ts';

/**
 * Missing in two looks at least this far apart is gone: once may be herdr's mistake, or ours (B7,
 * B10).
 */
export const goneMs = 2000;
/** A start that has left no trace by then has failed. */
const lostMs = 60_000;
/** A host is a shell that wakes up when its child ends: one look waits so long for all of them. */
const endingMs = 1000;
const endingCheckMs = 5;
/** Later looks wait on for a host that lives: on a starved machine it may take seconds. */
const muteMs = 15_000;

/**
 * Since when each terminal of ours has been missing. Pure but for its memory; it dies with the
 * backend.
 */
export class Missing {
  readonly #since = new Map<string, number>();
  readonly #mute = new Map<string, number>();

  /** Whether its host, which has not said how its program ended, is still waited for. */
  isAwaited(terminal: string, isMute: boolean, now: number): boolean {
    if (!isMute) {
      this.#mute.delete(terminal);
      return false;
    }
    const since = this.#mute.get(terminal) ?? now;
    const isAwaited = now - since < muteMs;
    // Given up for good, so that nobody looks again for it.
    this.#mute.set(terminal, isAwaited ? since : Number.NEGATIVE_INFINITY);
    return isAwaited;
  }

  /** Whether it is gone for good, now that this look had or had not seen it. */
  isGone(terminal: string, isThere: boolean, now: number): boolean {
    if (isThere) {
      this.#since.delete(terminal);
      return false;
    }
    const since = this.#since.get(terminal);
    if (since === undefined) this.#since.set(terminal, now);
    return since !== undefined && now - since >= goneMs;
  }

  get hasDoubts(): boolean {
    return this.#since.size > 0 || [...this.#mute.values()].some(Number.isFinite);
  }

  /** Those that are still noted; of the others nobody asks any more. */
  keep(terminals: ReadonlySet<string>): void {
    for (const memory of [this.#since, this.#mute]) {
      for (const terminal of memory.keys()) {
        if (!terminals.has(terminal)) memory.delete(terminal);
      }
    }
  }

  /** Another server, or the same one lost and found: what was not seen meanwhile proves nothing. */
  forget(terminal?: string): void {
    if (terminal === undefined) this.#since.clear();
    else {
      this.#since.delete(terminal);
      this.#mute.delete(terminal);
    }
  }
}

/** Every terminal of this ledger, by its note and not by what herdr calls it. */
export async function sightTerminals(
  parts: HerdrParts,
  missing: Missing,
  snapshot: Snapshot,
): Promise<readonly TerminalSight[]> {
  const { clock } = parts;
  const sights: TerminalSight[] = [];
  // One for all: while we wait for the first, the others come to their word as well.
  const deadline = clock.monotonicMs() + endingMs;
  for (const listed of parts.notes.all()) {
    // While we waited for another's it may have been completed, or closed and forgotten.
    const note = parts.notes.find(listed);
    const found = note && (await complete(parts, note, snapshot));
    if (found?.terminal === undefined || found.server !== parts.place.socket) continue;
    const record = snapshot.panes.get(found.terminal);
    const isGone = missing.isGone(found.terminal, record !== undefined, clock.monotonicMs());
    // No pane and no process either: that is no mistake of herdr's.
    if (isGone || (record === undefined && hasEndedUnnoted(found))) {
      bury(parts, found, missing);
      continue;
    }
    if (record) parts.notes.seenAt(found, record.pane);
    if (found.helper !== '') continue;
    const ending = await readEndingOf(found, record !== undefined, { clock, deadline });
    // Missed once, it is what it was; and one that is being started is not dead yet.
    const isUndecided = record === undefined || (found.startedAt === '' && !isLate(found, clock));
    const isMute = record !== undefined && ending === undefined && hasMuteHost(found);
    const isAwaited = missing.isAwaited(found.terminal, isMute, clock.monotonicMs());
    const lives = isRunning(found) || ((isUndecided || isAwaited) && ending === undefined);
    sights.push({
      terminal: terminalOf(found, readPid(found) ?? 0),
      isAlive: lives,
      ...(lives ? {} : ending),
      isHomeless: false,
      title: record?.title ?? '',
    });
  }
  // One may have been closed while it was missing: in doubt for ever, it would be looked for every
  // other second.
  missing.keep(new Set(parts.notes.all().flatMap(({ terminal = [] }) => terminal)));
  return [...sights, ...sightHelpers(parts)];
}

/** Lives of which nothing but helpers is noted any more: their agents' terminals were closed. */
function sightHelpers({ notes }: HerdrParts): readonly TerminalSight[] {
  const lone = notes.all().filter((note) => !notes.find({ ...note, helper: '' }));
  const lives = new Map(lone.map((note) => [`${note.agent}/${note.epoch}`, lifeOnly(note)]));
  return [...lives.values()].map((terminal) => ({
    ...{ terminal, isAlive: false, isHomeless: false, title: '', isHelpersOnly: true },
  }));
}

/** Its host, which would say how it ended, has ended as well. */
function hasEndedUnnoted(note: Note): boolean {
  if (note.startedAt === '' || isRunning(note) || readEnding(note)) return false;
  const host = readPid(note, 'host');
  return host !== undefined && !isAlive(host);
}

/** Its program has ended, and its host, which lives, has not said how. */
function hasMuteHost(note: Note): boolean {
  if (note.startedAt === '' || isRunning(note) || readEnding(note)) return false;
  const host = readPid(note, 'host');
  return host !== undefined && isAlive(host);
}

/**
 * A program that ended this moment has a host that is about to say how: without it the exit code
 * would be lost.
 */
async function readEndingOf(
  note: Note,
  isThere: boolean,
  { clock, deadline }: { readonly clock: Clock; readonly deadline: number },
): Promise<Ending | undefined> {
  const hasRun = isThere && note.startedAt !== '';
  while (hasRun && !isRunning(note) && !readEnding(note) && clock.monotonicMs() < deadline) {
    await clock.sleep(endingCheckMs);
  }
  return readEnding(note);
}

/** Its terminal is gone. While its process lives on, the note is what says that it is ours. */
function bury({ notes, former, place, link }: HerdrParts, note: Note, missing: Missing): void {
  if (isRunning(note)) return;
  // Before 0.7.0 an address may be another's by now.
  if (place.isOwn && !link.server().isOld) former.add(note);
  notes.forget(note);
  missing.forget(note.terminal);
}

/** What we did not come to note of one that was begun is found out now. */
async function complete(
  parts: HerdrParts,
  note: Note,
  snapshot: Snapshot,
): Promise<Note | undefined> {
  if (note.terminal !== undefined) {
    const startedAt = note.startedAt === '' ? startOf(note) : '';
    return startedAt === '' ? note : parts.notes.found(note, note.terminal, startedAt);
  }
  const record = await findLost(parts, note, snapshot);
  if (!parts.notes.find(note)) return undefined;
  const startedAt = startOf(note);
  // Without the program's start nothing could be said of its life, and its host has just been
  // started.
  if (record && (startedAt !== '' || readEnding(note)))
    return parts.notes.found(note, record.terminal, startedAt);
  if (isLate(note, parts.clock)) await closeNoted(parts, note);
  return undefined;
}

function startOf(note: Note): string {
  const pid = readPid(note);
  return pid === undefined ? '' : (readStartTime(pid) ?? '');
}

function isLate({ notedAt }: Note, clock: Clock): boolean {
  return clock.now() - notedAt > lostMs;
}
