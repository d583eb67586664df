import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../src/shared/clock.ts';
import { Random } from '../random.ts';
import { account } from './account.ts';
import { Arranger } from './arranger.ts';
import { Caretaker } from './caretaker.ts';
import { readNotes } from './journal.ts';
import { Killer } from './killer.ts';
import { type LedgerRow, readLedger } from './ledger-word.ts';
import { Person } from './person.ts';
import { readReceipts } from './receipts.ts';
import { type Outcome, summarise } from './report.ts';
import { Senders } from './senders.ts';
import { Station } from './station.ts';

export interface TortureOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly keep: boolean;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const names = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay'] as const;

/**
 * Messages into agents in real terminals, while the daemon, the agents, the control client and the
 * tmux server are killed, and people type, scroll, answer and arrange the panes. Then quiet, until
 * nothing is under way; and the account, from what the agents' programs wrote down of what they
 * got.
 */
export async function tortureDelivery(options: TortureOptions): Promise<Outcome> {
  const station = await Station.open(names);
  // A seed of its own for each, so that the pace of one does not change the choices of another.
  const random = (n: number): Random => new Random(options.seed * 31 + n);
  const person = new Person(station, random(1));
  const run: Run = {
    station,
    person,
    senders: new Senders(station, random(2)),
    killer: new Killer(station, random(3)),
    arranger: new Arranger(station, random(4)),
    caretaker: new Caretaker(station, person),
  };
  try {
    await station.launchAll();
    await person.open();
    return await torture(run, options);
  } finally {
    await person.close();
    await station.close(options);
    if (options.keep) options.say(`kept: ${station.home}`);
  }
}

interface Run {
  readonly station: Station;
  readonly person: Person;
  readonly senders: Senders;
  readonly killer: Killer;
  readonly arranger: Arranger;
  readonly caretaker: Caretaker;
}

async function torture(run: Run, { seconds, seed, say, signal }: TortureOptions): Promise<Outcome> {
  const { station, person, senders, killer, arranger, caretaker } = run;
  await caretaker.untilAtRest(signal);
  const startedAtMs = systemClock.monotonicMs();
  const elapsed = (): number => (systemClock.monotonicMs() - startedAtMs) / 1000;
  let isOver = false;
  const isLoaded = (): boolean => elapsed() < seconds && !isOver && !signal.aborted;
  const looking = caretaker.run(() => !isOver && !signal.aborted);
  const everybody = [
    ...(['request', 'request', 'request', 'command', 'prompt', 'prompt'] as const).map((by) =>
      senders.run(by, isLoaded),
    ),
    killer.run(isLoaded),
    arranger.run(isLoaded),
    // Three of them, each at another terminal.
    ...Array.from({ length: 3 }, () => person.run(isLoaded)),
    report(run, say, elapsed, isLoaded),
  ];
  try {
    await Promise.all(everybody);
  } finally {
    // Also when one of them failed: nobody may start anything once the station is closed.
    isOver = true;
    await Promise.allSettled([...everybody, looking]);
  }
  const loadSeconds = Math.round(elapsed());
  say(`${senders.sent.size} accepted; quiet: what is under way comes to rest`);
  const left = await caretaker.untilAtRest(signal);
  const restSeconds = Math.round(elapsed()) - loadSeconds;
  const rows = await readLedger(station.home);
  const received = names.map((name) => readReceipts(name, readNotes(station.home, name)));
  const receipts = received.flatMap((one) => one.receipts);
  const sum = (key: 'lives' | 'dialogs' | 'along'): number =>
    received.reduce((total, one) => total + one[key], 0);
  const outcome = summarise(
    account({ sent: [...senders.sent.values()], receipts, rows }),
    {
      ...{ seed, seconds: loadSeconds, restSeconds },
      attempts: countAttempts(rows),
      kills: Object.fromEntries(killer.count),
      people: {
        ...person.count,
        'sent what stood there': sum('along'),
        'dialogs opened': sum('dialogs'),
        'lives of agents': sum('lives'),
        ...Object.fromEntries(arranger.count),
        'sends repeated': senders.repeated,
      },
    },
    {
      misplaced: received.flatMap((one) => one.misplaced.map((what) => ({ what }))),
      complaints: [...senders.complaints, ...left].map((what) => ({ what })),
      judged: received.map(({ judged }) => judged),
    },
  );
  await explainFirst(station, outcome, say);
  return outcome;
}

async function report(
  { senders, killer }: Run,
  say: (line: string) => void,
  elapsed: () => number,
  isLoaded: () => boolean,
): Promise<void> {
  for (let next = 3; isLoaded(); await delay(100)) {
    if (elapsed() < next) continue;
    next += 3;
    const killed = [...killer.count].map(([victim, n]) => `${n} ${victim}`).join(', ');
    say(`${elapsed().toFixed(0).padStart(4)} s: ${senders.sent.size} accepted; ${killed}`);
  }
}

function countAttempts(rows: readonly LedgerRow[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind, attempts } of rows) {
    if (kind !== 'message') continue;
    for (const { outcome } of attempts) counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** The whole story of the first few messages that something is wrong with. */
async function explainFirst(
  station: Station,
  { findings }: Outcome,
  say: (line: string) => void,
): Promise<void> {
  const ids = new Set(findings.flatMap(({ id }) => (id ? [id] : [])));
  for (const id of [...ids].slice(0, 5))
    say((await station.run(['explain', id])).stdout.slice(0, 3000));
}
