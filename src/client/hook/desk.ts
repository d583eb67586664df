import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../shared/clock.ts';
import { judgeSocket } from '../../shared/own-path.ts';

/** Milliseconds; together they leave a synchronous hook within its second (rule 23). */
const askMs = 600;
const confirmMs = 300;
const waitMs = 60_000;
const longestPauseMs = 30_000;

/** The daemon is at work on it, or failed at it: should it die now, nobody else would know. Or it is longer than it takes. */
function isUnkept({ text }: Answer): boolean {
  return /^\{"outcome":"(?:late"|ignored","reason":"(?:failed|too-large)")/.test(text);
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The daemon as the hook client for Node sees it; the same conversation as that of `hook-client.sh`. */
export class Desk {
  readonly #socket: string;
  readonly #token: string;

  constructor(socket: string, token: string) {
    this.#socket = socket;
    this.#token = token;
  }

  /** `commit` is called with the payload when nobody took it. */
  async post(
    event: string,
    payload: string,
    commit: (payload: string, report: string) => Promise<void>,
  ): Promise<number> {
    const report = `${Math.floor(systemClock.now() / 1000)}-${process.pid}`;
    const answer = await this.#ask(encodeURIComponent(event), payload, askMs, report);
    if (!answer || isUnkept(answer)) await commit(payload, report);
    return answer?.status === 200 ? ((await this.#say(answer.text)) ?? 0) : 0;
  }

  /** Until there was something to say, it is dismissed, or its parent has ended. */
  async wait(payload: string): Promise<number> {
    const parent = process.ppid;
    const hasParent = (): boolean => process.ppid === parent;
    let pauseMs = 1000;
    while (hasParent()) {
      const answer = await this.#ask(`wait?pid=${parent}&hook=${process.pid}`, payload, waitMs);
      if (answer?.status === 200) {
        if (answer.text === 'dismissed') return 0;
        const code = hasParent() ? await this.#say(answer.text) : 0;
        if (code !== undefined) return code;
      }
      if (answer && answer.status < 400) {
        pauseMs = 1000;
        await delay(100);
      } else {
        await delay(pauseMs);
        pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      }
    }
    return 0;
  }

  /** The exit code, once it is confirmed and printed (rule 16). */
  async #say(answer: string): Promise<number | undefined> {
    const [, id, stream, code, text = ''] =
      /^(\w+) (stdout|stderr) (\d+)\n([\s\S]*)$/.exec(answer) ?? [];
    if (id === undefined) return undefined;
    const go = await this.#ask(`confirm/${id}`, '', confirmMs);
    if (go?.status !== 200) return undefined;
    const out = stream === 'stdout' ? process.stdout : process.stderr;
    await new Promise((done) => out.write(text, done));
    return Number(code);
  }

  /** Undefined when there was no whole answer in time. */
  #ask(path: string, body: string, ms: number, report = ''): Promise<Answer | undefined> {
    // It may be somebody else's, who would get the token and the payload.
    if (judgeSocket(this.#socket).length > 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const asking = request({
        socketPath: this.#socket,
        path: `/hooks/${path}`,
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(ms),
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          'x-signalbox-report': report,
          'content-length': Buffer.byteLength(body),
        },
      });
      asking.on('error', () => resolve(undefined));
      asking.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve(undefined));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, text });
        });
      });
      asking.end(body);
    });
  }
}
