import { createHash } from 'node:crypto';
import type { Cause } from './cause.ts';

/** By which a person is told: see `decide.ts`. */
export const allPaths = ['ring', 'desktop', 'command', 'inbox'] as const;
export type Path = (typeof allPaths)[number];

/** A cause from its first sight until it is over, with what was told of it. */
export interface Open {
  readonly cause: Cause;
  /** Its latest `since`; the cause keeps the first one. */
  readonly lastSince: number;
  /** Monotonic, of this process. */
  readonly seenAtMs: number;
  /** When it was last there; undefined: another process saw it, and this one not yet. */
  readonly lastSeenAtMs: number | undefined;
  readonly told: readonly Path[];
  /** The key of its notice in the user's inbox. */
  readonly notice?: string;
}

export interface Now {
  /** Wall time. */
  readonly now: number;
  readonly monotonicMs: number;
}

/** What a look shows. */
export interface Sight {
  readonly causes: readonly Cause[];
  /** Agents of which nothing is known right now: an error while looking is no absence (rule 41). */
  readonly unseen: ReadonlySet<string>;
}

/**
 * An agent whose status flips back to the same question within this time, with no key of a person
 * in between, still asks the same: a redrawn screen may hide a dialog for a moment.
 */
export const flipMs = 3000;

/**
 * Carries what is open over to the next look. Each cause of the look continues the one it is the
 * same as, or begins; one that is gone is over after `flipMs`. Pure.
 */
export function remember(
  before: readonly Open[],
  { causes, unseen }: Sight,
  { now, monotonicMs: nowMs }: Now,
): { readonly open: readonly Open[]; readonly over: readonly Open[] } {
  const left = new Set(before);
  const open: Open[] = causes.map((cause) => {
    const known = [...left].find((one) => isSame(one, cause, nowMs));
    if (!known) {
      // The next question of a dialog that has not closed began just now.
      const isNext = before.some((one) => isSameDialog(one, cause));
      return begin(isNext ? { ...cause, since: now } : cause, cause.since, nowMs);
    }
    left.delete(known);
    return resume(known, cause, nowMs);
  });
  const over: Open[] = [];
  for (const one of left) {
    const isHidden = unseen.has(one.cause.agent.id) && one.cause.kind !== 'unread';
    if (isHidden || nowMs - (one.lastSeenAtMs ?? Number.NEGATIVE_INFINITY) < flipMs) open.push(one);
    else over.push(one);
  }
  return { open, over };
}

/** Whether it was there at the last look. */
export function isHere({ lastSeenAtMs }: Open, nowMs: number): boolean {
  return lastSeenAtMs === nowMs;
}

export function markTold(open: readonly Open[], told: readonly Open[], path: Path): Open[] {
  const causes = new Set(told.map(({ cause }) => cause));
  return open.map((one) => (causes.has(one.cause) ? { ...one, told: [...one.told, path] } : one));
}

/**
 * What makes two texts the same question: a clock that counts in it (`12 s`, `40%`) does not tell
 * them apart.
 */
function wordsOf(text: string): string {
  return text.replaceAll(
    /\b\d+(?:[.:]\d+)?\s?(?:%|(?:ms|s|secs?|seconds?|m|mins?|minutes?)\b)/g,
    '#',
  );
}

/** Names a cause for good, in the ledger. */
export function keyOf(cause: Cause): string {
  const words = createHash('sha256').update(wordsOf(cause.text)).digest('hex').slice(0, 12);
  return `attention:${keyless(cause)}:${words}`;
}

/** A question of which no more is known than that it was told by all paths. */
export function parseKey(key: string): Open | undefined {
  const [, id, epoch, at] = /^attention:([^:]+):(\d+):(\d+):/.exec(key) ?? [];
  if (id === undefined) return undefined;
  const [since, told] = [Number(at), ['desktop', 'command', 'inbox'] as const];
  const agent = { id, name: id };
  const who = { kind: 'question', agent, epoch: Number(epoch), since } as const;
  const cause = { ...who, text: '', isKnown: false, next: '' };
  const unseen = { seenAtMs: Number.POSITIVE_INFINITY, lastSeenAtMs: undefined };
  return { cause, lastSince: since, ...unseen, told, notice: key };
}

/**
 * What is noted, and what the ledger has of it: a daemon may have been killed after it put a notice
 * into the inbox and before it noted that.
 */
export function joinNoticed(noted: readonly Open[], noticed: readonly Open[]): readonly Open[] {
  const isOf = (a: Open, b: Open): boolean =>
    keyless(a.cause) === keyless(b.cause) && a.cause.kind === b.cause.kind;
  const joined = noted.map((one) => {
    const found = noticed.find((other) => isOf(one, other));
    return found?.notice === undefined ? one : { ...one, told: found.told, notice: found.notice };
  });
  return [...joined, ...noticed.filter((one) => !noted.some((other) => isOf(one, other)))];
}

function keyless({ agent, epoch, since }: Cause): string {
  return `${agent.id}:${epoch}:${since}`;
}

function begin(cause: Cause, lastSince: number, nowMs: number): Open {
  return { cause, lastSince, seenAtMs: nowMs, lastSeenAtMs: nowMs, told: [] };
}

function resume(known: Open, cause: Cause, nowMs: number): Open {
  // When a dialog is answered its question goes from the screen a moment before the status.
  const words = cause.isKnown || !known.cause.isKnown ? cause : known.cause;
  const { text, isKnown } = words;
  const kept = { ...cause, text, isKnown, since: known.cause.since };
  const seenAtMs = Math.min(known.seenAtMs, nowMs);
  return { ...known, cause: kept, lastSince: cause.since, seenAtMs, lastSeenAtMs: nowMs };
}

function isSameDialog({ cause: known, lastSince }: Open, cause: Cause): boolean {
  return (
    known.kind === 'question' && known.agent.id === cause.agent.id && lastSince === cause.since
  );
}

function isSame({ cause: known, lastSince, lastSeenAtMs }: Open, cause: Cause, nowMs: number) {
  if (known.kind !== cause.kind || known.agent.id !== cause.agent.id) return false;
  if (known.message || cause.message) return known.message?.id === cause.message?.id;
  if (known.epoch !== cause.epoch) return false;
  const isEqual = wordsOf(known.text) === wordsOf(cause.text);
  // What is asked may be read later than that something is.
  if (lastSince === cause.since) return isEqual || !known.isKnown || !cause.isKnown;
  const isFlip = lastSeenAtMs !== undefined && nowMs - lastSeenAtMs < flipMs;
  return isFlip && isEqual && known.typedAt === cause.typedAt;
}
