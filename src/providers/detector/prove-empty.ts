import { takesPaste } from '../../agents/takes-paste.ts';
import type { ComposerRule, RowCondition } from './rules.ts';

/**
 * Why a rule of a user's file must not call a composer empty, or blank: what is may be pasted into,
 * and a pattern with a typo matches a person's draft as well. It needs the cursor at its place in a
 * row that no words match, or in which all words are drawn as no draft is.
 */
export function refuseProof({ is, when }: ComposerRule): string | undefined {
  if (!takesPaste(is)) return undefined;
  const rows = when.filter((condition) => condition.kind === 'rows');
  const placed = rows.filter(({ cursor }) => cursor?.column !== undefined || cursor?.on);
  if (placed.length === 0) {
    return 'an empty composer is proven by where the cursor stands: `cursor` with `column` or `on` is needed';
  }
  const loose = placed.every(matchesDraft);
  return loose
    ? 'it would call a draft empty: the row of the cursor matches typed words'
    : undefined;
}

function matchesDraft({ rows, cursor, style }: RowCondition): boolean {
  if (style !== undefined) return false;
  const row = rows[(cursor?.row ?? 1) - 1];
  return row !== undefined && drafts.some((draft) => row.test(draft));
}

/** Words behind the signs that the CLIs we know put before them. */
const drafts: readonly string[] = ['', '❯ ', '❯\u00a0', '> ', '› ', ' > ', '│ > ', ' │ > ', '┃  ']
  .map((sign) => `${sign}some words`)
  .flatMap((draft) => [draft, `${draft}          │`]);
