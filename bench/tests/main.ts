import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../measure.ts';
import { type Part, type Row, type Surroundings, WrongWish } from '../suite.ts';

interface Command {
  readonly words: readonly string[];
  /** Seconds, on two cores that do nothing else. */
  readonly bar: number;
  readonly rounds: number;
}

const commands: Readonly<Record<string, Command>> = {
  unit: { words: ['npm', 'run', 'test:unit'], bar: 20, rounds: 5 },
  test: { words: ['npm', 'test'], bar: 300, rounds: 3 },
  // What the gate's 25 minutes leave for it.
  full: { words: ['npm', 'run', 'test:full'], bar: 1000, rounds: 1 },
  ci: { words: ['bash', '.ci/run'], bar: 1500, rounds: 1 },
};

/** It installs, so it is run only when it is asked for. */
const usual = ['unit', 'test', 'full'];

export const testsUsage = `${Object.keys(commands).join(', ')} (ci only by name)`;

/** How long whoever changes something waits for the tests. */
export async function* benchTests(around: Surroundings): AsyncGenerator<Part> {
  const names = around.only ?? (around.quick ? ['unit'] : usual);
  for (const name of names) {
    const command = commands[name];
    if (!command) throw new WrongWish(`there is no part ${name}: give ${testsUsage}`);
    yield await benchCommand(around, command);
  }
}

async function benchCommand(around: Surroundings, command: Command): Promise<Part> {
  const { words, bar } = command;
  const what = words.join(' ');
  const seconds: number[] = [];
  const counts: string[] = [];
  const failures: string[] = [];
  for (let round = 1; round <= (around.quick ? 1 : command.rounds); round++) {
    around.say(`${what}, round ${round}`);
    const ran = await time(around, words);
    seconds.push(ran.seconds);
    counts.push(ran.count);
    if (ran.code !== 0) failures.push(`${what}: exit ${ran.code}, ${ran.count}`);
  }
  const row: Row = {
    what: `${what} (median of ${seconds.length})`,
    measured: { value: median(seconds), unit: 's' },
    bar: { atMost: bar },
  };
  return { title: what, how, rows: [row], failures, raw: { seconds, counts } };
}

const how =
  'The command as a person types it, from its start to its end, one round after the other.';

/** Its output goes to a file: a pipe that is read here would take part in the time. */
async function time({ folder, signal }: Surroundings, words: readonly string[]) {
  const path = join(folder, 'output');
  const output = openSync(path, 'w');
  const [program = '', ...args] = words;
  const startedAt = performance.now();
  try {
    const child = spawn(program, args, { stdio: ['ignore', output, output], signal });
    const code = await new Promise<number | null>((done, fail) => {
      child.on('error', fail);
      child.on('close', done);
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const [count = 'no count of tests'] = readFileSync(path, 'utf8').match(/^tests: .*$/gm) ?? [];
    return { code, seconds, count };
  } finally {
    closeSync(output);
  }
}
