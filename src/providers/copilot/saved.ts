import { basename, dirname } from 'node:path';
import type { WantedConversation } from '../provider.ts';
import { listNames, sizeOf } from '../record-files.ts';
import { type Saved, unlessUnreadable } from '../saved.ts';
import { findEvents } from './transcript.ts';

/** Its file is written with the first prompt (1.0.102). */
export function findSaved({ conversation, env }: WantedConversation): Promise<Saved> {
  return unlessUnreadable(async () => {
    const events = findEvents(env, conversation);
    if (events === undefined) return 'unknown';
    const isThere = (await listNames(dirname(events))).includes(basename(events));
    return isThere && (await sizeOf(events)) > 0 ? 'saved' : 'missing';
  });
}
