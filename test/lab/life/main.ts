import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { cliEntry } from '../cache.ts';
import { cases } from '../cases/list.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { inClosedNetwork, isNetworkClosed } from '../network.ts';
import { type CliName, cliNames, isCliName } from '../versions.ts';
import { copyProgram } from './box.ts';
import type { Life } from './life.ts';
import { report } from './report.ts';
import { checksOf, type Extent, type Taken, take } from './take.ts';

/**
 * The lab's proof: launches each real CLI through signalbox, one at a time, takes it through its
 * life, and compares what signalbox says with what the mock model and the process table know.
 *
 *     npm run test:lab [-- claude-code …] [--short | --all] [--markdown FILE]
 *
 * Without names: all seven, or with `--short` the three that a change is checked with. Exit code 1
 * when a check fails or a CLI that was asked for is not installed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    markdown: { type: 'string' },
  },
});

const shortNames: readonly CliName[] = ['claude-code', 'codex', 'gemini'];

/**
 * What runs right now, and what else is to be put away: a person who gives up must not leave a CLI
 * behind.
 */
let running: Life | undefined;
let removeProgram = (): void => undefined;

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  endOnSignals(() => Promise.resolve(running?.close()).finally(() => removeProgram()));
  const extent: Extent = values.all ? 'all' : values.short ? 'short' : 'usual';
  const names = chosen(extent);
  if (!names) {
    process.stderr.write(`usage: test:lab [${cliNames.join('|')}]… [--short|--all]\n`);
    return 2;
  }
  const missing = names.filter((name) => !cliEntry(name).isInstalled());
  for (const name of missing) say(`${name} is not installed; run: npm run lab:install -- ${name}`);
  const network = isNetworkClosed() ? 'closed, loopback only' : 'open';
  say(`network: ${network}`);
  const { program, remove } = copyProgram();
  removeProgram = remove;
  const taken: Taken[] = [];
  try {
    for (const name of names) {
      if (missing.includes(name)) continue;
      const hold = (life: Life): void => {
        running = life;
      };
      taken.push(await take({ lab: cases[name], program, extent, say, hold }));
    }
  } finally {
    remove();
  }
  const day = new Date().toISOString().slice(0, 10);
  const text = report(taken, checksOf(extent), { day, network, missing });
  say(`\n${text}`);
  if (values.markdown !== undefined) {
    mkdirSync(dirname(values.markdown), { recursive: true });
    writeFileSync(values.markdown, text);
  }
  const failures = taken.flatMap(({ outcomes }) => [...outcomes.values()]).filter(isFailed).length;
  say(failures === 0 ? 'All hold.' : `${failures} failed.`);
  return failures > 0 || missing.length > 0 ? 1 : 0;
}

function chosen(extent: Extent): readonly CliName[] | undefined {
  if (values.all && values.short) return undefined;
  if (positionals.length === 0) return extent === 'short' ? shortNames : cliNames;
  return positionals.every(isCliName) ? positionals.filter(isCliName) : undefined;
}

function isFailed({ kind }: { readonly kind: string }): boolean {
  return kind === 'failed';
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
