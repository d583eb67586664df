import { benchParts, type Parts } from '../parts.ts';
import type { Part, Surroundings } from '../suite.ts';
import { benchFanOut } from './fan-out.ts';
import { benchProxy } from './proxy.ts';
import { benchTurnEnd } from './turn-end.ts';

/** The quick ones first. */
const parts: Parts = {
  proxy: benchProxy,
  'fan-out': benchFanOut,
  'turn-end': benchTurnEnd,
};

export const teamUsage = `${Object.keys(parts).join(', ')}; names of CLIs choose among the parents of \`turn-end\``;

export function benchTeam(around: Surroundings): AsyncGenerator<Part> {
  return benchParts(parts, around);
}
