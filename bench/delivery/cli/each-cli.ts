import { cliEntry } from '../../../test/lab/cache.ts';
import { cliNames, isCliName } from '../../../test/lab/versions.ts';
import { quantile } from '../../measure.ts';
import type { BuiltSurroundings } from '../../parts.ts';
import type { Part, Row } from '../../suite.ts';
import type { Sample, State } from './exchange.ts';
import { type Measured, measureCli } from './measure-cli.ts';
import type { OpenOurs } from './ours.ts';

/** One way into each real CLI, at rest and at work, against the same way in used by hand. */
export interface CliWish {
  readonly title: string;
  readonly how: string;
  readonly openOurs: OpenOurs;
  /** What the rows are called. */
  readonly whats: Readonly<Record<State, string>> & { readonly busyInAll?: string };
  /** Above the floor, in milliseconds, in the median. */
  readonly atMostMore: number;
}

export async function benchEachCli(around: BuiltSurroundings, wish: CliWish): Promise<Part> {
  const { names, say, signal } = around;
  const wanted = names.length === 0 ? cliNames : names.filter(isCliName);
  const missing = wanted.filter((name) => !cliEntry(name).isInstalled());
  const measured: Measured[] = [];
  for (const name of wanted) {
    if (missing.includes(name))
      say(`${name} is not installed; run: npm run lab:install -- ${name}`);
    else measured.push(await measureCli(around, name, wish.openOurs));
    signal.throwIfAborted();
  }
  const left = missing.length === 0 ? '' : ` Not installed and left out: ${missing.join(', ')}.`;
  return {
    title: wish.title,
    how: `${wish.how}${left}`,
    rows: measured
      .filter(({ samples }) => samples.ours.length > 0)
      .flatMap((one) => toRows(one, wish)),
    failures: measured.flatMap(({ name, failure }) => (failure ? [`${name}: ${failure}`] : [])),
    raw: Object.fromEntries(measured.map(({ name, ...rest }) => [name, rest])),
  };
}

function toRows({ name, version, samples, routes }: Measured, wish: CliWish): readonly Row[] {
  const { whats, atMostMore } = wish;
  const take = (state: keyof Sample, side: 'ours' | 'byHand'): number[] =>
    samples[side].map((sample) => sample[state]);
  const n = samples.ours.length;
  const compare = (what: string, state: keyof Sample, part: number): Row => ({
    what,
    measured: { value: quantile(take(state, 'ours'), part), unit: 'ms' },
    against: {
      what: 'by hand',
      quantity: { value: quantile(take(state, 'byHand'), part), unit: 'ms' },
    },
  });
  const row = (state: State): Row => ({
    ...compare(`${name} ${version}, ${whats[state]} (${routes[state]}; n ${n})`, state, 0.5),
    bar: { atMostMore },
  });
  const { busyInAll } = whats;
  return [
    row('idle'),
    compare(`${name} idle, p90`, 'idle', 0.9),
    row('busy'),
    compare(`${name} busy, p90`, 'busy', 0.9),
    ...(busyInAll === undefined ? [] : [compare(`${name} ${busyInAll}`, 'busyInAll', 0.5)]),
  ];
}
