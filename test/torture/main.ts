import { parseArgs } from 'node:util';
import { formatOutcome as formatDelivery } from './delivery/report.ts';
import { tortureDelivery } from './delivery/torture.ts';
import { formatOutcome } from './ledger/report.ts';
import { tortureLedger } from './ledger/torture.ts';
import { mutate } from './mutate.ts';
import { kindsOfStorms, type Storms, simulate } from './simulate.ts';

const usage = `npm run torture -- ledger [--seconds 60] [--seed 1] [--json] [--keep]

Real processes send, drain, remove and look while they are killed with -9; then every accepted message is accounted for.
Exit 1 when one is lost, doubled, misplaced, out of order, when the ledger disagrees, or when a check had nothing to judge. --keep keeps
the folder.

       npm run torture -- delivery [--seconds 60] [--seed 1] [--json] [--keep]

Messages into six agents in a real tmux, while daemon, agents, control client and tmux server are killed, and people type,
scroll, answer and arrange the panes; then accounted for by what the agents' programs received. After the load it takes some seconds more, at most
four minutes, until nothing is under way. Exit 1 as above, with the seed.

       npm run torture -- simulation [--seconds 60] [--seed 1] [--only delivery|debts]

The engine of delivery, and then tasks and answers, in one storm after the other, on a virtual clock, from that seed on. Exit 1 with the
seeds that broke it, or when a check had nothing to judge in many storms.

       npm run torture -- mutants [--only delivery|debts] [--lanes 2]

The same against small wrong changes of the engine, each in a copy of the source. Exit 1 when one of them is not found out.
`;

const suites = ['ledger', 'delivery', 'simulation', 'mutants'] as const;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    process.stderr.write(usage);
    return 2;
  }
  const { what, seconds, seed, keep, json, only, lanes } = options;
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  if (what === 'simulation') return (await simulate({ seconds, seed, only, say })) ? 0 : 1;
  if (what === 'mutants') return (await mutate({ only, lanes, say })) ? 0 : 1;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const given = { seconds, seed, keep, say, signal: stop.signal };
  const print = <T>(outcome: T, format: (outcome: T) => string): void =>
    void process.stdout.write(json ? `${JSON.stringify(outcome)}\n` : format(outcome));
  try {
    if (what === 'delivery') {
      const outcome = await tortureDelivery(given);
      print(outcome, formatDelivery);
      return outcome.ok ? 0 : 1;
    }
    const outcome = await tortureLedger(given);
    print(outcome, formatOutcome);
    return outcome.ok ? 0 : 1;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    say('interrupted; everybody has been ended');
    return 130;
  }
}

interface Options {
  readonly what: (typeof suites)[number];
  readonly seconds: number;
  readonly seed: number;
  readonly keep: boolean;
  readonly json: boolean;
  /** Which storms. */
  readonly only: readonly Storms[];
  readonly lanes: number;
}

function readOptions(args: readonly string[]): Options | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seconds: { type: 'string', default: '60' },
        seed: { type: 'string', default: '1' },
        keep: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        only: { type: 'string' },
        lanes: { type: 'string', default: '2' },
      },
    });
    const seconds = Number(values.seconds);
    const seed = Number(values.seed);
    const lanes = Number(values.lanes);
    const only = kindsOfStorms.filter((kind) => kind === (values.only ?? kind));
    const what = suites.find((suite) => positionals.length === 1 && suite === positionals[0]);
    if (!what) return undefined;
    if (!(seconds > 0) || !Number.isSafeInteger(seed)) return undefined;
    if (only.length === 0 || !(lanes >= 1)) return undefined;
    return { what, seconds, seed, keep: values.keep, json: values.json, only, lanes };
  } catch {
    return undefined;
  }
}
