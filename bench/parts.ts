import { dirname } from 'node:path';
import { copyProgram } from '../test/lab/life/box.ts';
import { cliNames, isCliName } from '../test/lab/versions.ts';
import { buildIfStale } from './build.ts';
import { type Part, type Surroundings, WrongWish } from './suite.ts';

/**
 * What a part of a suite of the whole product gets: also the build, a copy that nobody changes
 * meanwhile.
 */
export interface BuiltSurroundings extends Surroundings {
  readonly program: string;
  readonly dist: string;
}

export type Parts = Readonly<Record<string, (around: BuiltSurroundings) => Promise<Part>>>;

/** One after another: parts that ran at once would measure each other. */
export async function* benchParts(parts: Parts, around: Surroundings): AsyncGenerator<Part> {
  const { only = Object.keys(parts) } = around;
  const chosen = only.map((name) => parts[name] ?? refuse('part', name, Object.keys(parts)));
  for (const name of around.names) if (!isCliName(name)) refuse('CLI', name, cliNames);
  buildIfStale();
  const { program, remove } = copyProgram();
  try {
    for (const bench of chosen) yield await bench({ ...around, program, dist: dirname(program) });
  } finally {
    remove();
  }
}

function refuse(what: string, name: string, there: readonly string[]): never {
  throw new WrongWish(
    `There is no ${what} ${JSON.stringify(name)}; there are: ${there.join(', ')}.`,
  );
}
