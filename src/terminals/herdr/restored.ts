import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { listTree } from '../../shared/process-tree.ts';
import { readStartTime } from '../../shared/processes.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { closePane } from './close.ts';
import { labelOf } from './identity.ts';
import type { Note } from './notes.ts';
import type { HerdrParts } from './parts.ts';
import { HerdrError, isObject, parseObject } from './request.ts';
import { type Json, type PaneRecord, type Snapshot, textOf } from './wire.ts';

/** A place that a program of ours had when its terminal went. */
interface FormerPlace {
  readonly pane: string;
  /** What we had called it; under another name it is a person's. */
  readonly label: string;
}

/**
 * So long after its server has started a restored shell may have become somebody's: a person's
 * shell in which nothing runs looks just like it.
 */
const ownMs = 60_000;

/** What labelOf makes, and nothing else: whatever else stands in a file was not written by us. */
const ourLabel = /^agt_\w+#\d+( [\w.-]+)?$/;

/**
 * A herdr that crashed comes back with its panes under their old ids and names, a plain shell in
 * each (0.8.0). In our own session those that were an agent's or a helper's are closed: nobody else
 * would ever do so. One file for each, from before its note is forgotten until its pane is closed,
 * or is found not to be there, or to be somebody's.
 */
export class FormerPlaces {
  readonly #folder: string;
  readonly #known: Map<string, FormerPlace>;

  constructor(folder: string) {
    this.#folder = join(folder, 'former');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#known = new Map(
      readdirSync(this.#folder)
        .map((name) => readPlace(join(this.#folder, name)))
        .flatMap((place) => (place ? [[place.label, place]] : [])),
    );
  }

  /**
   * Before the note goes. Where that cannot be written, a shell will stay: that is not worth an
   * agent's end unseen.
   */
  add(note: Note): void {
    const place = { pane: note.pane, label: labelOf(note) };
    if (place.pane === '' || !ourLabel.test(place.label)) return;
    try {
      const path = this.#pathOf(place);
      writeFileSync(`${path}.new`, JSON.stringify(place), { mode: 0o600 });
      renameSync(`${path}.new`, path);
      this.#known.set(place.label, place);
    } catch (error) {
      reportBug('noting a place that an agent had in herdr', error);
    }
  }

  all(): readonly FormerPlace[] {
    return [...this.#known.values()];
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
  const { former, place, clock } = parts;
  if (!place.isOwn || parts.link.server().isOld) return;
  const isFresh = clock.now() - startedAt(place.socket) < ownMs;
  for (const one of former.all()) {
    const found = findRestored(parts, snapshot, one);
    const isOver = !isFresh || (found !== undefined && (await closeIdle(parts, found)));
    if (isOver) former.forget(one);
  }
  if (!isFresh) return;
  for (const record of listMarked(parts, snapshot)) await closeIdle(parts, record);
}

/** A server makes its socket when it starts. Wall time. */
function startedAt(socket: string): number {
  return statSync(socket, { throwIfNoEntry: false })?.ctimeMs ?? 0;
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

/**
 * By the tokens of this ledger, where a server has kept them, of a life that we know nothing of;
 * renamed, it is a person's.
 */
function listMarked({ notes, ledgerId }: HerdrParts, { panes }: Snapshot): readonly PaneRecord[] {
  const known = new Set(notes.all().map(({ agent, epoch }) => `${agent}#${epoch}`));
  return [...panes.values()].filter(({ tokens, label }) => {
    const { signalbox_ledger: ledger, signalbox_agent: agent, signalbox_epoch: epoch } = tokens;
    const life = `${agent}#${epoch}`;
    const isOurs = ourLabel.test(label) && label.split(' ')[0] === life;
    return ledger === ledgerId && isOurs && !known.has(life);
  });
}

/**
 * Whether that is done with: a shell in which nothing runs is closed, an agent that came back is
 * somebody's. One that still reads its start-up files is looked at again, and so is one that herdr
 * cannot tell about now.
 */
async function closeIdle(
  parts: HerdrParts,
  { terminal, pane, agent }: PaneRecord,
): Promise<boolean> {
  if (agent) return true;
  try {
    const { process_info: info } = await parts.link.ask('pane.process_info', { pane_id: pane });
    const shell = isObject(info) ? Number(info['shell_pid']) : 0;
    const isFront = isObject(info) && info['foreground_process_group_id'] === shell;
    const begun = readStartTime(shell);
    if (!isFront || begun === undefined) return false;
    if (listTree({ pid: shell, startedAt: begun }, []).length > 1) return false;
    await closePane(parts, terminal);
    return true;
  } catch (error) {
    if (!(error instanceof HerdrError)) throw error;
    return false;
  }
}

/**
 * Undefined for whatever is not ours, and for one that was cut off: then its note is still there.
 */
function readPlace(path: string): FormerPlace | undefined {
  let said: Json | undefined;
  try {
    said = path.endsWith('.new') ? undefined : parseObject(readFileSync(path, 'utf8'));
  } catch (error) {
    reportBug('reading a place that an agent had in herdr', error);
  }
  const [pane, label] = [textOf(said ?? {}, 'pane'), textOf(said ?? {}, 'label')];
  return pane !== '' && ourLabel.test(label) ? { pane, label } : undefined;
}
