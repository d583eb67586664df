import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Children } from '../children.ts';
import { buildPrograms } from '../programs.ts';
import { Random } from '../random.ts';
import { account } from './account.ts';
import { drainOnce } from './drain-load.ts';
import { readLedger } from './ledger-word.ts';
import { runLoad } from './load.ts';
import { askDoctor } from './look-load.ts';
import { Observer } from './observer.ts';
import { Orders } from './orders.ts';
import { type Outcome, summarise } from './report.ts';
import { Run } from './run.ts';
import { windows } from './windows.ts';
import { agents, residents, World } from './world.ts';

export interface TortureOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly keep: boolean;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Senders, drainers, removals and onlookers, all of them real processes, killed with -9 at any
 * moment and exactly in every crash window, while an observer at their pipes writes down who was
 * told and who got what. Then quiet, a last drain of every inbox, and the account.
 */
export async function tortureLedger(options: TortureOptions): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-torture-'));
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const children = new Children(home, Object.values(windows).flat());
  const { signal } = options;
  signal.addEventListener('abort', () => void children.killAll());
  try {
    const workers = [
      new URL('./sender.ts', import.meta.url),
      new URL('./drainer.ts', import.meta.url),
    ];
    const programs = await buildPrograms(join(folder, 'program'), workers);
    const random = new Random(options.seed);
    const world = new World();
    const observer = new Observer(world);
    const orders = new Orders(random, world, observer);
    const run = new Run({ random, world, observer, orders, children, programs, signal });
    await addResidents(run);
    const loadMs = await runLoad(run, options, join(folder, 'held'));
    signal.throwIfAborted();
    await drainAll(run);
    signal.throwIfAborted();
    const ledger = await askDoctor(run);
    const rows = await readLedger(home);
    const { sends, acks, documents } = observer;
    const calm = new Set([agents.calm]);
    const facts = {
      sends: [...sends.values()],
      acks,
      documents,
      removed: world.removed,
      calm,
      rows,
    };
    const outcome = summarise(run, account(facts), { ...options, loadMs, rows, ledger });
    await explainFirst(run, outcome, options.say);
    return outcome;
  } finally {
    await children.killAll();
    if (options.keep) options.say(`kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function addResidents(run: Run): Promise<void> {
  for (const name of residents.filter((resident) => resident !== 'user')) {
    const options = { role: 'agents add', input: '' };
    const { code, stderr } = await run.runCli(['agents', 'add', name], options);
    if (code !== 0) throw new Error(`agents add ${name} ended with ${code}: ${stderr}`);
  }
}

/** Until a whole round finds nothing: what expires on the way bounces into another inbox. */
async function drainAll(run: Run): Promise<void> {
  for (let found = 1; found > 0 && !run.signal.aborted; ) {
    found = 0;
    for (const inbox of residents) found += await drainOnce(run, inbox);
  }
}

/** The whole story of the first few messages that something is wrong with. */
async function explainFirst(
  run: Run,
  outcome: Outcome,
  say: (line: string) => void,
): Promise<void> {
  const ids = new Set(outcome.findings.flatMap(({ id }) => (id ? [id] : [])));
  for (const id of [...ids].slice(0, 5)) {
    const options = { role: 'explain', input: '' };
    const { stdout } = await run.runCli(['explain', id], options);
    say(stdout.slice(0, 3000));
  }
}
