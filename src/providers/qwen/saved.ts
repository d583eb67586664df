import { join } from 'node:path';
import type { WantedConversation } from '../provider.ts';
import { listFolders, sizeOf } from '../record-files.ts';
import { type Saved, unlessUnreadable } from '../saved.ts';
import { projectsFolder } from './transcript.ts';

/**
 * `--resume` ends at once when the conversation has no turn yet: its file appears with the first
 * one (0.24.4).
 */
export function findSaved({ conversation, env }: WantedConversation): Promise<Saved> {
  return unlessUnreadable(async () => {
    if (!/^[\w-]+$/.test(conversation)) return 'unknown';
    const projects = projectsFolder(env);
    for (const folder of await listFolders(projects)) {
      const path = join(projects, folder, 'chats', `${conversation}.jsonl`);
      if ((await sizeOf(path)) > 0) return 'saved';
    }
    return 'missing';
  });
}
