import type { Exchange, Way } from './exchange.ts';

/** As long as a request may take to come to its end. */
const rememberedMs = 30_000;
/** Of one agent; beyond them the oldest are forgotten. */
const mostRemembered = 100;

interface EarlyCancel {
  readonly request: string;
  readonly way: Way;
  readonly atMs: number;
}

type Known = Pick<Exchange, 'caller' | 'way' | 'cameAtMs'>;

/**
 * Cancels of calls that nobody knows. One goes over another connection than its request, and may
 * overtake it: the call that comes then is thrown away by its client. It may also be late, and the
 * id that of a new call: nothing is cut short for it.
 */
export class EarlyCancels {
  readonly #byAgent = new Map<string, readonly EarlyCancel[]>();

  /** How many agents something is remembered of. */
  get size(): number {
    return this.#byAgent.size;
  }

  keep({ caller, way, cameAtMs: atMs }: Known, request: string): void {
    this.#forgetOld(atMs);
    const before = this.#list(caller.id, atMs).slice(1 - mostRemembered);
    this.#byAgent.set(caller.id, [...before, { request, way, atMs }]);
  }

  /** Whether one was for this call. It is forgotten then. */
  take({ caller, way, requests, cameAtMs }: Known & Pick<Exchange, 'requests'>): boolean {
    const known = this.#list(caller.id, cameAtMs);
    const meant = known.find((one) => isSameWay(one.way, way) && requests.includes(one.request));
    const left = known.filter((one) => one !== meant);
    if (left.length === 0) this.#byAgent.delete(caller.id);
    else this.#byAgent.set(caller.id, left);
    return meant !== undefined;
  }

  /** Of all agents: one that never calls again would keep its own for ever. */
  #forgetOld(nowMs: number): void {
    for (const agent of this.#byAgent.keys()) {
      if (this.#list(agent, nowMs).length === 0) this.#byAgent.delete(agent);
    }
  }

  #list(agent: string, nowMs: number): readonly EarlyCancel[] {
    const all = this.#byAgent.get(agent) ?? [];
    return all.filter(({ atMs }) => nowMs - atMs < rememberedMs);
  }
}

/** By the same proxy or session: within it an id names one call. */
export function isSameWay(one: Way, other: Way): boolean {
  return one.proxy === other.proxy && one.session === other.session;
}
