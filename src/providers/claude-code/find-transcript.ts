import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentContext } from '../provider.ts';
import { configFolder } from './config-folder.ts';

/** Where transcripts lie, one folder for each working folder. */
export function projectsFolder(env: Readonly<Record<string, string>>): string {
  return join(configFolder(env), 'projects');
}

/** Its folder is named after the working folder at the start, by rules that changed; the file after the conversation. */
export async function findTranscript({
  env,
  cwd,
  conversation,
}: Pick<AgentContext, 'env' | 'cwd' | 'conversation'>): Promise<string | undefined> {
  if (conversation === undefined || !/^[\w-]+$/.test(conversation)) return undefined;
  const projects = projectsFolder(env);
  const likely = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  const others = await readdir(projects).catch(() => []);
  for (const folder of [likely, ...others]) {
    const path = join(projects, folder, `${conversation}.jsonl`);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) return path;
  }
  return undefined;
}
