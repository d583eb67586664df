import type { Answer } from './provider.ts';

/**
 * For text without any mark of a conversation: what stands at its top, in the indentation of an
 * answer, is the rest of one whose beginning is lost (B15). Below the banner of a program that has
 * just started there is none.
 */
export function cutHeadless(
  text: string,
  { banner, end }: { readonly banner: RegExp; readonly end: RegExp },
): Answer | undefined {
  if (banner.test(text)) return undefined;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (!/^(?: {2}|\s*$)/.test(line) || end.test(line)) break;
    lines.push(line.slice(2).trimEnd());
  }
  const rest = lines.join('\n').trim();
  return rest === '' ? undefined : { kind: 'answer', text: rest, isPartial: true };
}
