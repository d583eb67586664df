import type { IncomingMessage } from 'node:http';
import { isatty } from 'node:tty';
import type { Folders } from '../../config/folders.ts';
import { headers } from '../../protocol/daemon.ts';
import { Fault } from '../../shared/fault.ts';
import { compareToOurs, findDaemon, requireNotNewer } from './find-daemon.ts';
import { type Answer, type Call, call, readText } from './http.ts';
import { readDocument } from './read-document.ts';
import { findListening, type Started, startDaemon } from './start-daemon.ts';
import { tellHung } from './tell-hung.ts';
import { readUserToken } from './user-token.ts';

/** Asking is quick; what launches, ends or reads an agent may take this long. */
const quickMs = 10_000;
const slowMs = 60_000;

export interface Request extends Pick<Call, 'method' | 'path' | 'body' | 'lastEventId'> {
  readonly isSlow?: boolean;
  /** An agent shows the token of its life with it, where its name alone would not do. */
  readonly showsToken?: boolean;
}

interface Asker {
  /** By id; undefined for the user. */
  readonly agent?: string | undefined;
  /** The user's own command, and no script. */
  readonly isUser?: boolean;
  /** What a person should know although the request succeeds. */
  readonly tell?: (sentence: string) => void;
}

/**
 * The way to the daemon of one state folder: found, or started, with the first request that needs
 * it.
 */
export class DaemonLink {
  readonly #folders: Folders;
  readonly #env: NodeJS.ProcessEnv;
  readonly #asker: Asker;
  #started: Promise<Started> | undefined;

  constructor(folders: Folders, env: NodeJS.ProcessEnv, asker: Asker = {}) {
    this.#folders = folders;
    this.#env = env;
    this.#asker = asker;
  }

  /** Starts a daemon unless one runs. */
  start(): Promise<Started> {
    this.#started ??= this.#tryToStart();
    return this.#started;
  }

  /** A failure is this caller's alone: a wait that lasts for hours asks again. */
  async #tryToStart(): Promise<Started> {
    try {
      return await startDaemon(this.#folders, this.#env, this.#asker.tell);
    } catch (error) {
      this.#started = undefined;
      throw error;
    }
  }

  async ask<T>(request: Request): Promise<T> {
    const deadlineMs = request.isSlow ? slowMs : quickMs;
    const signal = AbortSignal.timeout(deadlineMs);
    return this.#watch(deadlineMs, async () => {
      const response = await this.#reach(request, signal);
      const text = await readText(response).catch((error: unknown) => {
        throw broken(request, error as Error, signal, deadlineMs);
      });
      return readDocument<T>(response, text);
    });
  }

  /** Of a daemon that runs; undefined when none does, or it went away. Nothing is started. */
  async askRunning<T>(request: Request): Promise<T | undefined> {
    const info = findDaemon(this.#folders);
    // An older one is replaced by whoever needs a daemon.
    if (info?.socket === undefined || compareToOurs(info) === 'older') return undefined;
    requireNotNewer(info);
    const deadlineMs = request.isSlow ? slowMs : quickMs;
    const signal = AbortSignal.timeout(deadlineMs);
    const { socket } = info;
    const answer = await this.#watch(deadlineMs, () => this.#call(socket, request, signal));
    const text =
      // The connection broke: it went away, or hangs.
      answer.outcome === 'answered' && (await readText(answer.response).catch((): false => false));
    if (answer.outcome === 'answered' && text !== false) {
      return readDocument<T>(answer.response, text);
    }
    // It hangs: another one cannot be started beside it.
    if (signal.aborted) throw broken(request, new Error('no answer'), signal, deadlineMs);
    return undefined;
  }

  /** The head of a stream; whoever reads it ends it with the signal. */
  async open(request: Request, signal: AbortSignal): Promise<IncomingMessage> {
    const response = await this.#reach(request, signal);
    if (response.statusCode !== 200) readDocument(response, await readText(response));
    return response;
  }

  /** The same, but of a daemon that runs; undefined when none does. Nothing is started. */
  async reopen(request: Request, signal: AbortSignal): Promise<IncomingMessage | undefined> {
    const info = await findListening(this.#folders);
    if (!info || compareToOurs(info) === 'older') return undefined;
    requireNotNewer(info);
    const answer = await this.#call(info.socket, request, signal);
    return answer.outcome === 'answered' ? answer.response : undefined;
  }

  /** Nothing is started. */
  async isRunning(): Promise<boolean> {
    return (await findListening(this.#folders)) !== undefined;
  }

  /** Tells a person after 2 s that the daemon hangs, and nothing while it only takes its time. */
  async #watch<T>(deadlineMs: number, work: () => Promise<T>): Promise<T> {
    const { tell } = this.#asker;
    const over = new AbortController();
    const watching =
      tell && isatty(2)
        ? tellHung(this.#folders, { deadlineMs, tell, over: over.signal })
        : undefined;
    try {
      return await work();
    } finally {
      over.abort();
      await watching;
    }
  }

  async #reach(request: Request, signal: AbortSignal): Promise<IncomingMessage> {
    for (let isLast = false; ; isLast = true) {
      const { info } = await this.start();
      requireNotNewer(info);
      const answer = await this.#call(info.socket, request, signal);
      if (answer.outcome === 'answered') return answer.response;
      if (answer.outcome === 'broken') {
        throw broken(request, answer.error, signal, request.isSlow ? slowMs : quickMs);
      }
      // It ended between our look and our request. Nothing was asked, so it may be asked again.
      if (isLast) throw gone();
      this.#started = undefined;
    }
  }

  #call(socket: string, request: Request, signal: AbortSignal): Promise<Answer> {
    const { agent, isUser = false } = this.#asker;
    const token = isUser ? readUserToken(this.#folders) : undefined;
    const { SIGNALBOX_TOKEN: lifes } = this.#env;
    const isShown = request.showsToken === true && agent !== undefined && lifes !== undefined;
    const shown = {
      headers: {
        [headers.command]: 'heard',
        ...(token === undefined ? {} : { [headers.user]: token }),
        ...(isShown ? { authorization: `Bearer ${lifes}` } : {}),
      },
    };
    return call({ socket, agent, ...shown, ...request }, signal);
  }
}

/** Whether it was done is not known: it must not look like a refusal. */
function broken({ method, path }: Request, error: Error, signal: AbortSignal, ms: number): Fault {
  if (signal.aborted && signal.reason instanceof DOMException) {
    return new Fault(
      'timed-out',
      `The daemon did not answer ${method} ${path} within ${ms / 1000} s; it may still do it.`,
      'See `signalbox health` and `signalbox logs`; `signalbox down` ends a daemon that hangs.',
      { cause: error },
    );
  }
  return new Fault(
    'daemon-unavailable',
    `The daemon went away while it was asked (${error.message}); whether it was done is not known.`,
    'Look with `signalbox ls` before you repeat it.',
    { cause: error },
  );
}

function gone(): Fault {
  return new Fault(
    'daemon-unavailable',
    'The daemon ended before it could be asked.',
    'Try again; see `signalbox logs`.',
  );
}
