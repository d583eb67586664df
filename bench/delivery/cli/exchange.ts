import type { Explanation } from '../../../src/protocol/messages.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import type { LoggedRequest } from '../../../test/lab/mock-llm/request-log.ts';
import { askDaemon } from '../../terminals/station.ts';
import { createWord, writeByHand } from '../letter.ts';
import type { Ours } from './ours.ts';
import type { Pace } from './pace.ts';
import type { ByHand } from './route.ts';
import { patienceMs, waitForRest } from './wait-for-rest.ts';

export type Side = 'ours' | 'byHand';

/** Milliseconds. */
export interface Sample {
  /** From the send to an agent at rest to the model's request that holds the message. */
  readonly idle: number;
  /**
   * From the last byte of the running answer to the request that holds a message sent meanwhile.
   */
  readonly busy: number;
  /** The same from the send. */
  readonly busyInAll: number;
}

export type State = 'idle' | 'busy';

/** One life of a CLI, and messages into it from both sides. */
export class Exchange {
  readonly #life: Life;
  readonly #ours: Ours;
  readonly #byHand: ByHand;
  readonly #pace: Pace;
  /** Of a request by hand, which tells where the CLI's polls are. */
  #pollSeenAt = 0;
  #lastWake = 0;
  /** The words of ours. */
  readonly #sent: Record<State, string[]> = { idle: [], busy: [] };

  constructor(
    life: Life,
    { ours, byHand, pace }: { readonly ours: Ours; readonly byHand: ByHand; readonly pace: Pace },
  ) {
    this.#life = life;
    this.#ours = ours;
    this.#byHand = byHand;
    this.#pace = pace;
  }

  /**
   * One message to an agent at rest, and one while it answers that. `part`: where in a poll of the
   * CLI it begins, 0 to 1.
   */
  async take(side: Side, part: number): Promise<Sample> {
    const { streamWords, joinAfterMs } = this.#pace;
    await waitForRest(this.#life, this.#pace);
    await this.#waitForPhase(side, part);
    const first = await this.#send(side, 'idle', `@@stream ${streamWords} words 50ms`);
    await systemClock.sleep(first.request.at + joinAfterMs - Date.now());
    const second = await this.#send(side, 'busy', '@@say ok');
    const { endedAt = Number.NaN } = first.request;
    return {
      idle: first.request.at - first.sentAt,
      busy: second.request.at - endedAt,
      busyInAll: second.request.at - second.sentAt,
    };
  }

  /** By which routes ours went; more attempts than messages mean that some were repeated. */
  async tellRoutes(): Promise<Record<State, string>> {
    return { idle: await this.#countRoutes('idle'), busy: await this.#countRoutes('busy') };
  }

  async #countRoutes(state: State): Promise<string> {
    const routes = new Map<string, number>();
    for (const word of this.#sent[state]) {
      const asked = { method: 'GET', path: `/messages/${await this.#ours.idOf(word)}` };
      const { attempts } = await askDaemon<Explanation>(this.#life.box.state, asked);
      for (const { route } of attempts) routes.set(route, (routes.get(route) ?? 0) + 1);
    }
    return [...routes].map(([route, count]) => `${route} ${count}`).join(', ');
  }

  async #send(
    side: Side,
    state: State,
    script: string,
  ): Promise<{ readonly sentAt: number; readonly request: LoggedRequest }> {
    const { mock } = this.#life;
    const word = createWord();
    const body = `${word} ${script}`;
    const before = mock.requests.length;
    const isIt = ({ n, isSide, body: got }: LoggedRequest): boolean =>
      n > before && !isSide && got.includes(word);
    const arrived = mock.waitFor(isIt, patienceMs);
    const hasArrived = (): boolean => mock.requests.slice(before).some(isIt);
    const text = writeByHand({ ...this.#ours.form, body });
    const sentAt = Date.now();
    const act = async (): Promise<void> => {
      if (side === 'byHand') {
        return state === 'idle' ? this.#byHand.wake(text, hasArrived) : this.#byHand.join(text);
      }
      this.#sent[state].push(word);
      await this.#ours.send(word, body);
    };
    const [request] = await Promise.all([arrived, act()]).catch(async (error: unknown) => {
      const story = await this.#explain().catch(String);
      throw new Error(`no request came of a message (${side}, ${state}; ${error}): ${story}`);
    });
    // By hand alone: were each side set by the other's arrivals, what ours takes longer would also
    // make by hand shorter.
    if (side === 'byHand' && state === 'idle') this.#pollSeenAt = request.at;
    return { sentAt, request };
  }

  /** The story of the last one of ours, and what the screen shows. */
  async #explain(): Promise<string> {
    const { box, hands } = this.#life;
    const [idle = '', busy = ''] = [this.#sent.idle.at(-1), this.#sent.busy.at(-1)];
    const isBusyLast = this.#sent.busy.length === this.#sent.idle.length;
    const id = await this.#ours.idOf(isBusyLast ? busy : idle);
    const asked = { method: 'GET', path: `/messages/${id}` };
    const { history, waitsFor } = await askDaemon<Explanation>(box.state, asked);
    const moves = history.map(({ to, cause }) => `${to} (${cause})`).join(' → ');
    const { text } = await hands.look();
    return `ours last: ${moves}; waits for ${waitsFor ?? 'nothing'}\n${text.trimEnd()}`;
  }

  async #waitForPhase(side: Side, part: number): Promise<void> {
    const { pollMs, wakeEveryMs } = this.#pace;
    if (side === 'ours' && wakeEveryMs !== undefined) {
      await systemClock.sleep(Math.max(0, this.#lastWake + wakeEveryMs - Date.now()));
      this.#lastWake = Date.now();
    }
    if (pollMs === undefined) return;
    const since = Date.now() - this.#pollSeenAt - part * pollMs;
    await systemClock.sleep(pollMs - (since % pollMs));
  }
}
