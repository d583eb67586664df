/** Spans and sizes as people write them: `90s`, `1h`, `14d`; `64KiB`, `1MiB`, `4096`. */

const spans = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const sizes = { '': 1, b: 1, kib: 1024, mib: 1024 ** 2, kb: 1000, mb: 1000 ** 2 } as const;

export function parseSpan(text: string): number | undefined {
  return parse(text, /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/, spans);
}

export function parseSize(text: string): number | undefined {
  return parse(text.toLowerCase(), /^(\d+(?:\.\d+)?) ?(b|kib|mib|kb|mb|)$/, sizes);
}

function parse(
  text: string,
  form: RegExp,
  units: Readonly<Record<string, number>>,
): number | undefined {
  const [, amount, unit] = form.exec(text.trim()) ?? [];
  const factor = units[unit ?? '?'];
  return amount === undefined || factor === undefined
    ? undefined
    : Math.round(Number(amount) * factor);
}

export function formatSpan(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms >= spans[unit]) return `${trim(ms / spans[unit])}${unit}`;
  }
  return `${Math.round(ms)}ms`;
}

/** For a glance: whole units, and never below a second. */
export function formatAge(ms: number): string {
  const unit = [spans.d, spans.h, spans.m, spans.s].find((one) => ms >= one);
  return unit === undefined ? '0s' : formatSpan(Math.floor(ms / unit) * unit);
}

export function formatSize(bytes: number): string {
  if (bytes >= sizes.mib) return `${trim(bytes / sizes.mib)}MiB`;
  return bytes >= sizes.kib ? `${trim(bytes / sizes.kib)}KiB` : `${bytes}B`;
}

function trim(value: number): string {
  return String(Number(value.toFixed(1)));
}
