import { basename } from 'node:path';
import { parseObject } from '../../shared/json.ts';
import { isRecord, LineFollower } from '../follow-lines.ts';
import { RecordForm } from '../record-form.ts';
import type { Finding } from '../way-in.ts';
import { readShape } from './form.ts';
import { createRolloutJudge } from './judge-rollout.ts';

/**
 * The rollouts of one conversation, read as they grow, oldest first; only the newest one does. A
 * fresh reader reads from the beginning: nothing is kept over a restart of ours.
 */
export class RolloutReader {
  readonly #followers: LineFollower[] = [];
  /** Those whose file was there when it was looked for; the server names others before they are. */
  readonly #found = new Set<string>();
  #judge = createRolloutJudge();
  #form = new RecordForm(readShape);
  #isDamaged = false;

  knows(path: string): boolean {
    return this.#followers.some((follower) => follower.path === path);
  }

  /** The file that is written to. */
  get path(): string | undefined {
    return this.#followers.at(-1)?.path;
  }

  /**
   * Whether all was read to its end, every line of it. Before the first prompt there is no file,
   * and nothing in it.
   */
  get isWhole(): boolean {
    const isRead = (one: LineFollower): boolean =>
      one.isWhole || (one.trouble === 'missing' && !this.#found.has(one.path));
    return !this.#isDamaged && this.#followers.every(isRead);
  }

  /** It shows turns, and none in a form that we know (rule 50). */
  get isForeign(): boolean {
    return this.#form.isForeign;
  }

  /** There is, or was, something to read. */
  get hasRead(): boolean {
    return this.#followers.some(({ trouble }) => trouble !== 'missing');
  }

  add(paths: readonly string[], how: 'found' | 'told'): void {
    if (how === 'found') for (const path of paths) this.#found.add(path);
    for (const path of paths) if (!this.knows(path)) this.#followers.push(new LineFollower(path));
  }

  /**
   * Lines that are too long or broken are passed over (O5), and remembered: what is not found may
   * have stood there.
   */
  async read(): Promise<void> {
    for (const follower of this.#followers) {
      for await (const line of follower.readNew()) {
        if (line === 'begun-again') return await this.#startOver();
        if (line !== 'too-long') this.#form.takeLine(line);
        if (line === 'too-long' || !isRecord(line)) this.#isDamaged = true;
        // Megabytes of tools' output are not parsed for nothing.
        else if (this.#judge.isWaiting || isNeeded(line)) this.#take(line, basename(follower.path));
      }
    }
  }

  find(mark: string): Finding | undefined {
    return this.#judge.find(mark);
  }

  async #startOver(): Promise<void> {
    const paths = this.#followers.map(({ path }) => path);
    this.#followers.length = 0;
    this.add(paths, 'told');
    this.#judge = createRolloutJudge();
    this.#form = new RecordForm(readShape);
    this.#isDamaged = false;
    await this.read();
  }

  #take(line: Buffer, file: string): void {
    const record = parseObject(line.toString('utf8'));
    if (record) this.#judge.take(record, file);
    else this.#isDamaged = true;
  }
}

/** An input, or the first record of a file, whose number tells what it takes back. */
function isNeeded(line: Buffer): boolean {
  return ['"UserMessage"', '"user.text"', '"session_meta"'].some((word) => line.includes(word));
}
