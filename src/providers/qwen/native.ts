import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../shared/clock.ts';
import { FolderWatch } from '../watch-folder.ts';
import type { Injected, Injection, LiveContext, NativeRoute } from '../way-in.ts';
import { appendToInput } from './input-file.ts';
import { eventFile, inputFile } from './launch.ts';

/**
 * Qwen Code's input file: one line is one message (`--input-file`, 0.24.4). It is read twice a
 * second, from the end that it had at the start, and goes where a typed message goes: at rest a
 * turn of its own, else after the running answer, or with the next tool's result. Lines are only
 * ever appended, each in one write: a file that was cut is read again from its beginning, and would
 * say everything twice.
 */
export function openNative(life: LiveContext): NativeRoute {
  return new InputRoute(life);
}

class InputRoute implements NativeRoute {
  readonly #folder: string;
  readonly #watch: FolderWatch;
  #isUp = false;
  /** The input file when it was last looked at. */
  #known: { readonly name: string; readonly size: number } | undefined;
  #newSince = Number.NEGATIVE_INFINITY;

  constructor(life: LiveContext) {
    this.#folder = life.current().runFolder;
    this.#watch = new FolderWatch({
      onChange: () => {
        if (this.blocked() === undefined) life.changed();
      },
      isOurs: (name) => name === eventFile,
    });
    if (this.blocked() !== undefined) this.#watch.follow(this.#folder);
  }

  blocked(): string | undefined {
    const input = statSync(join(this.#folder, inputFile), { throwIfNoEntry: false });
    if (input === undefined) {
      this.#known = { name: 'gone', size: 0 };
      return this.#isUp
        ? 'its input file is gone'
        : 'this Qwen Code was launched without an input file of ours';
    }
    if (this.#isUp) {
      return this.#isNoticed(input)
        ? undefined
        : 'Qwen Code may not have noticed its new input file';
    }
    const events = sizeOf(join(this.#folder, eventFile));
    if (events === undefined) {
      return 'this Qwen Code was launched without an event file of ours, which tells when it reads its input';
    }
    // A line that is there before it begins to read is never read.
    if (events === 0) return 'Qwen Code does not read its input yet';
    this.#isUp = true;
    this.#watch.follow(undefined);
    return undefined;
  }

  async inject({ text, begin, signal }: Injection): Promise<Injected> {
    const blocked = this.blocked();
    if (blocked !== undefined) return refused(blocked);
    if (!noCommand.test(text)) return refused('Qwen Code might run this text as a command');
    const line = Buffer.from(`\n${JSON.stringify({ type: 'submit', text })}\n`);
    return await appendToInput(this.#folder, line, async () => !signal.aborted && (await begin()));
  }

  close(): void {
    this.#watch.close();
  }

  /**
   * It goes on from where it was in the old one, unless it has seen that the file is shorter now.
   */
  #isNoticed({ ino, birthtimeMs, size }: Stats): boolean {
    // The number of a file that is gone is given to the next one.
    const name = `${ino} ${birthtimeMs}`;
    const known = this.#known;
    this.#known = { name, size };
    if (known && (known.name !== name || known.size > size))
      this.#newSince = systemClock.monotonicMs();
    return systemClock.monotonicMs() - this.#newSince >= noticedMs;
  }
}

/** Three of the looks that it takes at its input file (0.24.4). */
const noticedMs = 1500;

/**
 * While a person's composer is in shell mode, what comes by the input file is run as a command, all
 * of it (0.24.4). Nothing is sent while the screen shows that mode; what crosses the key that
 * begins it is caught here: a first line that ends with `>` is a mistake to every shell, which then
 * runs nothing.
 */
const noCommand = /^<[^\n]*>\n/;

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function refused(reason: string): Injected {
  return { outcome: 'refused', reason };
}
