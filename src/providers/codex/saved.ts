import { homedir } from 'node:os';
import { join } from 'node:path';
import type { WantedConversation } from '../provider.ts';
import { listFolders, listNames } from '../record-files.ts';
import { type Saved, unlessUnreadable } from '../saved.ts';

/**
 * `codex resume` ends at once with "No saved session found" where there is no rollout: its file is
 * made with the first prompt, though the app-server names the conversation before (0.166.0).
 */
export function findSaved({ conversation, env }: WantedConversation): Promise<Saved> {
  return unlessUnreadable(async () => {
    if (!/^[\w-]+$/.test(conversation)) return 'unknown';
    const home = env['CODEX_HOME'] || join(env['HOME'] || homedir(), '.codex');
    for (const folder of ['sessions', 'archived_sessions']) {
      if (await holds(join(home, folder), 3, conversation)) return 'saved';
    }
    return 'missing';
  });
}

/** Year, month, day; archived ones lie in one folder. */
async function holds(folder: string, depth: number, conversation: string): Promise<boolean> {
  const names = await listNames(folder);
  if (names.some((name) => name.includes(`-${conversation}`))) return true;
  if (depth === 0) return false;
  for (const name of await listFolders(folder)) {
    if (await holds(join(folder, name), depth - 1, conversation)) return true;
  }
  return false;
}
