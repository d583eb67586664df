import { join } from 'node:path';
import type { AgentContext } from '../provider.ts';
import { findStats, listFolders } from '../record-files.ts';
import { configFolder } from './config-folder.ts';

/** Where transcripts lie, one folder for each working folder. */
export function projectsFolder(env: Readonly<Record<string, string>>): string {
  return join(configFolder(env), 'projects');
}

/**
 * Its folder is named after the working folder at the start, by rules that changed; the file after
 * the conversation. Undefined where it is in none of them; throws where that cannot be told
 * (record-files.ts).
 */
export async function findTranscript({
  env,
  cwd,
  conversation,
}: Pick<AgentContext, 'env' | 'cwd' | 'conversation'>): Promise<string | undefined> {
  if (conversation === undefined || !/^[\w-]+$/.test(conversation)) return undefined;
  const projects = projectsFolder(env);
  const likely = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  for (const folder of new Set([likely, ...(await listFolders(projects))])) {
    const path = join(projects, folder, `${conversation}.jsonl`);
    if ((await findStats(path))?.isFile()) return path;
  }
  return undefined;
}
