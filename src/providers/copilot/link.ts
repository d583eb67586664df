import { readdirSync, statSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { asObject, type Json, parseObject } from '../../shared/json.ts';
import { shortSocketPath } from '../../shared/short-path.ts';
import { FolderWatch } from '../watch-folder.ts';
import { linkFolder } from './extension.ts';

/** How long anything outside may take. */
const deadlineMs = 5000;

/** The connection to the extension of one run (extension.ts): made as soon as there is one, and again after /clear. */
export class ExtensionLink {
  readonly #folder: string;
  readonly #onChange: () => void;
  readonly #watch: FolderWatch;
  #socket: Socket | undefined;
  #name: string | undefined;
  #isGreeted = false;
  readonly #waiting = new Map<number, (answer: Json | undefined) => void>();
  #count = 0;
  #isClosed = false;

  constructor(runFolder: string, onChange: () => void) {
    this.#folder = linkFolder(runFolder);
    this.#onChange = onChange;
    this.#watch = new FolderWatch({ onChange: () => this.#connect() });
    this.#watch.follow(this.#folder);
    this.#connect();
  }

  get isConnected(): boolean {
    return this.#isGreeted;
  }

  /** `lost`: it may have been done, or not. */
  async ask(request: Json): Promise<Json | 'lost'> {
    const socket = this.#socket;
    if (!socket || !this.#isGreeted) return 'lost';
    const id = ++this.#count;
    const answer = await new Promise<Json | undefined>((done) => {
      const timer = setTimeout(() => done(undefined), deadlineMs);
      this.#waiting.set(id, (found) => {
        clearTimeout(timer);
        done(found);
      });
      socket.write(`${JSON.stringify({ id, ...request })}\n`);
    });
    this.#waiting.delete(id);
    return answer ?? 'lost';
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
    this.#socket?.destroy();
  }

  #connect(): void {
    const name = newest(this.#folder);
    if (this.#isClosed || name === undefined) return;
    // After /clear the old one may live on for a moment.
    if (this.#socket && (name === this.#name || this.#waiting.size > 0)) return;
    const path = shorten(this.#folder, name);
    if (path === undefined) return;
    this.#isGreeted = false;
    this.#socket?.destroy();
    const socket = createConnection(path);
    this.#socket = socket;
    this.#name = name;
    let rest = '';
    socket.setEncoding('utf8');
    // Its end comes as `close`, and the next look tries again.
    socket.on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      // What an old one still says is nobody's.
      if (socket === this.#socket) for (const line of lines) this.#take(parseObject(line) ?? {});
    });
    socket.once('close', () => this.#lose(socket));
  }

  #take(answer: Json): void {
    const { id, session } = answer;
    if (typeof id === 'number') this.#waiting.get(id)?.(answer);
    else if (typeof session === 'string') {
      this.#isGreeted = true;
      this.#onChange();
    }
  }

  #lose(socket: Socket): void {
    if (this.#socket !== socket) return;
    const wasGreeted = this.#isGreeted;
    this.#socket = undefined;
    this.#isGreeted = false;
    for (const end of this.#waiting.values()) end(undefined);
    if (wasGreeted && !this.#isClosed) this.#onChange();
    if (wasGreeted) this.#connect();
  }
}

/** Those of conversations that were left stay behind, and nobody listens there. */
function newest(folder: string): string | undefined {
  try {
    const names = readdirSync(folder).filter((name) => /^\d+$/.test(name));
    const at = (name: string): number => statSync(join(folder, name)).ctimeMs;
    return names.toSorted((a, b) => at(b) - at(a))[0];
  } catch {
    // The extension has not begun yet, or one of them went away just now: the next look tells.
    return undefined;
  }
}

function shorten(folder: string, name: string): string | undefined {
  try {
    return shortSocketPath(folder, name, process.env);
  } catch {
    // It is reported as not connected.
    return undefined;
  }
}

/** What the extension says of the session's queue. */
interface QueueLook {
  readonly pending: readonly unknown[];
  /** By this very extension, and so into the conversation that it stands beside. */
  readonly sent: readonly unknown[];
  readonly begun: readonly unknown[];
  /** Undefined while it works. */
  readonly idleMs: number | undefined;
}

export function readLook(answer: Json | 'lost'): QueueLook | undefined {
  if (answer === 'lost') return undefined;
  const { pending, sent = [], begun, idleMs } = asObject(answer);
  if (!Array.isArray(pending) || !Array.isArray(sent) || !Array.isArray(begun)) return undefined;
  return { pending, sent, begun, idleMs: typeof idleMs === 'number' ? idleMs : undefined };
}
