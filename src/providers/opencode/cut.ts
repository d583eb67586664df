import type { Answer } from '../provider.ts';

/**
 * The last answer out of plain terminal text, for an OpenCode that no longer runs. It draws on the
 * alternate screen, so that one screen is all there is. Prompts stand behind a heavy bar;
 * everything else is indented by five, answers and what tools
 * did alike; a row "▣  Build · model" ends each step (1.18.33).
 */
export function cutLastAnswer(text: string): Answer | undefined {
  const rows = text.split('\n').map((row) => row.trimEnd());
  const end = rows.findLastIndex((row) => stepEnd.test(row));
  if (end < 0) return undefined;
  let start = end;
  while (start > 0 && !isBoundary(rows[start - 1] ?? '')) start--;
  const body = rows.slice(start, end).map((row) => row.replace(/^ {5}/, ''));
  const answer = body.join('\n').trim();
  if (answer === '') return { kind: 'no-response' };
  return { kind: 'answer', text: answer, isPartial: start === 0 };
}

const stepEnd = /^ {5}▣ {2}\S/;

/** A prompt's bar, or a row about a tool. */
function isBoundary(row: string): boolean {
  return /^ {2}┃/.test(row) || /^ {5}[$⚙→←✱%◇◈│┃~⠋-⠿] /u.test(row) || stepEnd.test(row);
}
