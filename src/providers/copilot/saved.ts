import type { WantedConversation } from '../provider.ts';
import { type Saved, sizeOf, unlessUnreadable } from '../saved.ts';
import { findEvents } from './transcript.ts';

/** Its file is written with the first prompt (1.0.102). */
export function findSaved({ conversation, env }: WantedConversation): Promise<Saved> {
  return unlessUnreadable(async () => {
    const events = findEvents(env, conversation);
    if (events === undefined) return 'unknown';
    return (await sizeOf(events)) > 0 ? 'saved' : 'missing';
  });
}
