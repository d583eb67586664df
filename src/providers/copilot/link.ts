import { readdirSync, statSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { asObject, type Json, parseObject } from '../../shared/json.ts';
import { shortSocketPath } from '../../shared/short-path.ts';
import { FolderWatch } from '../watch-folder.ts';

/** How long anything outside may take. */
const deadlineMs = 5000;

export interface LinkParts {
  /** It is connected, or not any more, or to another one. */
  readonly onChange: () => void;
  /** What the extension says without being asked. */
  readonly onTold?: (told: Json) => void;
}

/**
 * The connection to an extension of one run, by the folder of its sockets (extension.ts): made as
 * soon as there is one, and again after /clear. When an answer names another session as the one in
 * front, it goes over to that one's extension; while there is none, it is not connected.
 */
export class ExtensionLink {
  readonly #folder: string;
  readonly #parts: LinkParts;
  readonly #watch: FolderWatch;
  #socket: Socket | undefined;
  #name: string | undefined;
  #isGreeted = false;
  /** Whose extension it is. */
  #session: string | undefined;
  /**
   * The session that the terminal shows, by the last answer; not known again as soon as another
   * extension is there.
   */
  #front: string | undefined;
  #latest: string | undefined;
  /** Sockets at which nobody listened. */
  readonly #dead = new Set<string>();
  readonly #waiting = new Map<number, (answer: Json | undefined) => void>();
  #count = 0;
  #isClosed = false;

  constructor(folder: string, parts: LinkParts) {
    this.#folder = folder;
    this.#parts = parts;
    this.#watch = new FolderWatch({ onChange: () => this.#look() });
    this.#watch.follow(this.#folder);
    this.#connect();
  }

  get isConnected(): boolean {
    return this.#isGreeted && !this.isElsewhere;
  }

  /** Somebody may listen there, and has not said yet who. */
  get isJoining(): boolean {
    return this.#socket !== undefined && !this.#isGreeted;
  }

  /** The terminal shows a conversation that has none, as far as is known. */
  get isElsewhere(): boolean {
    return this.#front !== undefined && this.#front !== this.#session;
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
    if (this.isElsewhere) this.#connect();
    return answer ?? 'lost';
  }

  /** Asks which session is in front, unless an answer is awaited that will say so. */
  askFront(): void {
    if (this.#isGreeted && this.#waiting.size === 0) void this.ask({ do: 'front' });
  }

  close(): void {
    this.#isClosed = true;
    this.#watch.close();
    this.#socket?.destroy();
  }

  /** Now and then: whoever has left for a conversation without an extension may come back. */
  #look(): void {
    this.#connect();
    if (this.isElsewhere) this.askFront();
  }

  #connect(): void {
    const name = this.#choose();
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

  #choose(): string | undefined {
    const names = listNewestFirst(this.#folder);
    if (names[0] !== this.#latest) this.#forget();
    this.#latest = names[0];
    const living = names.filter((name) => !this.#dead.has(name));
    // What was taken for dead may have been out of reach.
    if (living.length === 0) this.#dead.clear();
    const front = this.#front;
    if (front === undefined) return living[0];
    // Until it has one any other is good enough to ask which one is in front.
    const own = living.find((name) => name.endsWith(`.${front}`));
    return own ?? (this.#socket ? undefined : living[0]);
  }

  #forget(): void {
    this.#front = undefined;
    this.#dead.clear();
  }

  #take(answer: Json): void {
    const { id, session, front } = answer;
    if (typeof front === 'string') {
      const wasElsewhere = this.isElsewhere;
      this.#front = front;
      if (wasElsewhere !== this.isElsewhere) this.#parts.onChange();
    }
    if (typeof id === 'number') this.#waiting.get(id)?.(answer);
    else if (typeof session === 'string') {
      this.#isGreeted = true;
      this.#session = session;
      this.#parts.onChange();
    } else this.#parts.onTold?.(answer);
  }

  #lose(socket: Socket): void {
    if (this.#socket !== socket) return;
    const wasGreeted = this.#isGreeted;
    this.#socket = undefined;
    this.#isGreeted = false;
    // It may have ended because it is not in front any more.
    if (wasGreeted) this.#front = undefined;
    else if (this.#name !== undefined) this.#dead.add(this.#name);
    for (const end of this.#waiting.values()) end(undefined);
    if (wasGreeted && !this.#isClosed) this.#parts.onChange();
    if (wasGreeted) this.#connect();
  }
}

/**
 * Those of conversations that were left stay behind, with or without somebody who listens there.
 */
function listNewestFirst(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => /^\d+(?:\.[\w-]+)?$/.test(name));
    const at = (name: string): number => statSync(join(folder, name)).ctimeMs;
    return names.toSorted((a, b) => at(b) - at(a));
  } catch {
    // The extension has not begun yet, or one of them went away just now: the next look tells.
    return [];
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
