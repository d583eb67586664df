import { benchParts, type Parts } from '../parts.ts';
import type { Part, Surroundings } from '../suite.ts';
import { benchClis } from './cli/bench-clis.ts';
import { benchCrowd } from './crowd.ts';
import { benchHook } from './hook.ts';
import { benchPaste } from './paste.ts';

/** The quick ones first. */
const parts: Parts = {
  paste: benchPaste,
  hook: benchHook,
  crowd: benchCrowd,
  cli: benchClis,
};

export const deliveryUsage = `${Object.keys(parts).join(', ')}; names of CLIs choose among those of \`cli\``;

export function benchDelivery(around: Surroundings): AsyncGenerator<Part> {
  return benchParts(parts, around);
}
