import { join } from 'node:path';
import type { WantedConversation } from '../provider.ts';
import { listFolders, listNames } from '../record-files.ts';
import { type Saved, unlessUnreadable } from '../saved.ts';
import { kimiHome } from './session-files.ts';

/** A session has a folder as soon as it has an id, which is at its first prompt (2.1.0). */
export function findSaved({ conversation, env }: WantedConversation): Promise<Saved> {
  return unlessUnreadable(async () => {
    const sessions = join(kimiHome(env), 'sessions');
    for (const workspace of await listFolders(sessions)) {
      if ((await listNames(join(sessions, workspace))).includes(conversation)) return 'saved';
    }
    return 'missing';
  });
}
