/** `npm run test:full` sets it. */
export const fullVariable = 'SIGNALBOX_TEST_FULL';

const isFull = process.env[fullVariable] !== undefined;

/**
 * A test that shows one truth at many places, in many versions or with many random inputs takes all
 * of them in `npm run test:full`, and in `npm test` a few that show it as well.
 */
export function sweep<T>(all: T, few: T): T {
  return isFull ? all : few;
}

/** The whole list in `npm run test:full`, and its first entries in `npm test`. */
export function sweepList<T>(all: readonly T[], few = 1): readonly T[] {
  return sweep(all, all.slice(0, few));
}
