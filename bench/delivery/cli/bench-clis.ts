import { cliEntry } from '../../../test/lab/cache.ts';
import { type CliName, cliNames, isCliName } from '../../../test/lab/versions.ts';
import { median, quantile } from '../../measure.ts';
import type { Part, Row } from '../../suite.ts';
import type { DeliverySurroundings } from '../main.ts';
import type { Sample } from './exchange.ts';
import { type Measured, measureCli } from './measure-cli.ts';

/** The model's request of each real CLI, at rest and at work, against the same way in used by hand. */
export async function benchClis(around: DeliverySurroundings): Promise<Part> {
  const { names, say, signal } = around;
  const wanted = names.length === 0 ? cliNames : names.filter(isCliName);
  const missing = wanted.filter((name) => !cliEntry(name).isInstalled());
  const measured: Measured[] = [];
  for (const name of wanted) {
    if (missing.includes(name))
      say(`${name} is not installed; run: npm run lab:install -- ${name}`);
    else measured.push(await measureCli(around, name));
    signal.throwIfAborted();
  }
  return {
    title: 'Model requests of real CLIs',
    how: describe(missing),
    rows: measured.filter(({ samples }) => samples.ours.length > 0).flatMap(toRows),
    failures: measured.flatMap(({ name, failure }) => (failure ? [`${name}: ${failure}`] : [])),
    raw: Object.fromEntries(measured.map(({ name, ...rest }) => [name, rest])),
  };
}

function toRows({ name, version, samples, routes }: Measured): readonly Row[] {
  const take = (state: keyof Sample, side: 'ours' | 'byHand'): number[] =>
    samples[side].map((sample) => sample[state]);
  const n = samples.ours.length;
  const row = (state: keyof Sample, what: string): Row => ({
    what: `${name} ${version}, ${what} (${routes[state]}; n ${n})`,
    measured: { value: median(take(state, 'ours')), unit: 'ms' },
    against: { what: 'by hand', quantity: { value: median(take(state, 'byHand')), unit: 'ms' } },
    bar: { atMostMore: 50 },
  });
  const tail = (state: keyof Sample): Row => ({
    what: `${name} ${state}, p90`,
    measured: { value: quantile(take(state, 'ours'), 0.9), unit: 'ms' },
    against: {
      what: 'by hand',
      quantity: { value: quantile(take(state, 'byHand'), 0.9), unit: 'ms' },
    },
  });
  return [
    row('idle', 'at rest: send → request'),
    tail('idle'),
    row('busy', 'at work: end of the answer → request'),
    tail('busy'),
  ];
}

function describe(missing: readonly CliName[]): string {
  const left = missing.length === 0 ? '' : ` Not installed and left out: ${missing.join(', ')}.`;
  return `Each CLI in one life of its own, launched by signalbox, with a mock model on loopback in a closed network; ours and by hand in \
turn, after two rounds to warm up. One sample of a side is a message to the agent at rest, whose answer takes half a second (Qwen: 0.9 s), and one that is \
sent while that answer runs. At rest: from \`POST /messages\` at the daemon's socket, or from the act by hand, to the arrival of the request that holds the \
text. At work: from the last byte of the running answer to that arrival, since how long an answer still runs is nobody's doing. By hand, with a text \
of the same form: Codex \`thread/queue/add\`; OpenCode \`prompt_async\`; Qwen a line in its input file, both sides at the same evenly spread moments of its polls; \
Copilot the extension's socket; Claude Code a waiting hook of its own and a Stop hook that answers at once; Gemini and Kimi a bracketed paste and, after the same pause as ours once the screen shows it, Enter, \
and an AfterAgent or Stop hook that answers at once. Both sides' medians; the routes that ours took are counted in brackets.${left}`;
}
