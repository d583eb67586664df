import type { Part, Surroundings } from '../suite.ts';
import { benchFlood } from './flood.ts';
import { benchIdle } from './idle.ts';
import { benchInput } from './input.ts';
import { benchLatency } from './latency.ts';
import { benchLoad } from './load.ts';

/** One after another: parts that ran at once would measure each other. */
export async function* benchTerminals(around: Surroundings): AsyncGenerator<Part> {
  for (const bench of [benchLatency, benchInput, benchIdle, benchLoad, benchFlood]) {
    yield await bench(around);
  }
}
