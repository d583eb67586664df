import type { Holdings } from '../../../bench/terminals/station.ts';
import { Judged } from '../../support/judged.ts';

export interface Sample {
  /** How many have been launched and removed. */
  readonly agents: number;
  readonly held: Holdings;
}

/**
 * Of the heap, for each agent that came and went: less than the smallest entry of a map with an id
 * for its key.
 */
const mostBytes = 50;

/** A growth is known from agents that came and went, and from two looks at least. */
const checks = ['an agent that came and went', 'a look after another'] as const;
type Check = (typeof checks)[number];

/** The first look is left out: what is made once is still being made then. */
export function tabulate(samples: readonly Sample[]): { text: string; isGood: boolean } {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last) throw new Error('nothing was measured');
  const grown = growthPerAgent(samples.length > 2 ? samples.slice(1) : samples);
  const judged = new Judged<Check>();
  judged.note('an agent that came and went', last.agents);
  judged.note('a look after another', samples.length - 1);
  const idle = judged.listIdle(checks);
  const isGood = grown <= mostBytes && idle.length === 0;
  const rows = samples.map(({ agents, held }, i) => {
    const before = samples[i - 1];
    const more =
      before === undefined
        ? ''
        : String(Math.round(growthPerAgent([before, samples[i] ?? before])));
    const { heapUsed, external, arrayBuffers } = held.memory;
    const cells = [agents, mb(heapUsed), more, mb(external + arrayBuffers), held.rssMb.toFixed(0)];
    return `| ${[...cells, held.openFiles, held.timers].join(' | ')} |`;
  });
  const text = [
    '| launched and removed | heap, MB | growth per agent, bytes | external, MB | resident, MB | open files | timers |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
    `Growth per agent, by the least squares over all but the first look: ${Math.round(grown)} bytes.`,
    judged.format(checks),
    ...idle,
    isGood ? `Within ${mostBytes} bytes.` : `NOT within ${mostBytes} bytes.`,
  ].join('\n');
  return { text, isGood };
}

/** The slope of the line that fits best, in bytes of heap. */
function growthPerAgent(samples: readonly Sample[]): number {
  const points = samples.map(({ agents, held }) => [agents, held.memory.heapUsed] as const);
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const above = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  const below = points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
