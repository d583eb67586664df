import { setTimeout as delay } from 'node:timers/promises';
import { createWord } from '../../lab/delivery/post.ts';
import { endOnSignals } from '../../lab/end-on-signals.ts';
import { copyProgram } from '../../lab/life/box.ts';
import { inClosedNetwork } from '../../lab/network.ts';
import { say as answer, call } from '../../lab/team/team-case.ts';
import type { CliName } from '../../lab/versions.ts';
import { type GivenTask, takeAccount } from './account.ts';
import { Crew } from './crew.ts';
import { Kills } from './kills.ts';
import { Listener } from './listener.ts';
import { type LedgerWord, readLedger } from './read-ledger.ts';
import { report } from './report.ts';
import { Restarts } from './restarts.ts';

/** So many are open at once. */
const mostOpen = 8;
/**
 * An order that has made no task by then was lost to a call without a daemon, and is given again,
 * with the same key.
 */
const orderMs = 25_000;
const lookMs = 500;
const sayEveryMs = 10_000;
/** After the last task nothing may happen for so long before the account is taken. */
const quietMs = 15_000;

interface Order extends GivenTask {
  readonly worker: string;
  readonly number: number;
  orderedAt: number;
  orders: number;
}

export interface Soak {
  readonly tasks: number;
  readonly clis: readonly CliName[];
  readonly limitMs: number;
  /** Workers are killed, too: whoever waits for one is told. */
  readonly killsWorkers: boolean;
}

/**
 * Tasks between real CLIs while their daemon is restarted again and again; gives the exit code and
 * the table.
 */
export function soakTasks(soak: Soak, keep: (text: string) => void): Promise<number> {
  return inClosedNetwork(() => run(soak, keep));
}

async function run(soak: Soak, keep: (text: string) => void): Promise<number> {
  const { program, remove } = copyProgram();
  const startedAt = performance.now();
  const crew = await Crew.open(program, soak.clis);
  // What restarts things ends first: it would bring up what is ended.
  const troubles: { end(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    await Promise.allSettled(troubles.map((trouble) => trouble.end()));
    await crew.close();
    remove();
  };
  endOnSignals(close);
  try {
    await crew.launch(tell);
    const listener = new Listener(crew);
    const restarts = new Restarts(crew.box);
    const kills = soak.killsWorkers ? new Kills(crew) : undefined;
    troubles.push(restarts, ...(kills ? [kills] : []));
    const orders = await play(crew, soak, listener, restarts);
    await kills?.end();
    await restarts.end();
    const ledger = await settle(crew, listener);
    const account = takeAccount(orders, ledger.tasks, listener.heard);
    const again = orders.reduce((sum, { orders: times }) => sum + times - 1, 0);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const { text, isGood } = report(soak, account, {
      restarts,
      workers: kills?.killed ?? 0,
      again,
      seconds,
      open: ledger.open,
    });
    process.stdout.write(`${text}\n`);
    keep(text);
    return isGood ? 0 : 1;
  } finally {
    await close();
  }
}

async function play(
  crew: Crew,
  { tasks, limitMs }: Soak,
  listener: Listener,
  restarts: Restarts,
): Promise<readonly Order[]> {
  const orders: Order[] = [];
  const endsAt = performance.now() + limitMs;
  let saidAt = 0;
  for (;;) {
    listener.look();
    const ledger = await readLedger(crew.box.state);
    const isIn = ({ work }: Order): boolean => ledger.tasks.some(({ body }) => body.endsWith(work));
    for (const { id, body } of ledger.tasks) {
      const order = orders.find(({ work }) => body.endsWith(work));
      // A worker that died at it is reminded, once, and knows what it was.
      if (order) crew.mock.recall(`your answer to task ${id}`, [sayAnswer(order)]);
    }
    const ended = ledger.tasks.filter(({ end }) => end !== undefined).length;
    const open = orders.length - ended;
    if (performance.now() - saidAt > sayEveryMs) {
      saidAt = performance.now();
      const daemon = `${restarts.asked} restarts asked for, ${restarts.killed} kills`;
      tell(`${orders.length} of ${tasks} given, ${ended} ended, ${open} open; ${daemon}`);
    }
    if ((orders.length === tasks && open === 0) || performance.now() > endsAt) return orders;
    for (const order of orders) {
      if (isIn(order) || Date.now() - order.orderedAt < orderMs) continue;
      order.orders++;
      await give(crew, order);
    }
    if (orders.length < tasks && open < mostOpen) {
      const order = plan(crew, orders.length);
      orders.push(order);
      await give(crew, order);
    }
    await delay(lookMs);
  }
}

function sayAnswer({ word }: Pick<Order, 'word'>) {
  return answer(`The answer is ${word}.`);
}

/** Every giver with every worker in turn, each task with a length of its own. */
function plan(crew: Crew, number: number): Order {
  const { givers, workers, mock } = crew;
  const [name, word] = [createWord(), createWord()];
  const ms = 500 + ((number * 1733) % 5500);
  mock.teach(name, [{ do: 'sleep', ms }, sayAnswer({ word })], 'owed');
  const giver = givers[number % givers.length]?.name ?? '';
  const worker = workers[Math.floor(number / givers.length) % workers.length] ?? '';
  return { giver, worker, number, work: `@@play ${name}`, word, orderedAt: 0, orders: 1 };
}

/**
 * By a message, which waits for a daemon; the giver's model calls the tool. The same key makes the
 * same task.
 */
async function give({ box, mock }: Crew, order: Order): Promise<void> {
  const { giver, worker, number, work } = order;
  order.orderedAt = Date.now();
  const name = createWord();
  const task = { profile: worker, task: `Task ${number}. ${work}`, key: `soak-${number}` };
  mock.teach(name, [call('assign', task), answer('It is given.')]);
  await box.ask(['send', giver, `Order ${number}. @@play ${name}`]);
}

/** Until nothing is on its way any more, or it has been too long. */
async function settle(crew: Crew, listener: Listener): Promise<LedgerWord> {
  const { requests } = crew.mock;
  const endsAt = performance.now() + 10 * quietMs;
  for (;;) {
    listener.look();
    const ledger = await readLedger(crew.box.state);
    const since = Math.max(0, ...requests.map(({ at, endedAt = at }) => endedAt));
    const isStill = requests.every(({ outcome }) => outcome !== undefined);
    if (isStill && ledger.open.length === 0 && Date.now() - since > quietMs) return ledger;
    if (performance.now() > endsAt) return ledger;
    await delay(lookMs);
  }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
