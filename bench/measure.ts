import { setImmediate as breathe } from 'node:timers/promises';

/**
 * Numbers from repeats on a machine that others use too: medians, and both sides of a comparison
 * taken in turn.
 */

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear between neighbours. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** Milliseconds per call, over `count` calls in a row. */
export async function timeEach(count: number, work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  for (let i = 0; i < count; i++) await work();
  return (performance.now() - startedAt) / count;
}

/**
 * Runs each of `works` once per round and gathers what they return. Every other round runs them in
 * the opposite order, so that none always comes after the same other one.
 */
export async function interleave<Name extends string>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<number>>>,
  signal: AbortSignal,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(works) as Name[];
  const gathered = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) {
      // The verbs alone never let the event loop turn, and a signal would wait for the last of
      // them.
      await breathe();
      signal.throwIfAborted();
      gathered[name].push(await works[name]());
    }
  }
  return gathered;
}
