import type { PeopleNotice } from '../writing.ts';

/** All that is ever said in a person's status line. Constants: tmux reads them as formats. */
export const peopleNotices: Readonly<Record<PeopleNotice, string>> = {
  'paste-left': 'signalbox: a message stands in the composer; press Enter to send it, or delete it',
};

/** A terminal's path, or `client-1234`. */
export function isClientName(name: string): boolean {
  return /^[\w/.-]+$/.test(name);
}
