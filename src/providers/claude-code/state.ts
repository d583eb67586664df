import { type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { readFileTextSync } from '../../shared/open-file.ts';
import { listTree } from '../../shared/process-tree.ts';
import { readStartTime } from '../../shared/processes.ts';
import type { AgentContext, OwnState, StateWatch } from '../provider.ts';
import { isMissing } from '../record-files.ts';
import { configFolder } from './config-folder.ts';
import { readSessionFile } from './session-file.ts';

/**
 * Claude Code keeps `sessions/<pid>.json` beside its transcripts: status, what it waits for, and
 * the current conversation, which follows /clear. It is right where hooks are silent (an
 * interrupted turn) and is there when hooks are switched off.
 *
 * The file appears some 0.7 s after the start, first without a status, and is rewritten in place: a
 * reader meets empty and half-old texts (seen on 2.1.325), which are passed over and read again.
 * The folder is watched; where no watch can be had (inotify's limit, a first start without the
 * folder) the file is read after output instead.
 */
export function watchState(context: AgentContext, report: (state: OwnState) => void): StateWatch {
  const source = new StateFile(context, report);
  source.open();
  return { check: () => source.check(), close: () => source.close() };
}

/**
 * After a text that cannot be read: the writer truncates and writes within a millisecond, unless it
 * was killed there.
 */
const retryMs = [20, 40, 80, 160, 320];
/** Output comes in bursts; one read per burst is enough. */
const burstMs = 50;

class StateFile {
  readonly #context: AgentContext;
  readonly #report: (state: OwnState) => void;
  readonly #folder: string;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #said: string | undefined;
  /**
   * The process that writes the file: the terminal's own, or a child of it where a launcher stands
   * in front.
   */
  #writer: number | undefined;
  readonly #strangers = new Set<number>();

  constructor(context: AgentContext, report: (state: OwnState) => void) {
    this.#context = context;
    this.#report = report;
    this.#folder = join(configFolder(context.env), 'sessions');
  }

  open(): void {
    this.#openWatcher();
    // Found again after a restart of ours, behind a launcher: no event will come to name the file.
    if (this.#read(this.#context.pid) === undefined) {
      for (const pid of this.#descendants()) if (this.#read(pid) !== undefined) break;
    }
  }

  check(): void {
    if (this.#watcher) return;
    this.#later(burstMs, () => {
      this.#openWatcher();
      this.#read(this.#writer ?? this.#context.pid);
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #openWatcher(): void {
    if (this.#isClosed || this.#watcher) return;
    try {
      const watcher = watch(this.#folder, { persistent: false }, (_, name) => this.#notice(name));
      watcher.on('error', () => this.#dropWatcher(watcher));
      this.#watcher = watcher;
    } catch {
      // ENOENT before the first start ever, EMFILE or ENOSPC at inotify's limits: output drives us.
    }
  }

  #dropWatcher(watcher: FSWatcher): void {
    watcher.close();
    if (this.#watcher === watcher) this.#watcher = undefined;
  }

  #notice(name: string | null): void {
    // The folder's own name: it was moved or removed, perhaps made again.
    if (name === basename(this.#folder) && this.#watcher) {
      this.#dropWatcher(this.#watcher);
      this.#openWatcher();
    }
    const [, number] = /^(\d+)\.json$/.exec(name ?? '') ?? [];
    const pid = number === undefined ? undefined : Number(number);
    // Some systems tell no names.
    if (name === null) this.#read(this.#writer ?? this.#context.pid);
    else if (pid !== undefined && this.#isOurs(pid)) this.#read(pid);
  }

  #isOurs(pid: number): boolean {
    if (this.#writer !== undefined) return pid === this.#writer;
    if (pid === this.#context.pid) return true;
    // Every other session of this user writes here, too: each is looked up once, and only until
    // ours is known.
    if (this.#strangers.has(pid)) return false;
    if (this.#descendants().includes(pid)) return true;
    this.#strangers.add(pid);
    return false;
  }

  #descendants(): readonly number[] {
    const { pid } = this.#context;
    const startedAt = startTime(pid);
    return startedAt === undefined ? [] : listTree({ pid, startedAt }, []).map((ref) => ref.pid);
  }

  #read(pid: number, tries = 0): OwnState | undefined {
    if (this.#isClosed) return undefined;
    const found = this.#readOf(pid);
    const waitMs = found === 'unreadable' ? retryMs[tries] : undefined;
    if (waitMs !== undefined) {
      this.#later(waitMs, () => this.#read(pid, tries + 1));
      return undefined;
    }
    const state = found === 'unreadable' ? undefined : found;
    if (state) this.#writer = pid;
    this.#say(state);
    return state;
  }

  #readOf(pid: number): OwnState | 'unreadable' | undefined {
    let text: string;
    try {
      text = readFileTextSync(join(this.#folder, `${pid}.json`));
    } catch (error) {
      // Read again: only a file that is not there says that this source is lost (rule 41).
      return isMissing(error) ? undefined : 'unreadable';
    }
    return readSessionFile(text, startTime(pid));
  }

  /** Changes only; and the source is lost only when it had been found. */
  #say(state: OwnState | undefined): void {
    const text = JSON.stringify(state);
    if (text === this.#said) return;
    this.#said = text;
    this.#report(state ?? { report: undefined });
  }

  #later(ms: number, work: () => void): void {
    if (this.#isClosed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      work();
    }, ms);
    this.#timer.unref();
  }
}

function startTime(pid: number): string | undefined {
  try {
    return readStartTime(pid);
  } catch {
    // We could not look (out of file descriptors, say).
    return undefined;
  }
}
