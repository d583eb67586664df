import { compilePattern } from '../shared/pattern.ts';
import type { ValueReader } from '../shared/value-reader.ts';

/** One that came out of a file of the user's and may be asked of tmux. */
export interface GuardPattern {
  readonly regex: string;
}

const mostPatterns = 50;

/**
 * Patterns for `pasteGuard`, which tmux looks for inside the command that types. They become part
 * of a tmux format, in which `#(…)` runs a shell's command and `%` is a time of day; neither sign
 * can stand in one. tmux's expressions are POSIX's and ours are JavaScript's: only what means the
 * same in both is taken, because one that tmux cannot compile matches nothing, in silence.
 */
export function parseGuardPatterns(
  value: unknown,
  place: string,
  reader: ValueReader,
): readonly GuardPattern[] {
  return reader.list(value, place, mostPatterns).map((entry, i) => {
    const at = `${place}[${i}]`;
    const regex = reader.text(entry, at);
    const why = refuseGuardPattern(regex);
    return why === undefined ? { regex } : reader.refuse(at, `the pattern is refused: ${why}`);
  });
}

function refuseGuardPattern(source: string): string | undefined {
  if (/[#%]/.test(source)) return 'it holds # or %, which tmux would act on';
  // Of the kind that no screen shows, or that changes what a row looks like.
  if (/[\p{Cc}\p{Cf}]/u.test(source)) return 'it holds a control or an invisible character';
  const compiled = compilePattern(source);
  if ('refused' in compiled) return compiled.refused;
  const foreign = foreigners.find(([form]) => form.test(source));
  if (foreign) return `${foreign[1]}, which tmux does not know`;
  if (compiled.pattern.test('')) return 'an empty row matches it, so it says nothing';
  return undefined;
}

/** What JavaScript has and a POSIX extended regular expression has not, or reads otherwise. */
const foreigners: readonly (readonly [RegExp, string])[] = [
  [/\(\?/, 'it holds (?'],
  [/\\[^.*+?^$|()[\]{}\\/-]/, 'it holds a backslash before a letter or a digit'],
  [/[*+?}][?+*]/, 'it repeats a repetition'],
  [/\[[^\]]*\\/, 'it holds a backslash in brackets'],
];
