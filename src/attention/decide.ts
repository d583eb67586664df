import type { Cause } from './cause.ts';
import { isHere, type Now, type Open, type Path } from './remember.ts';

/** When one path tells of one kind of cause. */
interface Rule {
  /** So long it has to stand there unanswered, */
  readonly afterMs: number;
  /** and so long nobody may have typed in that terminal: whoever types there sees it. */
  readonly quietMs?: number;
}

const atOnce: Rule = { afterMs: 0 };
const unanswered: Rule = { afterMs: 5000, quietMs: 10_000 };
const unread: Rule = { afterMs: 5000 };

/**
 * Which path tells of what, and when. An answer lies in the inbox already, and so does the end of
 * a turn that failed with a task of the user's; the inbox is therefore told of questions alone.
 */
const table: Readonly<Record<Cause['kind'], Readonly<Partial<Record<Path, Rule>>>>> = {
  question: {
    ring: atOnce,
    desktop: unanswered,
    command: unanswered,
    // As long as a parent waits for it (rule 27).
    inbox: { afterMs: 30_000 },
  },
  failed: { ring: atOnce, desktop: unanswered, command: unanswered },
  unread: { ring: atOnce, desktop: unread, command: unread },
};

/**
 * Between two of one path; whatever comes due meanwhile goes into the next one. Fifty agents that
 * ask at once are one notification, and fifty that ask one after another are one every 10 s.
 */
const everyMs: Readonly<Partial<Record<Path, number>>> = { desktop: 10_000 };

/**
 * So long one that is due waits for others that are due within that time: agents that ask nearly
 * at once go together. Nothing is told before its own time.
 */
const gatherMs: Readonly<Partial<Record<Path, number>>> = { desktop: 2000, command: 2000 };

export interface Decision {
  readonly tell: readonly { readonly path: Path; readonly open: readonly Open[] }[];
  /** When something may come due next; undefined: nothing will by itself. */
  readonly nextInMs: number | undefined;
}

/**
 * What to tell now, by which of these paths: from what is open, the clock, and what was told. Each
 * path tells of each cause once. Pure.
 */
export function decide(
  open: readonly Open[],
  at: Now,
  paths: readonly Path[],
  lastToldAtMs: ReadonlyMap<Path, number> = new Map(),
): Decision {
  const here = open.filter((one) => isHere(one, at.monotonicMs));
  const waits: number[] = [];
  const tell = paths.flatMap((path) => {
    const all = here.map((one) => ({ one, ms: waitOf(one, path, at) })).filter(isTold);
    const due = all.filter(({ ms }) => ms <= 0);
    const restMs = restOf(path, lastToldAtMs.get(path), at);
    waits.push(...all.map(({ ms }) => Math.max(ms, restMs)).filter((ms) => ms > 0));
    const isNow = due.length > 0 && restMs <= 0 && !gathers(path, all);
    return isNow ? [{ path, open: due.map(({ one }) => one) }] : [];
  });
  return { tell, nextInMs: waits.length === 0 ? undefined : Math.min(...waits) };
}

interface Wait {
  readonly one: Open;
  /** Until it is due; negative once it is. */
  readonly ms: number;
}

function isTold(wait: { readonly one: Open; readonly ms: number | undefined }): wait is Wait {
  return wait.ms !== undefined;
}

function gathers(path: Path, all: readonly Wait[]): boolean {
  const ms = gatherMs[path] ?? 0;
  const isSoon = all.some((wait) => wait.ms > 0 && wait.ms <= ms);
  return isSoon && all.every((wait) => wait.ms > -ms);
}

function restOf(path: Path, lastAtMs: number | undefined, { monotonicMs }: Now): number {
  return lastAtMs === undefined ? 0 : lastAtMs + (everyMs[path] ?? 0) - monotonicMs;
}

/** Undefined: this path does not tell of it, or has. */
function waitOf({ cause, seenAtMs, told }: Open, path: Path, at: Now): number | undefined {
  const rule = table[cause.kind][path];
  if (!rule || told.includes(path)) return undefined;
  // A daemon that was started again goes by the wall clock. One that was set back says less than
  // this process saw itself; one that was set forward only makes it tell early.
  const ageMs = Math.max(at.monotonicMs - seenAtMs, at.now - cause.since);
  return Math.max(rule.afterMs - ageMs, quietOf(rule, cause, at));
}

function quietOf({ quietMs = 0 }: Rule, { typedAt }: Cause, { now }: Now): number {
  // A key of the future was pressed before the clock was set back.
  if (typedAt === undefined || typedAt > now) return Number.NEGATIVE_INFINITY;
  return typedAt + quietMs - now;
}
