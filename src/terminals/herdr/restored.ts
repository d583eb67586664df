import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../shared/clock.ts';
import { listTree } from '../../shared/process-tree.ts';
import { readStartTime } from '../../shared/processes.ts';
import { closePane } from './close.ts';
import { labelOf } from './identity.ts';
import type { Note } from './notes.ts';
import type { HerdrParts } from './parts.ts';
import { HerdrError, isObject, parseObject } from './request.ts';
import { type PaneRecord, type Snapshot, textOf } from './wire.ts';

/** A place that a program of ours had when its terminal went. */
interface FormerPlace {
  readonly pane: string;
  /** What we had called it; under another name it is a person's. */
  readonly label: string;
  /** Wall time. */
  readonly notedAt: number;
}

/** A shell that has just been restored still reads its start-up files. One that is busy for longer is in use. */
const settledMs = 60_000;

/**
 * A herdr that crashed comes back with its panes under their old ids and names, a plain shell in each (0.8.0). In our own session
 * those that were an agent's or a helper's are closed: nobody else would ever do so. One file for each, from before its note is
 * forgotten until its pane is closed, or is found not to be there, or to be somebody's.
 */
export class FormerPlaces {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #known: Map<string, FormerPlace>;

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#folder = join(folder, 'former');
    this.#clock = clock;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#known = new Map(
      readdirSync(this.#folder)
        .map((name) => readPlace(join(this.#folder, name)))
        .flatMap((place) => (place ? [[place.label, place]] : [])),
    );
  }

  /** Before the note goes. */
  add(note: Note): void {
    if (note.pane === '') return;
    const place = { pane: note.pane, label: labelOf(note), notedAt: this.#clock.now() };
    const path = this.#pathOf(place);
    writeFileSync(`${path}.new`, JSON.stringify(place), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    this.#known.set(place.label, place);
  }

  all(): readonly FormerPlace[] {
    return [...this.#known.values()];
  }

  isSettled({ notedAt }: FormerPlace): boolean {
    return this.#clock.now() - notedAt > settledMs;
  }

  forget(place: FormerPlace): void {
    this.#known.delete(place.label);
    rmSync(this.#pathOf(place), { force: true });
  }

  #pathOf({ label }: FormerPlace): string {
    return join(this.#folder, encodeURIComponent(label));
  }
}

/** In our own session alone; what cannot be closed now is closed with a later look. */
export async function closeRestored(parts: HerdrParts, snapshot: Snapshot): Promise<void> {
  const { former, place } = parts;
  if (!place.isOwn) return;
  try {
    for (const one of former.all()) {
      const found = findRestored(parts, snapshot, one);
      const isOver = found ? await closeIdle(parts, found) : former.isSettled(one);
      if (isOver || former.isSettled(one)) former.forget(one);
    }
    for (const record of listMarked(parts, snapshot)) await closeIdle(parts, record);
  } catch (error) {
    if (!(error instanceof HerdrError)) throw error;
  }
}

function findRestored(
  { notes }: HerdrParts,
  { panes }: Snapshot,
  { pane, label }: FormerPlace,
): PaneRecord | undefined {
  const isOurs = ({ terminal }: PaneRecord): boolean =>
    notes.all().some((note) => note.terminal === terminal);
  const found = [...panes.values()].find((record) => record.pane === pane);
  return found && found.label === label && !isOurs(found) ? found : undefined;
}

/** By the tokens of this ledger, where a server has kept them, of a life that we know nothing of. */
function listMarked({ notes, ledgerId }: HerdrParts, { panes }: Snapshot): readonly PaneRecord[] {
  const known = new Set(notes.all().map(({ agent, epoch }) => `${agent}#${epoch}`));
  return [...panes.values()].filter(({ tokens }) => {
    const { signalbox_ledger: ledger, signalbox_agent: agent, signalbox_epoch: epoch } = tokens;
    return ledger === ledgerId && agent !== undefined && !known.has(`${agent}#${epoch}`);
  });
}

/** Whether that is done with: a shell in which nothing runs is closed, an agent that came back is somebody's. */
async function closeIdle(
  parts: HerdrParts,
  { terminal, pane, agent }: PaneRecord,
): Promise<boolean> {
  if (agent) return true;
  const { process_info: info } = await parts.link.ask('pane.process_info', { pane_id: pane });
  const shell = isObject(info) ? Number(info['shell_pid']) : 0;
  const isFront = isObject(info) && info['foreground_process_group_id'] === shell;
  const startedAt = readStartTime(shell);
  if (!isFront || startedAt === undefined) return false;
  if (listTree({ pid: shell, startedAt }, []).length > 1) return false;
  await closePane(parts, terminal);
  return true;
}

function readPlace(path: string): FormerPlace | undefined {
  const said = path.endsWith('.new') ? undefined : parseObject(readFileSync(path, 'utf8'));
  if (!said) return undefined; // Cut off: then its note is still there.
  const notedAt = Number(said['notedAt']);
  return { pane: textOf(said, 'pane'), label: textOf(said, 'label'), notedAt };
}
