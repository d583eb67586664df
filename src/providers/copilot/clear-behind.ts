import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isZombie } from '../../shared/processes.ts';
import { findEvents } from './transcript.ts';

/**
 * Copilot notes in the folder of a conversation which process has it (`inuse.<pid>.lock`, and
 * `.hold` beside it), and asks "Session in use … Resume anyway?" while a process of that number
 * exists (1.0.102). A zombie exists. Copilot's own starter (a Node program that runs the real one)
 * may die with it, and then it is a zombie for as long as the system's first process likes: two
 * seconds where it looks now and then, for ever in a container whose first process never does. Only
 * a zombie's note is taken away: it holds nothing, and no other is touched.
 */
export async function clearBehind(
  conversation: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const events = findEvents(env, conversation);
  if (events === undefined) return;
  const folder = dirname(events);
  // A conversation that was never prompted has no folder.
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = /^inuse\.(\d+)\.(?:lock|hold)$/.exec(name)?.[1];
    if (pid === undefined || !isZombie(Number(pid))) continue;
    // A note that cannot be removed costs a question, no more.
    await rm(join(folder, name)).catch(() => undefined);
  }
}
