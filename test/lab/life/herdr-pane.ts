import { readFileSync } from 'node:fs';
import { ask } from '../../../src/terminals/herdr/request.ts';
import type { Screen } from '../screen.ts';
import { CannotBe } from './check.ts';
import { type LabPane, lastWord } from './lab-pane.ts';

type Json = Readonly<Record<string, unknown>>;

/** herdr's own names for keys. */
const keys: Readonly<Record<string, string>> = { Escape: 'esc', Enter: 'enter', 'C-u': 'ctrl+u' };

/** By herdr's API, which tells no cursor and cannot scroll for a person. */
export class HerdrPane implements LabPane {
  readonly seesCursor = false;
  readonly #socket: string;
  readonly #terminal: string;

  constructor(socket: string, terminal: string) {
    this.#socket = socket;
    this.#terminal = terminal;
  }

  async look(): Promise<Screen> {
    const pane = await this.#find();
    const text = await this.#read(pane, { source: 'visible', format: 'text' });
    const styled = await this.#read(pane, { source: 'visible', format: 'ansi' });
    const lines = text.split('\n');
    return {
      columns: Math.max(...lines.map((line) => line.length)),
      rows: lines.length,
      text,
      styled,
      title: '',
      cursor: { x: 0, y: 0, isVisible: false },
      isAlternate: false,
    };
  }

  /** The one child of the host that the product puts into a pane. */
  async pid(): Promise<number> {
    const { process_info } = await this.#ask('pane.process_info', { pane_id: await this.#find() });
    const { shell_pid: host } = process_info as { readonly shell_pid: number };
    return Number(readFileSync(`/proc/${host}/task/${host}/children`, 'utf8').trim().split(' ')[0]);
  }

  async scrollback(): Promise<string> {
    const wanted = { source: 'recent_unwrapped', lines: 1000, format: 'ansi' };
    return this.#read(await this.#find(), wanted);
  }

  async press(key: string): Promise<void> {
    await this.#ask('pane.send_keys', { pane_id: await this.#find(), keys: [keys[key] ?? key] });
  }

  async paste(text: string): Promise<void> {
    await this.#ask('pane.send_input', { pane_id: await this.#find(), text, keys: [] });
  }

  resize(): Promise<void> {
    throw new CannotBe('by its API nobody can change the size of a window of herdr');
  }

  /** Anywhere on the screen: a word may be cut in two at its edge, and stand in a frame. */
  isWritten({ text: shown }: Screen, text: string): boolean {
    return shown.replaceAll(/[\s│┃|▌]/g, '').includes(lastWord(text));
  }

  copyMode(): Promise<void> {
    throw new CannotBe('by its API nobody can scroll in herdr');
  }

  isInCopyMode(): Promise<boolean> {
    throw new CannotBe('herdr does not say whether a person scrolls');
  }

  leaveCopyMode(): Promise<void> {
    throw new CannotBe('by its API nobody can scroll in herdr');
  }

  async close(): Promise<void> {
    await this.#ask('pane.close', { pane_id: await this.#find() });
  }

  /** Where the terminal is now. */
  async #find(): Promise<string> {
    const { panes } = await this.#ask('pane.list', {});
    const found = (panes as readonly Json[]).find((pane) => pane['terminal_id'] === this.#terminal);
    if (!found) throw new Error(`${this.#terminal} is gone`);
    return String(found['pane_id']);
  }

  async #read(pane: string, wanted: Json): Promise<string> {
    const { read } = await this.#ask('pane.read', { pane_id: pane, ...wanted });
    return String((read as Json)['text']);
  }

  #ask(method: string, params: Json): Promise<Json> {
    return ask(this.#socket, { method, params, deadlineMs: 10_000 });
  }
}
