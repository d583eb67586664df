import type { PeopleNotice } from '../writing.ts';

/**
 * All that is ever said in a person's status line. Constants: tmux reads them as formats. Each fits
 * into 60 columns, since tmux cuts off the rest.
 */
export const peopleNotices: Readonly<Record<PeopleNotice, string>> = {
  'paste-left': 'signalbox: a message stands in the composer; Enter sends it',
};

/** A terminal's path, or `client-1234`. */
export function isClientName(name: string): boolean {
  return /^[\w/.-]+$/.test(name);
}
