import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LaunchPlan, Overlay } from '../providers/launch-plan.ts';

/**
 * Makes the private folder of one life, as its plan wants it. Whatever an earlier try left there is
 * gone.
 */
export async function writeRunFolder(
  folder: string,
  { files, overlays = [] }: Pick<LaunchPlan, 'files' | 'overlays'>,
): Promise<void> {
  // Links are removed, not what they lead to.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const overlay of overlays) await linkEntries(folder, overlay);
  for (const { path, text } of files) {
    const full = join(folder, path);
    await mkdir(dirname(full), { recursive: true, mode: 0o700 });
    // Never through a link: it would lead into the user's own folder.
    await writeFile(full, text, { mode: 0o600, flag: 'wx' });
  }
}

async function linkEntries(folder: string, overlay: Overlay): Promise<void> {
  const { from, to, except = [], only } = overlay;
  await mkdir(join(folder, to), { recursive: true, mode: 0o700 });
  const isWanted = (name: string): boolean => only?.includes(name) ?? !except.includes(name);
  for (const name of (await listEntries(from)).filter(isWanted)) {
    await symlink(join(from, name), join(folder, to, name));
  }
}

async function listEntries(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
