import type { ReadStream, WriteStream } from 'node:tty';
import { type Answer, type Dialog, pressKey } from './dialogs.ts';
import { editDraft, emptyDraft } from './draft.ts';
import { drawFrame, type View } from './frame.ts';
import { clean, type Key, KeyDecoder } from './keys.ts';
import { Painter } from './painter.ts';
import type { Turn, TurnEnd, Work } from './turn.ts';

export interface AgentParts {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly isAlternateScreen: boolean;
  readonly name: string;
  /** What a prompt that was typed means. */
  readonly interpret: (prompt: string) => Work;
  /** `/exit`, or Ctrl-C twice. */
  readonly onLeave: () => void;
}

interface Job {
  readonly prompt: string;
  readonly work: Work;
  readonly end: (end: TurnEnd) => void;
}

/** Nothing that belongs to a sequence comes later than this after its ESC. */
const escapeMs = 25;
const spinnerMs = 120;

/**
 * A terminal agent without a model: one turn at a time, prompts that come meanwhile wait for it.
 */
export class ScriptedAgent {
  readonly #parts: AgentParts;
  readonly #painter: Painter;
  readonly #keys = new KeyDecoder();
  readonly #queue: Job[] = [];
  #view: View = {
    mode: 'starting',
    ticks: 0,
    error: undefined,
    dialog: undefined,
    draft: emptyDraft,
    queued: [],
    isLeaving: false,
  };
  #name: string;
  #shownTitle = '';
  #interrupt: AbortController | undefined;
  #answer: ((answer: Answer) => void) | undefined;
  #isPrinting = false;
  #isTurning = true;
  #escapeTimer: NodeJS.Timeout | undefined;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#name = parts.name;
    this.#painter = new Painter(parts.output, parts.isAlternateScreen);
    parts.input.setRawMode(true);
    parts.input.on('data', (bytes: Buffer) => this.#read(bytes));
    parts.output.on('resize', () => this.#change({}, () => this.#painter.invalidate()));
    this.#change({});
  }

  /** Until this is over, prompts wait and there is no composer. */
  async start(work: Work | undefined): Promise<void> {
    if (work) await this.#perform(work);
    this.#painter.append(`Scripted agent: ${this.#name}`, `  ${clean(process.cwd())}`);
    this.#change({ mode: 'idle' });
    this.#isTurning = false;
    this.#takeNext();
  }

  /** Resolves when its turn is over and the screen says so. */
  submit(prompt: string, work: Work): Promise<TurnEnd> {
    return new Promise((end) => {
      this.#queue.push({ prompt, work, end });
      this.#change({ queued: this.#queue.map((job) => job.prompt) });
      this.#takeNext();
    });
  }

  /** Beside whatever has the turn. */
  async actNow(work: Work): Promise<TurnEnd> {
    const end = await work(this.#openTurn(new AbortController().signal));
    this.#change({});
    return end;
  }

  interrupt(): void {
    this.#interrupt?.abort();
  }

  close(): void {
    this.#painter.close();
    if (!this.#parts.input.destroyed) this.#parts.input.setRawMode(false);
  }

  #takeNext(): void {
    const job = this.#isTurning ? undefined : this.#queue.shift();
    if (!job) return;
    this.#isTurning = true;
    void this.#takeTurn(job).then((end) => {
      this.#isTurning = false;
      job.end(end);
      this.#takeNext();
    });
  }

  async #takeTurn({ prompt, work }: Job): Promise<TurnEnd> {
    const [first = '', ...more] = clean(prompt).split('\n');
    this.#painter.append('', `> ${first}`, ...more.map((line) => `  ${line}`));
    const queued = this.#queue.map((job) => job.prompt);
    this.#change({ mode: 'working', error: undefined, queued, isLeaving: false });
    const spinner = setInterval(() => this.#change({ ticks: this.#view.ticks + 1 }), spinnerMs);
    const end = await this.#perform(work);
    clearInterval(spinner);
    if (end.outcome !== 'done') this.#painter.append(`  ⎿ ${end.outcome}`);
    this.#change({ mode: 'idle', ticks: 0, error: end.outcome === 'failed' ? end.why : undefined });
    return end;
  }

  async #perform(work: Work): Promise<TurnEnd> {
    const interrupt = new AbortController();
    this.#interrupt = interrupt;
    try {
      return await work(this.#openTurn(interrupt.signal));
    } catch (error) {
      // Only waiting throws, and only because somebody pressed Escape.
      if (!interrupt.signal.aborted) throw error;
      return { outcome: 'interrupted' };
    } finally {
      this.#interrupt = undefined;
    }
  }

  #openTurn(signal: AbortSignal): Turn {
    return {
      signal,
      say: (text) => {
        const [first = '', ...more] = clean(text).split('\n');
        this.#painter.append('', `● ${first}`, ...more.map((line) => `  ${line}`));
        this.#change({});
      },
      continue: (line) => {
        this.#painter.append(`  ${clean(line)}`);
        this.#change({});
      },
      note: (text) => {
        this.#painter.append(
          '',
          ...clean(text)
            .split('\n')
            .map((line) => `  ${line}`),
        );
        this.#change({});
      },
      ask: (kind, about) => this.#ask({ kind, about: clean(about), selected: 0 }, signal),
      print: (work) => this.#print(work, () => this.#painter.print('\r\n')),
      printAnything: (work) => this.#print(work, () => this.#painter.recover()),
      setTitle: (title) => {
        this.#name = clean(title);
        this.#change({});
      },
      hideComposer: () => this.#change({ mode: 'starting' }),
    };
  }

  /** An older dialog that a newer one displaces is refused. */
  async #ask(dialog: Dialog, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    this.#answer?.('refused');
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#answer = resolve;
      signal.addEventListener('abort', () => {
        this.#change({ dialog: undefined });
        reject(signal.reason as Error);
      });
    });
    this.#change({ dialog });
    return answer;
  }

  async #print(work: Parameters<Turn['print']>[0], end: () => Promise<void> | void): Promise<void> {
    this.#isPrinting = true;
    try {
      await work((bytes) => this.#painter.print(bytes));
    } finally {
      await end();
      this.#isPrinting = false;
      this.#change({});
    }
  }

  #read(bytes: Buffer): void {
    clearTimeout(this.#escapeTimer);
    this.#press(this.#keys.feed(bytes));
    if (!this.#keys.isWaiting) return;
    this.#escapeTimer = setTimeout(() => this.#press(this.#keys.flush()), escapeMs);
  }

  #press(keys: readonly Key[]): void {
    for (const key of keys) this.#pressOne(key);
    this.#change({});
  }

  #pressOne(key: Key): void {
    const { mode, dialog, draft, isLeaving } = this.#view;
    if (dialog) this.#pressInDialog(dialog, key);
    else if (mode === 'starting') {
      if (key.key === 'interrupt') this.#parts.onLeave();
    } else if (key.key === 'redraw') this.#painter.invalidate();
    else if (key.key === 'enter') this.#enter(draft.text);
    else if (key.key === 'escape' || (key.key === 'interrupt' && mode === 'working')) {
      this.interrupt();
    } else if (key.key === 'interrupt' || (key.key === 'end-of-input' && draft.text === '')) {
      if (isLeaving) this.#parts.onLeave();
      this.#view = { ...this.#view, draft: emptyDraft, isLeaving: draft.text === '' };
    } else this.#view = { ...this.#view, draft: editDraft(draft, key), isLeaving: false };
  }

  #pressInDialog(dialog: Dialog, key: Key): void {
    const next = pressKey(dialog, key);
    if (!('answer' in next)) this.#view = { ...this.#view, dialog: next };
    else {
      this.#view = { ...this.#view, dialog: undefined };
      this.#answer?.(next.answer);
      this.#answer = undefined;
    }
  }

  #enter(prompt: string): void {
    if (prompt.trim() === '') return;
    this.#view = { ...this.#view, draft: emptyDraft, isLeaving: false };
    if (prompt.trim() === '/exit') this.#parts.onLeave();
    else void this.submit(prompt, this.#parts.interpret(prompt));
  }

  /**
   * Every change of what is shown goes through here, and is on its way to the terminal when this
   * returns.
   */
  #change(change: Partial<View>, before?: () => void): void {
    this.#view = { ...this.#view, ...change };
    if (this.#isPrinting) return;
    before?.();
    const title = `${this.#view.mode === 'working' && !this.#view.dialog ? '⠂' : '✳'} ${this.#name}`;
    if (title !== this.#shownTitle) this.#painter.setTitle(title);
    this.#shownTitle = title;
    this.#painter.paint(drawFrame(this.#view, this.#painter.size));
  }
}
