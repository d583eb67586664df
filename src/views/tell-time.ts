/** Times as people read them, short: the page has the exact one beside it. */

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** `now`, `40 s`, `12 m`, `3 h`, `2 d`: whole units, so that a row changes seldom. */
export function tellSpan(ms: number): string {
  for (const [unit, length] of units) {
    if (ms >= length) return `${Math.floor(ms / length)} ${unit}`;
  }
  return 'now';
}

export function tellSince(at: string, now: number): string {
  return tellSpan(now - Date.parse(at));
}

/**
 * How long the words of a span stay true: whoever shows it looks again then. Of days, once an hour
 * is enough.
 */
export function nextLookMs(at: string, now: number): number {
  const ms = Math.max(0, now - Date.parse(at));
  const [, length] = units.find(([, size]) => ms >= size) ?? ['s', 1000];
  const step = Math.min(length, 3_600_000);
  return step - (ms % step);
}

/** On the clock of whoever looks, to the second. */
export function tellClock(at: string): string {
  const date = new Date(at);
  const pad = (n: number): string => String(n).padStart(2, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
  return Number.isNaN(date.getTime()) ? at : time;
}

/** The same with its day. */
export function tellMoment(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const pad = (n: number): string => String(n).padStart(2, '0');
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
  return `${day} ${tellClock(at)}`;
}
