import { benchParts } from '../parts.ts';
import type { Part, Surroundings } from '../suite.ts';
import { type Before, buildBefore } from './build-before.ts';
import { benchBytes } from './bytes.ts';
import { benchKeys } from './keys.ts';
import { benchNext } from './next.ts';
import { benchNotices } from './notices.ts';
import { benchPrompts } from './prompts.ts';

export const peopleUsage =
  'keys, next, prompts, notices, bytes; names of CLIs choose among those of each part';

/** People at the keyboard of real CLIs, and the user's own words. */
export async function* benchPeople(around: Surroundings): AsyncGenerator<Part> {
  let before: Before | undefined;
  const older = (): Before => {
    before ??= buildBefore(around);
    return before;
  };
  const parts = {
    keys: (built) => benchKeys(built, older()),
    next: benchNext,
    prompts: benchPrompts,
    notices: (built) => benchNotices(built, older()),
    bytes: (built) => benchBytes(built, older()),
  } satisfies Parameters<typeof benchParts>[0];
  try {
    yield* benchParts(parts, around);
  } finally {
    before?.remove();
  }
}
