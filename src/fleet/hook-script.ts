import { readFileSync } from 'node:fs';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HookCommand, writeHookCommand } from '../providers/hook-command.ts';
import { shellWord } from '../shared/shell-word.ts';
import { listOwnGroups } from './own-groups.ts';

export interface HookScriptParts {
  /** The run folders of lives, one each. */
  readonly runFolder: string;
  /**
   * The same client for Node, for a machine without curl and for when the daemon is gone: a program
   * and its arguments.
   */
  readonly fallback: readonly string[];
}

/**
 * Installs the script that CLIs run for their hooks, `hook-client.sh`, and gives the command for an
 * event. Its text never changes, because Codex trusts a hook by the hash of its command: everything
 * that differs comes from the agent's environment, or stands in the script. Outside an agent of
 * ours it does nothing. curl takes 7 ms where Node takes 30. Beside it lies `post-event`, for
 * programs that give the event as an argument.
 */
export async function installHookScript(
  folder: string,
  { runFolder, fallback }: HookScriptParts,
): Promise<HookCommand> {
  const text = readFileSync(new URL('./hook-client.sh', import.meta.url), 'utf8')
    .replace('@GROUPS@', () => listOwnGroups(folder).join(' '))
    .replace('@RUN_FOLDER@', () => shellWord(runFolder))
    .replaceAll('@FALLBACK@', () => fallback.map(shellWord).join(' '));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'post');
  await install(path, text);
  const follows = join(folder, 'post-event');
  await install(follows, `#!/bin/sh\n${writeHookCommand(path, '"$1"')}\n`);
  return (event, wish) =>
    wish?.eventFollows ? shellWord(follows) : writeHookCommand(path, event, wish);
}

/** Whoever runs it meanwhile has the old one or the new one, whole. */
async function install(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o700 });
  await chmod(`${path}.new`, 0o700);
  await rename(`${path}.new`, path);
}
