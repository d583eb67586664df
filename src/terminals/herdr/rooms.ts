import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../shared/clock.ts';
import { createSecret } from '../../shared/ids.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { closePane } from './close.ts';
import type { HerdrParts } from './parts.ts';
import { HerdrError, parseObject } from './request.ts';
import { identifySocket } from './server.ts';
import { type Snapshot, textOf } from './wire.ts';

/** A workspace that was asked for and that no program of ours has moved into yet. */
export interface RoomNote {
  /** Nobody else can know it: the workspace is called by it until herdr has answered. */
  readonly id: string;
  /** One life of one server: what another restores under the same names is not ours. */
  readonly server: string;
  /**
   * The terminal that herdr puts into every new workspace; undefined while herdr has not answered.
   */
  readonly root: string | undefined;
  /** Wall time. */
  readonly notedAt: number;
}

/** Asked for longer ago than any request takes, it was not made. */
const lostMs = 60_000;

/**
 * One file for each workspace that is being made, from before it is asked for until a program of
 * ours is in it. What stays here, because an answer was lost or we died, is a workspace with a
 * shell that nobody wants: it is closed with the next look.
 */
export class Rooms {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #known: Map<string, RoomNote>;
  readonly #inHand = new Set<string>();

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#folder = join(folder, 'rooms');
    this.#clock = clock;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#known = new Map(
      readdirSync(this.#folder)
        .map((name) => readRoom(join(this.#folder, name)))
        .flatMap((note) => (note ? [[note.id, note]] : [])),
    );
  }

  /** Before it is asked for. */
  begin(socket: string): RoomNote {
    const server = identifySocket(socket);
    const note = { id: createSecret('room'), server, root: undefined, notedAt: this.#clock.now() };
    this.#inHand.add(note.id);
    return this.#write(note);
  }

  found(note: RoomNote, root: string): RoomNote {
    return this.#write({ ...note, root });
  }

  /** A program of ours is in it, or it is closed. */
  forget({ id }: RoomNote): void {
    this.leave({ id });
    this.#known.delete(id);
    rmSync(join(this.#folder, id), { force: true });
  }

  /** Whoever made it has given up. */
  leave({ id }: Pick<RoomNote, 'id'>): void {
    this.#inHand.delete(id);
  }

  /** What nobody is about to use. */
  leftovers(): readonly RoomNote[] {
    return [...this.#known.values()].filter(({ id }) => !this.#inHand.has(id));
  }

  isLate({ notedAt }: RoomNote): boolean {
    return this.#clock.now() - notedAt > lostMs;
  }

  #write(note: RoomNote): RoomNote {
    const path = join(this.#folder, note.id);
    writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    this.#known.set(note.id, note);
    return note;
  }
}

/** What cannot be closed now is closed with a later look. */
export async function closeLeftovers(parts: HerdrParts, snapshot: Snapshot): Promise<void> {
  const { rooms, place } = parts;
  for (const note of rooms.leftovers()) {
    const isThatServer = note.server === identifySocket(place.socket);
    const root = note.root ?? findRoot(note, snapshot);
    try {
      const isThere = isThatServer && root !== undefined && snapshot.panes.has(root);
      const isClosed = isThere && (await closePane(parts, root));
      if (isClosed || rooms.isLate(note) || !isThatServer) rooms.forget(note);
    } catch (error) {
      if (!(error instanceof HerdrError)) throw error;
    }
  }
}

/** By the name that only we know; if somebody has moved in, it is theirs. */
function findRoot({ id }: RoomNote, { panes, workspaces }: Snapshot): string | undefined {
  const found = [...workspaces.values()].find(({ label }) => label === id);
  const inside = [...panes.values()].filter(({ workspace }) => workspace === found?.workspace);
  return inside.length === 1 ? inside[0]?.terminal : undefined;
}

function readRoom(path: string): RoomNote | undefined {
  const said = path.endsWith('.new') ? undefined : parseObject(readNoted(path));
  if (!said) return undefined; // Cut off: then nothing was asked for either.
  const root = textOf(said, 'root') || undefined;
  return {
    id: textOf(said, 'id'),
    server: textOf(said, 'server'),
    root,
    notedAt: Number(said['notedAt']),
  };
}

/** Empty for what is no file of ours. */
function readNoted(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    reportBug('reading a workspace that was asked for', error);
    return '';
  }
}
