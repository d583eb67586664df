import { parseArgs } from 'node:util';
import { cliEntry } from '../cache.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { inClosedNetwork } from '../network.ts';
import { loadScenarios } from '../record/scenario.ts';
import { LabSession } from '../record/session.ts';
import { type CliName, cliNames, isCliName, pins } from '../versions.ts';
import { pressIn } from './press.ts';
import { type Row, renderTable } from './table.ts';

/**
 * Which keys no CLI uses: each candidate for the key that leaves an attached agent is pressed in
 * each real CLI, with an empty composer, with a draft, in a turn and in a dialog. What changed on
 * the screen, and what the model was asked, goes into a table.
 *
 * `none` is the control: nothing is pressed, and what is seen then is no key's doing.
 *
 *     npm run lab:keys [-- qwen …] [--keys F9,C-]] [--states empty,busy]
 *
 * Exit code 1 when a CLI could not be tried.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keys: { type: 'string', default: 'none,F9,F8,F10,F12,C-],C-^,C-_,C-q,M-q,C-\\' },
    states: { type: 'string', default: 'empty,draft,busy,dialog' },
  },
});

/** What brings a CLI there: a scenario of the recorder, by its name. */
const ways: Readonly<Record<string, string>> = {
  empty: 'started',
  draft: 'draft-line',
  busy: 'streaming',
  dialog: 'permission-shell',
};

const lateMs = 5000;
const open = new Set<LabSession>();

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  endOnSignals(() => Promise.allSettled([...open].map((session) => session.close())));
  const names = (positionals.length === 0 ? cliNames : positionals).filter(isCliName);
  const keys = values.keys.split(',');
  const rows: Row[] = [];
  let failed = 0;
  for (const cli of names) {
    if (!cliEntry(cli).isInstalled()) {
      say(`${cli} is not installed; run: npm run lab:install -- ${cli}`);
      failed++;
      continue;
    }
    for (const state of values.states.split(',')) failed += await tryAll(cli, state, keys, rows);
  }
  say(renderTable(keys, rows));
  return failed > 0 ? 1 : 0;
}

/** A key that did something has changed the state: the keys after it get a fresh start. */
async function tryAll(
  cli: CliName,
  state: string,
  keys: readonly string[],
  rows: Row[],
): Promise<number> {
  let failed = 0;
  const doubted = new Set<string>();
  for (let left = [...keys]; left.length > 0; ) {
    let session: LabSession | undefined;
    try {
      session = await reach(cli, state);
      for (let isFresh = true; isFresh && left.length > 0; ) {
        const [key = '', ...others] = left;
        // Claude Code's title moves on in its dialog, too.
        const effect = await pressIn(session, key, state === 'busy' || state === 'dialog');
        isFresh = effect === undefined;
        // A spinner has other words now and then, and Copilot CLI draws a dialog again some seconds
        // later: what a key does, it does again in a fresh start.
        const isDoubted = effect !== undefined && !doubted.has(key);
        if (isDoubted) {
          doubted.add(key);
          continue;
        }
        left = others;
        rows.push({ cli, version: pins[cli].version, state, key, effect: effect ?? '' });
        say(`${cli} ${pins[cli].version}  ${state.padEnd(6)}  ${key.padEnd(4)}  ${effect ?? '–'}`);
      }
    } catch (error) {
      failed++;
      say(`${cli} ${state}: ${error instanceof Error ? error.message : error}`);
      left = left.slice(1);
    } finally {
      if (session) {
        await session.close();
        open.delete(session);
      }
    }
  }
  return failed;
}

async function reach(cli: CliName, state: string): Promise<LabSession> {
  const scenarios = await loadScenarios(cli);
  const scenario = scenarios.list.find(({ name }) => name === ways[state]);
  if (!scenario) throw new Error(`${cli} has no scenario ${ways[state]}`);
  const size = { columns: 120, rows: 40, theme: 'dark' } as const;
  const session = await LabSession.open({ cli, scenarios, scenario, ...size });
  open.add(session);
  await scenario.drive(session);
  // Tips come and go in the first seconds.
  await session.pause(lateMs);
  return session;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
