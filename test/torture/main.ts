import { parseArgs } from 'node:util';
import { formatOutcome } from './ledger/report.ts';
import { tortureLedger } from './ledger/torture.ts';

const usage = `npm run torture -- ledger [--seconds 60] [--seed 1] [--json] [--keep]

Real processes send, drain, remove and look while they are killed with -9; then every accepted message is accounted for.
Exit 1 when one is lost, doubled, misplaced, out of order, or when the ledger disagrees. --keep keeps the folder.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    process.stderr.write(usage);
    return 2;
  }
  const { seconds, seed, keep, json } = options;
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    const outcome = await tortureLedger({ seconds, seed, keep, say, signal: stop.signal });
    process.stdout.write(json ? `${JSON.stringify(outcome)}\n` : formatOutcome(outcome));
    return outcome.ok ? 0 : 1;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    say('interrupted; everybody has been ended');
    return 130;
  }
}

interface Options {
  readonly seconds: number;
  readonly seed: number;
  readonly keep: boolean;
  readonly json: boolean;
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
      },
    });
    const seconds = Number(values.seconds);
    const seed = Number(values.seed);
    const isRight = positionals.length === 1 && positionals[0] === 'ledger';
    if (!isRight || !(seconds > 0) || !Number.isSafeInteger(seed)) return undefined;
    return { seconds, seed, keep: values.keep, json: values.json };
  } catch {
    return undefined;
  }
}
