import type { Part, Surroundings } from '../suite.ts';
import { benchClaims } from './claims.ts';
import { benchGrowth } from './growth.ts';
import { benchSends } from './sends.ts';
import { benchStartup } from './startup.ts';
import { benchWriters } from './writers.ts';

/** One after another: parts that ran at once would measure each other. */
export async function* benchLedger(around: Surroundings): AsyncGenerator<Part> {
  for (const bench of [benchSends, benchWriters, benchClaims, benchGrowth, benchStartup]) {
    yield await bench(around);
  }
}
