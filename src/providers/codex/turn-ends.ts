import { systemClock } from '../../shared/clock.ts';
import { forgetOldest } from '../../shared/forget-oldest.ts';
import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { describeFailure } from '../failure-detail.ts';
import type { AgentContext } from '../provider.ts';
import { codeOf } from '../record-files.ts';
import type { TurnNews } from '../way-in.ts';
import type { AppServer } from './app-server.ts';
import { findRollout, readTurnTale, type TurnTale } from './rollout.ts';

/**
 * More than one agent ends while we look away; older ones have been answered for, or never will be.
 */
const mostMissed = 20;
/** A turn's end is in the rollout and in the server's index within about 100 ms of being told. */
const retryMs = 50;
const maxTries = 40;

/**
 * The authority for turn ends is the app-server's word: it is said for completed, failed and
 * interrupted turns alike, while hooks fire for the first kind only (0.166.0). The words come from
 * the rollout, whose record of the end holds them whole. What ended while nobody listened is looked
 * up; a turn that is told twice has the same identity: its thread and its id.
 */
export class TurnEnds {
  readonly #context: AgentContext;
  readonly #tell: (end: TurnNews) => void;
  readonly #told = new Set<string>();
  readonly #closing = new AbortController();
  /** One after the other, so that ends are told in their order. */
  #work: Promise<void> = Promise.resolve();
  #open = 0;

  constructor(context: AgentContext, tell: (end: TurnNews) => void) {
    this.#context = context;
    this.#tell = tell;
  }

  /** Ends are being looked up, or their words. */
  get isBusy(): boolean {
    return this.#open > 0;
  }

  take(threadId: string, turn: Json): void {
    // Its words are awaited: what is fetched meanwhile is the next turn's.
    const { endedAt: told = Number.POSITIVE_INFINITY } = readEnd(turn);
    const endedAt = Math.min(systemClock.now(), told);
    this.#queue(() => this.#report(threadId, turn, { endedAt }));
  }

  /** After each new connection, and for each conversation that is shown. */
  catchUp(server: AppServer, threadId: string): void {
    this.#queue(async () => {
      const turns = await this.#list(server, threadId);
      // Each in line by itself: one that we fail at keeps back no other.
      for (const turn of turns) {
        if (!this.#isOurs(turn)) continue;
        this.#queue(() => this.#report(threadId, turn, readEnd(turn)));
      }
    });
  }

  close(): void {
    this.#closing.abort();
  }

  #queue(work: () => Promise<void>): void {
    this.#open++;
    this.#work = this.#work
      .then(async () => {
        if (!this.#closing.signal.aborted) await work();
      })
      // The server is gone, or we are: the next connection looks again.
      .catch((error) => reportBug('telling a turn end of Codex', error))
      .finally(() => this.#open--);
  }

  /**
   * Oldest first. One that is said to run may have ended just before we listened, and is asked for
   * once more.
   */
  async #list(server: AppServer, threadId: string): Promise<readonly Json[]> {
    const ask = async (): Promise<readonly Json[]> => {
      const { data } = await server.request('thread/turns/list', {
        threadId,
        limit: mostMissed,
        sortDirection: 'desc',
        itemsView: 'notLoaded',
      });
      return asArray(data).map(asObject).toReversed();
    };
    const turns = await ask();
    if (turns.at(-1)?.['status'] !== 'inProgress') return turns;
    await systemClock.sleep(retryMs * 10, this.#closing.signal);
    return await ask();
  }

  /** Ended in this life; the server counts whole seconds. */
  #isOurs(turn: Json): boolean {
    const at = Number(turn['completedAt'] ?? turn['startedAt'] ?? 0);
    return (at + 1) * 1000 > this.#context.startedAt;
  }

  async #report(session: string, turn: Json, late: Pick<TurnNews, 'endedAt'>): Promise<void> {
    const id = asText(turn['id']);
    const outcome = outcomes.get(turn['status']);
    const key = `${session}/${id}`;
    if (id === undefined || outcome === undefined || this.#told.has(key)) return;
    const tale = await this.#readTale(session, id);
    this.#remember(key);
    // A turn of Codex ends once, whatever its hooks say (0.166.0).
    const end = { session, id, outcome, stop: 1, ...readWhy(turn), ...late };
    this.#tell({ ...end, ...tale });
  }

  /** Far more than is ever looked up. */
  #remember(key: string): void {
    this.#told.add(key);
    forgetOldest(this.#told, mostMissed * 5);
  }

  async #readTale(session: string, turnId: string): Promise<TurnTale> {
    const { signal } = this.#closing;
    for (let tries = 0; tries < maxTries; tries++) {
      const tale = await this.#lookForTale(session, turnId);
      if (tale) return { text: '', ...tale };
      await systemClock.sleep(retryMs, signal);
    }
    return {};
  }

  /** What cannot be read now is tried again: an end that is certain is not lost for its words. */
  async #lookForTale(session: string, turnId: string): Promise<TurnTale | undefined> {
    try {
      const path = await findRollout(this.#context.env, session);
      return path === undefined
        ? undefined
        : await readTurnTale(path, turnId, this.#closing.signal);
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return undefined;
    }
  }
}

/** The API's error, of a turn that failed. */
function readWhy({ status, error }: Json): Pick<TurnNews, 'why'> {
  const message = asText(asObject(error)['message']);
  return status === 'failed' && message !== undefined ? { why: describeFailure(message) } : {};
}

/** The server counts whole seconds: it ended before the next one. */
function readEnd({ completedAt }: Json): Pick<TurnNews, 'endedAt'> {
  return typeof completedAt === 'number' ? { endedAt: completedAt * 1000 + 999 } : {};
}

const outcomes = new Map<unknown, TurnNews['outcome']>([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['interrupted', 'interrupted'],
]);
