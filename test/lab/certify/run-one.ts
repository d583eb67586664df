import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cases } from '../cases/list.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { copyProgram } from '../life/box.ts';
import type { Outcome } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { live } from '../life/take.ts';
import { inClosedNetwork, isNetworkClosed } from '../network.ts';
import { endOpenSessions } from '../record/record.ts';
import { type CliName, isCliName, pins } from '../versions.ts';
import { certifyCases, partOf } from './cases.ts';
import type { CaseResult, CertifyRun } from './run.ts';
import { driveScreens } from './screens.ts';

/**
 * One version of one CLI, which `LAB_VERSIONS` names and which is installed: `main.ts` starts it.
 *
 *     run-one.ts <cli> <file> screens|- cases|- [scenario …]
 *
 * Writes what came of it to the file. It ends with its parent: whoever kills that one leaves no CLI
 * behind.
 */
const [name = '', path = '', screens = '', inLife = '', ...scenarios] = process.argv.slice(2);
let running: Life | undefined;
let removeProgram = (): void => undefined;

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  if (!isCliName(name) || path === '') return 2;
  const end = async (): Promise<void> => {
    await Promise.allSettled([endOpenSessions(), Promise.resolve(running?.close())]);
    removeProgram();
  };
  endOnSignals(end);
  process.stdin.once('close', () => void end().finally(() => process.exit(130)));
  process.stdin.resume();
  const { version } = pins[name];
  const say = (line: string): void => void process.stdout.write(`${name} ${version}: ${line}\n`);
  const found = screens === 'screens' ? await driveScreens(name, version, scenarios, say) : {};
  const lived = inLife === 'cases' ? await runCases(name, say) : { cases: {}, hooks: {} };
  const run: CertifyRun = {
    cli: name,
    version,
    day: new Date().toISOString().slice(0, 10),
    isNetworkClosed: isNetworkClosed(),
    screens: found,
    ...lived,
  };
  writeFileSync(path, `${JSON.stringify(run)}\n`);
  process.stdin.removeAllListeners('close');
  process.stdin.destroy();
  return 0;
}

async function runCases(
  cli: CliName,
  say: (line: string) => void,
): Promise<Pick<CertifyRun, 'cases' | 'hooks'>> {
  const { program, remove } = copyProgram();
  removeProgram = remove;
  const calls = noteHooks(dirname(program));
  const hold = (life: Life): void => {
    running = life;
  };
  try {
    const first = new Map<string, Outcome>();
    const taking = { lab: cases[cli], program, say, hold };
    await live(taking, {}, certifyCases, first);
    const failed = [...first].filter(([, { kind }]) => kind === 'failed').map(([it]) => it);
    const second = new Map<string, Outcome>();
    if (failed.length > 0) {
      say(`once more: ${failed.join(', ')}`);
      // The first case launches the agent that the others need.
      const again = certifyCases.filter((one, i) => i === 0 || failed.includes(one.name));
      await live(taking, {}, again, second);
    }
    const results = [...first].map(([it, outcome]) => {
      const last = failed.includes(it) ? (second.get(it) ?? outcome) : outcome;
      return [it, describe(it, last, last === outcome ? 1 : 2, outcome)] as const;
    });
    return { cases: Object.fromEntries(results), hooks: calls() };
  } finally {
    remove();
    removeProgram = () => undefined;
  }
}

function describe(it: string, outcome: Outcome, tries: number, first: Outcome): CaseResult {
  const told = outcome.kind === 'passed' ? first : outcome;
  const reason = told.kind === 'passed' ? '' : (told.reason.split('\n', 1)[0] ?? '');
  return {
    part: partOf(it),
    kind: outcome.kind,
    tries,
    ...(reason === '' ? {} : { reason: reason.replace(/\/tmp\/\S+/g, '…').slice(0, 400) }),
  };
}

/**
 * In this run's own copy of the program the script that every hook runs writes down its event
 * first. Nothing else changes in it.
 */
function noteHooks(folder: string): () => CertifyRun['hooks'] {
  const script = join(folder, 'hook-client.sh');
  const log = join(folder, 'hook-calls');
  const [shebang = '', ...rest] = readFileSync(script, 'utf8').split('\n');
  const note = `if [ "$1" = wait ]; then echo "$2"; else echo "$1"; fi >>'${log}' 2>/dev/null`;
  writeFileSync(script, [shebang, note, ...rest].join('\n'));
  appendFileSync(log, '');
  return () => {
    const counts: Record<string, number> = {};
    if (!existsSync(log)) return counts;
    for (const event of readFileSync(log, 'utf8').split('\n').filter(Boolean)) {
      counts[event] = (counts[event] ?? 0) + 1;
    }
    return counts;
  };
}
