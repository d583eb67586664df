import type { Command } from 'commander';
import { findWanted } from './find-wanted.ts';
import { findSources, type Source } from './sources.ts';

export interface Offer {
  readonly word: string;
  readonly about: string;
}

/** What the word at the cursor may become; the shell itself knows files and folders. */
export interface Completion {
  readonly offers: readonly Offer[];
  readonly paths?: 'files' | 'folders';
}

/** How names are looked up; a test has its own. */
export type LookUp = (
  source: 'agents' | 'providers' | 'profiles' | 'sessions',
) => Promise<readonly Offer[]>;

/** `line`: all words after the program's name, the one at the cursor last. */
export async function complete(
  program: Command,
  line: readonly string[],
  lookUp: LookUp,
): Promise<Completion> {
  const wanted = findWanted(program, line);
  const sources = findSources(wanted) ?? [];
  const found = await Promise.all(sources.map((source) => list(source, lookUp)));
  const offers = unique([...wanted.words, ...found.flat()]);
  // bash takes `--a=b` apart and wants the value alone.
  const isApart = line.at(-1) === '=' || line.at(-2) === '=';
  const before = isApart ? '' : wanted.before;
  const paths = sources.find((source) => source === 'files' || source === 'folders');
  return {
    offers: offers
      .filter(({ word }) => word.startsWith(wanted.typed))
      .map(({ word, about }) => ({ word: `${before}${word}`, about })),
    ...(paths === 'files' || paths === 'folders' ? { paths } : {}),
  };
}

async function list(source: Source, lookUp: LookUp): Promise<readonly Offer[]> {
  if (typeof source === 'object') return source.words.map((word) => ({ word, about: '' }));
  return source === 'files' || source === 'folders' ? [] : lookUp(source);
}

/** An agent may have the name of a profile; the first one stays. */
function unique(offers: readonly Offer[]): readonly Offer[] {
  const known = new Map(offers.toReversed().map((offer) => [offer.word, offer]));
  return offers.filter((offer) => known.get(offer.word) === offer);
}
