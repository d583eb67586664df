import { Fault } from './fault.ts';
import { forgetOldest } from './forget-oldest.ts';

/** One mistake of ours that was caught. */
export interface CaughtBug {
  /** What was being done, in words: "a turn end of Codex". */
  readonly place: string;
  readonly error: unknown;
  /** How often it happened at this place, in this process. */
  readonly times: number;
}

/** Something that is not ours said no, or was not there. */
export class OutsideFailure extends Error {}

type Keeper = (bug: CaughtBug) => void;

/**
 * Far more than there are in the code: some are named by what came from outside, such as a hook's
 * event.
 */
const mostPlaces = 1000;
const counts = new Map<string, number>();
let keep: Keeper | undefined;

/**
 * For whoever catches an error and goes on. What may fail (a Fault, the system's own errors,
 * others' programs, an ended wait) is passed over; all else is a mistake of ours, and is kept. The
 * keeper hears of a place's first, second, fourth, eighth … time: a mistake that comes back with
 * every line of a file must not fill the log.
 */
export function reportBug(place: string, error: unknown): undefined {
  if (!isBug(error)) return;
  const times = (counts.get(place) ?? 0) + 1;
  counts.set(place, times);
  forgetOldest(counts, mostPlaces);
  if (Number.isInteger(Math.log2(times))) keep?.({ place, error, times });
}

/**
 * Once per process: the daemon logs and notes them, a command notes them. The end of keeping is for
 * tests.
 */
export function keepBugs(keeper: Keeper): () => void {
  counts.clear();
  keep = keeper;
  return () => {
    keep = undefined;
  };
}

function isBug(error: unknown): boolean {
  if (error instanceof Fault || error instanceof OutsideFailure) return false;
  if (!(error instanceof Error)) return true;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return false;
  // Node's fetch throws a TypeError around what the system said.
  return !isOfSystem(error) && !isOfSystem(error.cause);
}

/**
 * ENOENT and the like; Node's own ERR_… are about what a program did wrong, but for a stream whose
 * other end went away.
 */
function isOfSystem(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_STREAM_PREMATURE_CLOSE') return true;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code);
}
