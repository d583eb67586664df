import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Holdings, Station } from '../../../bench/terminals/station.ts';
import { type Sample, tabulate } from './report.ts';

/**
 * Side by side, as a supervisor's workers come and go; more of them only wait for the same two
 * cores.
 */
const atOnce = 8;
/** How often what the daemon holds is looked at, in agents. */
const every = 500;

/**
 * The least that a terminal can show as being at rest: a program of Node per agent would measure
 * Node.
 */
const program = {
  command: ['sh', '-c', 'printf ": "; exec cat > /dev/null'],
  rows: 3,
  idle: ['^:'],
};
const provider = 'passer-by';

/**
 * What V8 compiles lies on the same heap, and grows for thousands of agents: without it only what
 * the daemon keeps does.
 */
const flags = ['--no-opt', '--no-sparkplug'];

interface Wish {
  readonly agents: number;
  /** The build that is measured; the present one where none is named. */
  readonly dist: string | undefined;
}

/**
 * Agents come into a real daemon with a real tmux, get a message each, and are removed. Whatever
 * the daemon keeps of one of them shows in its heap after a forced collection, thousands of times.
 */
export async function soakRemoved(
  { agents, dist }: Wish,
  keep: (text: string) => void,
): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-removed-'));
  const station = new Station(home, {
    providers: { [provider]: program },
    flags,
    ...(dist === undefined ? {} : { dist }),
  });
  const over = () => void station.close().finally(() => process.exit(130));
  process.once('SIGINT', over);
  process.once('SIGTERM', over);
  try {
    await station.start();
    // The first ones make what is made once: statements of the ledger, compiled code, buffers.
    await pass(station, 0, 100);
    const samples: Sample[] = [await sample(station, 0)];
    for (let done = 0; done < agents; ) {
      const next = Math.min(agents, done + every);
      await pass(station, 100 + done, 100 + next);
      done = next;
      samples.push(await sample(station, done));
    }
    const { text, isGood } = tabulate(samples);
    process.stdout.write(`${text}\n`);
    keep(text);
    return isGood ? 0 : 1;
  } finally {
    await station.close();
  }
}

async function pass(station: Station, from: number, to: number): Promise<void> {
  let next = from;
  const one = async (): Promise<void> => {
    while (next < to) await live(station, `passer-${next++}`);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

async function live(station: Station, name: string): Promise<void> {
  const id = await station.launchProgram(name, provider, {});
  await station.ask('POST', '/messages', { to: id, body: `hello ${name}` });
  await station.ask('DELETE', `/agents/${id}`);
}

async function sample(station: Station, agents: number): Promise<Sample> {
  // Answers of the last ones are being written, and their terminals' last words come in: a
  // collection finds them dead later.
  let held = await station.holdings();
  for (let tries = 0; tries < 3; tries++) held = least(held, await station.holdings());
  process.stderr.write(`${agents}: ${(held.memory.heapUsed / 1e6).toFixed(2)} MB\n`);
  return { agents, held };
}

function least(a: Holdings, b: Holdings): Holdings {
  return b.memory.heapUsed < a.memory.heapUsed ? b : a;
}
