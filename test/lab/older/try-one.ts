import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { cases } from '../cases/list.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { copyProgram } from '../life/box.ts';
import type { Outcome } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { live } from '../life/take.ts';
import { inClosedNetwork, isNetworkClosed } from '../network.ts';
import { isCliName, pins } from '../versions.ts';
import { olderCases } from './cases.ts';
import type { TriedRow } from './results.ts';

/**
 * One version of one CLI, which `LAB_VERSIONS` names and which is installed, through the seven
 * cases; `main.ts` starts it for each. Writes what came of it to the file that is named.
 */
const [name = '', path = ''] = process.argv.slice(2);
let running: Life | undefined;
let removeProgram = (): void => undefined;

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  if (!isCliName(name) || path === '') return 2;
  endOnSignals(() => Promise.resolve(running?.close()).finally(() => removeProgram()));
  const { program, remove } = copyProgram();
  removeProgram = remove;
  const outcomes = new Map<string, Outcome>();
  const hold = (life: Life): void => {
    running = life;
  };
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    await live({ lab: cases[name], program, say, hold }, {}, olderCases, outcomes);
  } finally {
    remove();
  }
  const row: TriedRow = {
    cli: name,
    version: pins[name].version,
    commit: execFileSync('git', ['merge-base', 'HEAD', 'main'], { encoding: 'utf8' }).slice(0, 8),
    load: Math.round(loadavg()[1] ?? 0),
    day: new Date().toISOString().slice(0, 10),
    isNetworkClosed: isNetworkClosed(),
    outcomes: Object.fromEntries([...outcomes].map(([one, outcome]) => [one, shorten(outcome)])),
  };
  writeFileSync(path, `${JSON.stringify(row)}\n`);
  return 0;
}

/** Without places on this machine. */
function shorten(outcome: Outcome): TriedRow['outcomes'][string] {
  if (outcome.kind === 'passed') return { kind: 'passed' };
  const [first = ''] = outcome.reason.split('\n', 1);
  return { kind: outcome.kind, reason: first.replace(/\/tmp\/\S+/g, '…').slice(0, 400) };
}
