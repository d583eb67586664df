import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { reportBug } from '../../shared/report-bug.ts';
import { type CommandList, renderList } from './command.ts';
import type { Answer, FaultText, FromReader, News, ToReader, WatchOrder } from './link.ts';
import { Outbox } from './outbox.ts';
import type { TmuxPlace } from './place.ts';

/**
 * The daemon's end of the reader's thread. Commands are checked and rendered here; each is
 * answered, also when the connection is lost, and a reader that dies of a bug is started again.
 */
export class ReaderLink {
  readonly #place: TmuxPlace;
  readonly #events: LinkEvents;
  readonly #asked = new Map<number, (answer: Answer) => void>();
  readonly #outbox = new Outbox<ToReader>((messages) => this.#worker.postMessage(messages));
  #worker: Worker;
  #counter = 0;
  #isClosing = false;

  constructor(place: TmuxPlace, events: LinkEvents) {
    this.#place = place;
    this.#events = events;
    this.#worker = this.#start();
  }

  ask(list: CommandList, options: { isRaw?: boolean; watch?: WatchOrder } = {}): Promise<Answer> {
    const line = renderList(list);
    const { isRaw = false, watch } = options;
    if (this.#isClosing) return Promise.resolve({ outcome: 'unsent' });
    return new Promise((resolve) => {
      const id = ++this.#counter;
      this.#asked.set(id, resolve);
      this.tell({ kind: 'ask', id, line, isRaw, ...(watch ? { watch } : {}) });
    });
  }

  tell(message: Exclude<ToReader, { kind: 'close' }>): void {
    this.#outbox.put(message);
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const ended = new Promise((done) => this.#worker.once('exit', done));
    this.#outbox.put({ kind: 'close' });
    this.#outbox.flush();
    const timer = setTimeout(() => void this.#worker.terminate(), closeMs);
    await ended;
    clearTimeout(timer);
    this.#giveUp();
  }

  #start(): Worker {
    const worker = new Worker(readerUrl(), {
      workerData: this.#place,
      execArgv: [],
      name: 'tmux-reader',
    });
    worker.on('message', (messages: readonly FromReader[]) => {
      for (const message of messages) this.#take(message);
    });
    worker.on('error', (error) => {
      reportBug('the reader of tmux', error);
      this.#events.lost(`the reader failed: ${error.message}`);
    });
    worker.on('exit', () => {
      this.#giveUp();
      if (this.#isClosing) return;
      this.#events.lost('the reader ended');
      setTimeout(() => {
        if (!this.#isClosing) this.#worker = this.#start();
      }, restartMs);
    });
    return worker;
  }

  #take(message: FromReader): void {
    switch (message.kind) {
      case 'answer':
        this.#asked.get(message.id)?.(message.answer);
        this.#asked.delete(message.id);
        break;
      case 'news':
        this.tell({ kind: 'taken' });
        this.#events.news(message);
        break;
      case 'connected':
        this.#events.connected(message);
        break;
      case 'lost':
        this.#events.lost(message.reason, message.fault);
        break;
      case 'bug':
        reportBug(message.place, message.error);
        break;
      case 'closed':
        break;
    }
  }

  #giveUp(): void {
    for (const resolve of this.#asked.values()) resolve({ outcome: 'unknown' });
    this.#asked.clear();
  }
}

export interface LinkEvents {
  readonly connected: (found: Found) => void;
  readonly lost: (reason: string, fault?: FaultText) => void;
  readonly news: (news: News) => void;
}

/** What the reader has connected us to, and with which program. */
export type Found = Pick<Extract<FromReader, { kind: 'connected' }>, 'version' | 'hub' | 'tmux'>;

/** A client that hangs is killed after 1 s by the reader; logs may have something to write. */
const closeMs = 3000;
const restartMs = 1000;

/** Beside the bundle, or from source. */
function readerUrl(): URL {
  if (typeof builtReader === 'string') return pathToFileURL(builtReader);
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? './reader-from-source.mjs' : './tmux-reader.cjs', import.meta.url);
}

/**
 * Put in by vitest.config.ts; not there at all where the program runs. A thread that reads our
 * TypeScript takes 300 ms of CPU time to start, and one of the build 30: hundreds of tests start
 * one.
 */
declare const builtReader: string | undefined;
