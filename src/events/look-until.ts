import type { Clock } from '../shared/clock.ts';
import { pause } from '../shared/clock.ts';
import { joinSignals } from '../shared/join-signals.ts';
import type { Bus } from './bus.ts';

/**
 * What other processes write, such as a drain or a hook without the daemon, is told by nobody: it
 * is looked for this often.
 */
const lookEveryMs = 500;

export interface Watch {
  readonly topics: readonly string[];
  readonly limitMs: number;
  /** Ends the wait before its time. */
  readonly over: AbortSignal;
}

/**
 * Looks at once, after every piece of news, and every now and then, until there is something to
 * return. The last look, when the time is over or nobody waits any more, is told that it is, and
 * must return.
 */
export async function lookUntil<T>(
  { bus, clock }: { readonly bus: Bus; readonly clock: Clock },
  { topics, limitMs, over }: Watch,
  look: (isLast: boolean) => Promise<T | undefined>,
): Promise<T> {
  // Before the first look: nothing is missed in between.
  const news = bus.subscribe(topics);
  const endsAtMs = clock.monotonicMs() + limitMs;
  try {
    let next = news.next();
    for (;;) {
      const leftMs = endsAtMs - clock.monotonicMs();
      const isLast = leftMs <= 0 || over.aborted;
      const found = await look(isLast);
      if (found !== undefined) return found;
      if (isLast) throw new Error('the last look returns');
      const enough = new AbortController();
      const { signal: end, leave } = joinSignals([over, enough.signal]);
      const sleep = pause(clock, Math.min(lookEveryMs, leftMs), end).then(() => 'time' as const);
      if ((await Promise.race([next, sleep])) !== 'time') next = news.next();
      enough.abort();
      leave();
    }
  } finally {
    news.close();
  }
}
