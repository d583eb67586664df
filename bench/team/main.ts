import { benchParts, type Parts } from '../parts.ts';
import type { Part, Surroundings } from '../suite.ts';
import { benchTurnEnd } from './turn-end.ts';

const parts: Parts = {
  'turn-end': benchTurnEnd,
};

export const teamUsage = `${Object.keys(parts).join(', ')}; names of CLIs choose among the parents of \`turn-end\``;

export function benchTeam(around: Surroundings): AsyncGenerator<Part> {
  return benchParts(parts, around);
}
