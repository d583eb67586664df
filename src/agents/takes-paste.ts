import type { Composer } from './status.ts';

/** A text that is pasted there is exact: nothing stands in it, or nothing that matters to one. */
export function takesPaste(composer: Composer): boolean {
  return composer === 'empty' || composer === 'blank';
}
