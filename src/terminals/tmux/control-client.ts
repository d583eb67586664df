import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createSecret } from '../../shared/ids.ts';
import { requirePipes } from '../../shared/require-pipes.ts';
import { clientWords } from './client-words.ts';
import { renderList } from './command.ts';
import { type Block, ControlParser } from './control-parser.ts';
import { endWithUs } from './end-with-us.ts';
import type { TmuxPlace } from './place.ts';

/**
 * One `tmux -C attach`: commands go in as lines, answers and everything the panes print come back
 * in one total order.
 *
 * How many blocks a line makes depends on what it runs (`if-shell` adds its own, an error ends a
 * list), so each line is followed by a `display-message` of an unguessable word: what comes before
 * that word is the answer.
 *
 * tmux 3.3a to 3.6a can leave its answers in a queue until the next command is written; so a
 * command that waits gets a heartbeat behind it. A client that stays silent is killed: what it was
 * asked may or may not have been done, and that is what the asker is told.
 */
export class ControlClient {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #events: ClientEvents;
  readonly #nonce = createSecret('sbx');
  readonly #pending: Pending[] = [];
  #counter = 0;
  #watchdog: NodeJS.Timeout | undefined;
  #quietTicks = 0;
  #reason: string | undefined;
  readonly #ended: Promise<void>;

  constructor(place: TmuxPlace, hub: string, events: ClientEvents) {
    this.#events = events;
    const words = [...clientWords(place), '-C', 'attach-session', '-t', hub];
    // No stderr: a stuck client would hold our caller's pipe open.
    const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
    this.#child = requirePipes(spawn(place.tmux, words, { env: place.env, cwd: '/', stdio }));
    const parser = new ControlParser({
      isRaw: () => this.#pending[0]?.isRaw ?? false,
      block: (block) => this.#take(block),
      output: events.output,
      notification: (name, rest) => {
        if (name === '%exit') this.#reason ??= rest || 'it was detached';
        else events.notification(name);
      },
    });
    this.#child.stdin.on('error', () => undefined); // It ended; its exit is what counts.
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#quietTicks = 0;
      parser.push(chunk);
    });
    const { pid } = this.#child;
    const dismiss = pid === undefined ? undefined : endWithUs(pid, place.env);
    this.#ended = this.#watchEnd(dismiss);
  }

  /**
   * Resolves with the blocks of the answer, or `unknown` when the client was lost before it was
   * complete.
   */
  ask(line: string, options: AskOptions = {}): Promise<readonly Block[] | 'unknown'> {
    if (this.#reason !== undefined) return Promise.resolve('unknown');
    return new Promise((resolve) => {
      const sentinel = this.#nextWord();
      // The line itself was rendered, and so checked, by whoever asks.
      this.#write(`${line}\n${renderList([['display-message', '-p', sentinel]])}\n`);
      this.#enqueue({
        sentinel,
        isRaw: options.isRaw ?? false,
        ...(options.onBlock ? { onBlock: options.onBlock } : {}),
        blocks: [],
        ticks: 0,
        resolve,
      });
    });
  }

  /**
   * Detaches; a client that does not go within a second is killed. The server and its panes stay.
   */
  async close(): Promise<void> {
    this.#reason ??= 'closed';
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), closeMs);
    await this.#ended;
    clearTimeout(timer);
  }

  kill(reason: string): void {
    this.#reason ??= reason;
    this.#child.kill('SIGKILL');
  }

  #nextWord(): string {
    return `${this.#nonce}-${++this.#counter}`;
  }

  /** What is asked in one turn of the event loop is one write. */
  #write(text: string): void {
    const { stdin } = this.#child;
    if (stdin.writableCorked === 0) {
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    stdin.write(text);
  }

  #enqueue(pending: Pending): void {
    this.#pending.push(pending);
    if (this.#watchdog) return;
    this.#quietTicks = 0;
    this.#watchdog = setInterval(() => this.#tick(), tickMs);
  }

  #take(block: Block): void {
    const [head] = this.#pending;
    if (!block.isOurs || !head) return;
    if (isWord(block, head.sentinel)) {
      this.#pending.shift();
      if (this.#pending.length === 0) this.#stopWatchdog();
      head.resolve(head.blocks);
      return;
    }
    head.blocks.push(block);
    head.onBlock?.(block);
  }

  /**
   * Counts ticks, not time: when the whole process was stopped for a while, that is no fault of the
   * client.
   */
  #tick(): void {
    const [head] = this.#pending;
    if (!head) return;
    head.ticks++;
    this.#quietTicks++;
    if (head.ticks === heartbeatTicks) {
      const sentinel = this.#nextWord();
      this.#write(`${renderList([['display-message', '-p', sentinel]])}\n`);
      this.#enqueue({ sentinel, isRaw: false, blocks: [], ticks: 0, resolve: () => undefined });
    }
    if (this.#quietTicks >= silentTicks || head.ticks >= patienceTicks) {
      this.kill('it did not answer');
    }
  }

  #stopWatchdog(): void {
    clearInterval(this.#watchdog);
    this.#watchdog = undefined;
  }

  #watchEnd(dismiss: () => void = () => undefined): Promise<void> {
    let isOver = false;
    let resolve: () => void = () => undefined;
    const ended = new Promise<void>((done) => {
      resolve = done;
    });
    const finish = () => {
      if (isOver) return;
      isOver = true;
      dismiss();
      this.#child.stdout.destroy();
      this.#stopWatchdog();
      this.#reason ??= 'it ended';
      // First the loss, then what was lost: who is told `unknown` must not find the connection
      // still there.
      this.#events.ended(this.#reason);
      for (const pending of this.#pending.splice(0)) pending.resolve('unknown');
      resolve();
    };
    // The server holds our pipe too, and a hung one would keep it open for ever; but answers may
    // still lie in it.
    this.#child.once('exit', () => setTimeout(finish, drainMs));
    this.#child.once('close', finish);
    this.#child.once('error', (error) => {
      this.#reason ??= error.message;
      if (this.#child.pid === undefined) finish();
    });
    return ended;
  }
}

export interface ClientEvents {
  readonly output: (pane: string, bytes: Buffer) => void;
  readonly notification: (name: string) => void;
  /** Once, at its end, whatever ended it. */
  readonly ended: (reason: string) => void;
}

export interface AskOptions {
  /** The answer may hold lines that look like notifications: captured screens. */
  readonly isRaw?: boolean;
  /** Each block as it comes, before anything that follows it in the stream. */
  readonly onBlock?: (block: Block) => void;
}

interface Pending {
  readonly sentinel: string;
  readonly isRaw: boolean;
  readonly onBlock?: (block: Block) => void;
  readonly blocks: Block[];
  ticks: number;
  readonly resolve: (answer: readonly Block[] | 'unknown') => void;
}

const tickMs = 250;
/** 1 s: what is stuck comes free with the next command. */
const heartbeatTicks = 4;
/** 3 s without a single byte, while something is asked. */
const silentTicks = 12;
/**
 * 10 s for any one command: as long as bytes flow the server works, perhaps through a flood that
 * lies before the answer.
 */
const patienceTicks = 40;
const closeMs = 1000;
const drainMs = 100;

function isWord(block: Block, word: string): boolean {
  return block.lines.length === 1 && block.lines[0]?.toString('latin1') === word;
}
