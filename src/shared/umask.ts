import { readFileSync } from 'node:fs';

/** What whoever names none gets: nobody else gets at what is made under it. */
export const strictestUmask = 0o077;

/** Four octal digits, as the shell prints it. */
export function formatUmask(umask: number): string {
  return umask.toString(8).padStart(4, '0');
}

/** Undefined for what is none. */
export function parseUmask(text: string): number | undefined {
  return /^0?[0-7]{3}$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

/**
 * Of a running process; undefined where this system does not tell (Linux does, from 4.7 on), or it
 * has ended.
 */
export function readUmask(pid: number | 'self'): number | undefined {
  try {
    const [, text = ''] =
      /^Umask:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return parseUmask(text);
  } catch {
    // It has ended, or there is no such place here.
    return undefined;
  }
}

/**
 * Our own. Only a process without threads may ask Node for it: to ask is to set it, for a moment,
 * to nothing.
 */
export function readOwnUmask(): number {
  return readUmask('self') ?? process.umask();
}

/**
 * The words of a command that starts a program under it. No shell reads the program's own words.
 */
export function underUmask(umask: number, words: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', `umask ${formatUmask(umask)} && exec "$@"`, 'sh', ...words];
}
