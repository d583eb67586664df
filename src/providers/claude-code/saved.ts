import { join } from 'node:path';
import type { WantedConversation } from '../provider.ts';
import { listFolders, sizeOf } from '../record-files.ts';
import { type Saved, unlessUnreadable } from '../saved.ts';
import { projectsFolder } from './find-transcript.ts';

/**
 * `--resume` ends at once with "No conversation found" where there is no transcript: it is written
 * with the first prompt (2.1.325).
 */
export function findSaved({ conversation, env }: WantedConversation): Promise<Saved> {
  return unlessUnreadable(async () => {
    if (!/^[\w-]+$/.test(conversation)) return 'unknown';
    const projects = projectsFolder(env);
    for (const folder of await listFolders(projects)) {
      if ((await sizeOf(join(projects, folder, `${conversation}.jsonl`))) > 0) return 'saved';
    }
    return 'missing';
  });
}
