import type { Explanation, SendResult } from '../../../src/protocol/messages.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { isAtRest, type Life } from '../../../test/lab/life/life.ts';
import type { LoggedRequest } from '../../../test/lab/mock-llm/request-log.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { askDaemon } from '../../terminals/station.ts';
import { createWord, writeByHand } from '../letter.ts';
import type { Pace } from './pace.ts';
import type { ByHand } from './route.ts';

export type Side = 'ours' | 'byHand';

/** Milliseconds. */
export interface Sample {
  /** From the send to an agent at rest to the model's request that holds the message. */
  readonly idle: number;
  /** From the last byte of the running answer to the request that holds a message sent meanwhile. */
  readonly busy: number;
}

const patienceMs = 30_000;

/** One life of a CLI, and messages into it from both sides. */
export class Exchange {
  readonly #life: Life;
  readonly #byHand: ByHand;
  readonly #pace: Pace;
  #lastArrival = 0;
  #lastWake = 0;
  readonly #sent: Record<keyof Sample, string[]> = { idle: [], busy: [] };

  constructor(life: Life, byHand: ByHand, pace: Pace) {
    this.#life = life;
    this.#byHand = byHand;
    this.#pace = pace;
  }

  /** One message to an agent at rest, and one while it answers that. `part`: where in a poll of the CLI it begins, 0 to 1. */
  async take(side: Side, part: number): Promise<Sample> {
    const { streamWords, joinAfterMs } = this.#pace;
    await this.#rests();
    await this.#waitForPhase(side, part);
    const first = await this.#send(side, 'idle', `@@stream ${streamWords} words 50ms`);
    await systemClock.sleep(first.request.at + joinAfterMs - Date.now());
    const second = await this.#send(side, 'busy', '@@say ok');
    const { endedAt = Number.NaN } = first.request;
    return { idle: first.request.at - first.sentAt, busy: second.request.at - endedAt };
  }

  /** By which routes ours went; more attempts than messages mean that some were repeated. */
  async tellRoutes(): Promise<Record<keyof Sample, string>> {
    return { idle: await this.#countRoutes('idle'), busy: await this.#countRoutes('busy') };
  }

  async #countRoutes(state: keyof Sample): Promise<string> {
    const routes = new Map<string, number>();
    for (const id of this.#sent[state]) {
      const asked = { method: 'GET', path: `/messages/${id}` };
      const { attempts } = await askDaemon<Explanation>(this.#life.box.state, asked);
      for (const { route } of attempts) routes.set(route, (routes.get(route) ?? 0) + 1);
    }
    return [...routes].map(([route, count]) => `${route} ${count}`).join(', ');
  }

  async #send(
    side: Side,
    state: keyof Sample,
    script: string,
  ): Promise<{ readonly sentAt: number; readonly request: LoggedRequest }> {
    const { mock, box } = this.#life;
    const word = createWord();
    const body = `${word} ${script}`;
    const before = mock.requests.length;
    const isIt = ({ n, isSide, body: got }: LoggedRequest): boolean =>
      n > before && !isSide && got.includes(word);
    const arrived = mock.waitFor(isIt, patienceMs);
    const hasArrived = (): boolean => mock.requests.slice(before).some(isIt);
    const text = writeByHand({ body });
    const sentAt = Date.now();
    const act = async (): Promise<void> => {
      if (side === 'byHand') {
        return state === 'idle' ? this.#byHand.wake(text, hasArrived) : this.#byHand.join(text);
      }
      const asked = { method: 'POST', path: '/messages', body: { to: 'lab', body } };
      this.#sent[state].push((await askDaemon<SendResult>(box.state, asked)).id);
    };
    const [request] = await Promise.all([arrived, act()]).catch(async () => {
      throw new Error(`no request came of a message (${side}, ${state}): ${await this.#explain()}`);
    });
    if (state === 'idle') this.#lastArrival = request.at;
    return { sentAt, request };
  }

  /** The story of the last one of ours, and what the screen shows. */
  async #explain(): Promise<string> {
    const { box, hands } = this.#life;
    const id = [...this.#sent.idle, ...this.#sent.busy].toSorted().at(-1);
    const asked = { method: 'GET', path: `/messages/${id}` };
    const { history, waitsFor } = await askDaemon<Explanation>(box.state, asked);
    const moves = history.map(({ to, cause }) => `${to} (${cause})`).join(' → ');
    const { text } = await hands.look();
    return `ours last: ${moves}; waits for ${waitsFor ?? 'nothing'}\n${text.trimEnd()}`;
  }

  async #rests(): Promise<void> {
    const isQuiet = (): boolean => {
      const { current, mock } = this.#life;
      if (!current || !isAtRest(current) || mock.requests.some(isOpen)) return false;
      if (this.#pace.needsComposer && current.composer !== 'empty') return false;
      return Date.now() - current.at > this.#pace.quietMs;
    };
    await waitUntil('rest', isQuiet, patienceMs).catch((error: unknown) => {
      throw new Error(`${error}: ${JSON.stringify(this.#life.current)}`);
    });
  }

  async #waitForPhase(side: Side, part: number): Promise<void> {
    const { pollMs, wakeEveryMs } = this.#pace;
    if (side === 'ours' && wakeEveryMs !== undefined) {
      await systemClock.sleep(Math.max(0, this.#lastWake + wakeEveryMs - Date.now()));
      this.#lastWake = Date.now();
    }
    if (pollMs === undefined) return;
    const since = Date.now() - this.#lastArrival - part * pollMs;
    await systemClock.sleep(pollMs - (since % pollMs));
  }
}

function isOpen({ outcome }: LoggedRequest): boolean {
  return outcome === undefined;
}
