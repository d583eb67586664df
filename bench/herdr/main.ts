import { benchParts, type Parts } from '../parts.ts';
import type { Part, Surroundings } from '../suite.ts';
import { benchDown } from './down.ts';
import { benchIdle } from './idle.ts';
import { benchLatency } from './latency.ts';

const parts: Parts = {
  latency: benchLatency,
  idle: benchIdle,
  down: benchDown,
};

export const herdrUsage = Object.keys(parts).join(', ');

/**
 * herdr's is the fake of the tests, whose habits were measured on herdr 0.8.0: it says what ours
 * costs, not what herdr does.
 */
export function benchHerdr(around: Surroundings): AsyncGenerator<Part> {
  return benchParts(parts, around);
}
