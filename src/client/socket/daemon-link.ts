import type { IncomingMessage } from 'node:http';
import type { Folders } from '../../config/folders.ts';
import { type FaultView, headers, protocolVersion } from '../../protocol/daemon.ts';
import { systemClock } from '../../shared/clock.ts';
import { exitCodes, Fault, type FaultCode } from '../../shared/fault.ts';
import { findDaemon, requireSameProtocol } from './find-daemon.ts';
import { type Answer, type Call, call, readText } from './http.ts';
import { findListening, type Started, startDaemon } from './start-daemon.ts';
import { readUserToken } from './user-token.ts';

/** Asking is quick; what launches, ends or reads an agent may take this long. */
const quickMs = 10_000;
const slowMs = 60_000;

export interface Request extends Pick<Call, 'method' | 'path' | 'body' | 'lastEventId'> {
  readonly isSlow?: boolean;
}

/**
 * The way to the daemon of one state folder: found, or started, with the first request that needs
 * it.
 */
export class DaemonLink {
  readonly #folders: Folders;
  readonly #env: NodeJS.ProcessEnv;
  readonly #agent: string | undefined;
  readonly #isUser: boolean;
  #started: Promise<Started> | undefined;

  /** `agent` is who asks, by id; undefined for the user. `isUser`: that is no script. */
  constructor(folders: Folders, env: NodeJS.ProcessEnv, agent?: string, isUser = false) {
    this.#folders = folders;
    this.#env = env;
    this.#agent = agent;
    this.#isUser = isUser;
  }

  /** Starts a daemon unless one runs. */
  start(): Promise<Started> {
    this.#started ??= startDaemon(this.#folders, this.#env);
    return this.#started;
  }

  async ask<T>(request: Request): Promise<T> {
    const deadlineMs = request.isSlow ? slowMs : quickMs;
    const signal = AbortSignal.timeout(deadlineMs);
    const response = await this.#reach(request, signal);
    const text = await readText(response).catch((error: unknown) => {
      throw broken(request, error as Error, signal, deadlineMs);
    });
    return readDocument<T>(response, text);
  }

  /** Of a daemon that runs; undefined when none does, or it went away. Nothing is started. */
  async askRunning<T>(request: Request): Promise<T | undefined> {
    const info = findDaemon(this.#folders);
    if (info?.socket === undefined) return undefined;
    requireSameProtocol(info);
    const deadlineMs = request.isSlow ? slowMs : quickMs;
    const signal = AbortSignal.timeout(deadlineMs);
    const answer = await this.#call(info.socket, request, signal);
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
    if (!info) return undefined;
    requireSameProtocol(info);
    const answer = await this.#call(info.socket, request, signal);
    return answer.outcome === 'answered' ? answer.response : undefined;
  }

  /** Nothing is started. */
  async isRunning(): Promise<boolean> {
    return (await findListening(this.#folders)) !== undefined;
  }

  async #reach(request: Request, signal: AbortSignal): Promise<IncomingMessage> {
    for (let isLast = false; ; isLast = true) {
      const { info } = await this.start();
      requireSameProtocol(info);
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
    const token = this.#isUser ? readUserToken(this.#folders) : undefined;
    const shown = {
      headers: {
        [headers.command]: 'heard',
        ...(token === undefined ? {} : { [headers.user]: token }),
      },
    };
    return call({ socket, agent: this.#agent, ...shown, ...request }, signal);
  }
}

export function readDocument<T>(response: IncomingMessage, text: string): T {
  if (response.statusCode === 204) return {} as T;
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Fault(
      'bug',
      `The daemon answered ${response.statusCode} with something that is not JSON.`,
      'See `signalbox logs`.',
      { cause: error },
    );
  }
  if ((response.statusCode ?? 500) < 400) return document as T;
  const { error } = document as Partial<FaultView>;
  const spoken = response.headers[headers.protocol];
  const {
    code = 'bug',
    message = `The daemon answered ${response.statusCode}.`,
    next,
  } = error ?? {};
  const known = Object.hasOwn(exitCodes, code) ? (code as FaultCode) : 'bug';
  const hint = spoken === String(protocolVersion) ? 'See `signalbox logs`.' : 'Upgrade signalbox.';
  throw new Fault(known, message, next ?? hint);
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

/** For those who wait until something is so. */
export async function waitUntil(isSo: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  const endsAtMs = systemClock.monotonicMs() + limitMs;
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 100)) {
    if (await isSo()) return true;
    if (systemClock.monotonicMs() >= endsAtMs) return false;
    await systemClock.sleep(waitMs);
  }
}
