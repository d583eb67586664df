import { interruptedCases } from '../../test/lab/delivery/cases-interrupted.ts';
import { nextCases } from '../../test/lab/delivery/cases-next.ts';
import type { Life } from '../../test/lab/life/life.ts';
import { cliNames, pins } from '../../test/lab/versions.ts';
import { quantile } from '../measure.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';
import { benchLives, type Taken, withLives } from './lives.ts';

/** What the person did, the lab's case that does it, and what its times are called. */
const acts = [
  { what: 'Esc', check: 'esc-next', name: 'esc-read' },
  { what: '`/new` after Esc', check: 'esc-new', name: 'new-read' },
  { what: '`/clear`', check: 'clear-next', name: 'clear-read' },
] as const;

/** Milliseconds by what the person did. */
type Times = Record<string, number[]>;

/** How long the next message waits after a person has broken off or left a conversation. */
export function benchNext(around: BuiltSurroundings): Promise<Part> {
  const builds = { now: around.program };
  const rounds = around.quick ? 1 : 3;
  return benchLives<Times>(around, {
    title: 'From what a person did to the next message read',
    clis: cliNames,
    begin: () => ({}),
    take: (name, taken) =>
      withLives(name, builds, around.signal, ({ now }) => playAll(now, rounds, taken)),
    toRows: (done) => done.flatMap(describeCli),
    how: `The lab's cases ${acts.map(({ check }) => `\`${check}\``).join(', ')}, in turn, each with an agent of its own. A script sends the next message as soon as the person has \
acted; measured from the person's last key to the model's request that holds it. Where the CLI puts what was broken off back into the composer and signalbox has to paste, the person \
deletes it first, and it is measured from there.`,
  });
}

async function playAll(life: Life, rounds: number, taken: Times): Promise<void> {
  const checks = [...interruptedCases, ...nextCases];
  const failures: string[] = [];
  for (let n = 0; n < rounds; n++) {
    for (const { what, check, name } of acts) {
      await life.renew();
      const { run } = checks.find((one) => one.name === check) ?? {};
      try {
        const ms = (await run?.(life))?.[name];
        if (ms === undefined) throw new Error(`the case ${check} measures no ${name}`);
        taken[what] = [...(taken[what] ?? []), ms];
      } catch (error) {
        failures.push(`${what}: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  if (failures.length > 0) throw new Error(failures.join('; '));
}

function describeCli({ name, taken }: Taken<Times>): readonly Row[] {
  return acts.flatMap(({ what }): readonly Row[] => {
    const times = taken[what] ?? [];
    if (times.length === 0) return [];
    const middle = (quantile(times, 0.5) / 1000).toPrecision(2);
    return [
      {
        what: `${name} ${pins[name].version}, ${what} → read, longest (n ${times.length}, median ${middle} s)`,
        measured: { value: Math.max(...times) / 1000, unit: 's' },
        bar: { atMost: 15 },
      },
    ];
  });
}
