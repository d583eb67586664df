import { truncate } from './truncate.ts';

/** A message inside another, told from that one's own words. */
export function quoteBody(body: string, maxBytes = Number.POSITIVE_INFINITY): string {
  const { text, truncated } = truncate(body, maxBytes);
  return `\n${(text + (truncated ? ' …' : '')).replace(/^/gm, '> ')}`;
}
