import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { cliEntry } from '../cache.ts';
import { cases } from '../cases/list.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { copyProgram } from '../life/box.ts';
import type { Outcome } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { live } from '../life/take.ts';
import { inClosedNetwork, isNetworkClosed } from '../network.ts';
import { type CliName, isCliName } from '../versions.ts';
import { type Counted, workerChecks } from './checks.ts';
import { type Row, writeTable } from './table.ts';

/**
 * Workers that end with their tasks and come back, with real CLIs: a supervisor whose model calls
 * `handoff` so many times in a row, and then gives so many of the ended workers a second task.
 *
 *     npm run lab:workers [-- claude-code …] [--handoffs N] [--follow-ups N] [--starved N]
 *       [--markdown FILE]
 *
 * Exit code 1 when one of them does not hold, or a CLI that was asked for is not installed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    handoffs: { type: 'string', default: '50' },
    'follow-ups': { type: 'string', default: '10' },
    starved: { type: 'string', default: '5' },
    markdown: { type: 'string' },
  },
});

const usual: readonly CliName[] = ['claude-code', 'codex'];
const wanted = {
  handoffs: Number(values.handoffs),
  followUps: Number(values['follow-ups']),
  starved: Number(values.starved),
};
const running = new Set<Life>();

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  const { program, remove } = copyProgram();
  endOnSignals(() =>
    Promise.allSettled([...running].map((life) => life.close())).finally(() => remove()),
  );
  const names = positionals.length === 0 ? usual : positionals.filter(isCliName);
  const rows: Row[] = [];
  try {
    for (const name of names) {
      if (cliEntry(name).isInstalled()) rows.push(await take(name, program));
      else say(`${name} is not installed; run: npm run lab:install -- ${name}`);
    }
  } finally {
    remove();
  }
  const text = writeTable(rows, {
    ...wanted,
    day: new Date().toISOString().slice(0, 10),
    network: isNetworkClosed() ? 'closed, loopback only' : 'open',
    cores: availableParallelism(),
  });
  say(`\n${text}`);
  if (values.markdown !== undefined) writeFileSync(values.markdown, text);
  const isWhole = names.length > 0 && rows.length === names.length;
  return isWhole && rows.every(({ outcomes }) => outcomes.every(isPassed)) ? 0 : 1;
}

async function take(name: CliName, program: string): Promise<Row> {
  const counted: Counted = {
    ...{ answered: 0, later: 0, running: -1, terminals: -1, dead: -1, back: 0 },
    ...{ repeated: -1, twice: -1, starved: { unverified: 0, once: 0, more: 0, repeated: -1 } },
    ...{ eachMs: [], backMs: [] },
  };
  const outcomes = new Map<string, Outcome>();
  const taking = { lab: cases[name], program, say, hold: (life: Life) => void running.add(life) };
  // Of the two only Claude Code takes tasks by a paste.
  const checks = workerChecks(wanted, counted).filter(
    (check) => check.name !== 'starved' || name === 'claude-code',
  );
  const version = await live(taking, {}, checks, outcomes);
  return { cli: name, version, counted, outcomes: [...outcomes.values()], load: loadavg()[2] ?? 0 };
}

function isPassed({ kind }: Outcome): boolean {
  return kind === 'passed';
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
