import { type Folders, findFolders } from '../../config/folders.ts';
import type { Setting, SettingName, Settings } from '../../config/setting-definitions.ts';
import { loadSettings } from '../../config/settings.ts';
import { openProviderShelf } from '../../providers/registry.ts';
import { findUsualProvider } from '../../providers/usual.ts';
import { findDaemon, judgeDaemon } from '../socket/find-daemon.ts';

/** What a profile that names no provider is launched with, for whoever runs this command. */
export async function readUsualProvider(folders: Folders, env: NodeJS.ProcessEnv): Promise<string> {
  const setting = (await loadSettings(folders, env))['default-provider'];
  return findUsualProvider(setting, openProviderShelf(folders), env['PATH'] ?? '');
}

/** All settings, as they count here. */
export async function readSettings(env: NodeJS.ProcessEnv): Promise<Settings> {
  const folders = findFolders(env);
  const settings = await loadSettings(folders, env);
  const value = await readUsualProvider(folders, env);
  const usual = { ...settings['default-provider'], value, text: value };
  return { ...settings, 'default-provider': usual };
}

/** Throws where no provider has that name, with what there is. */
export async function requireProvider(env: NodeJS.ProcessEnv, name: string): Promise<void> {
  await openProviderShelf(findFolders(env)).find(name);
}

/** A daemon reads these again at each launch, and at each look at what needs a person. */
const readAnew: readonly SettingName[] = [
  'attach-key',
  'default-provider',
  'desktop-notifications',
  'on-attention',
];

/** The process of a daemon that goes on with the value it has read at its start. */
export function findUntold(
  env: NodeJS.ProcessEnv,
  { name }: Pick<Setting, 'name'>,
): number | undefined {
  const daemon = readAnew.includes(name) ? undefined : findDaemon(findFolders(env));
  return daemon && judgeDaemon(daemon) !== 'dead' ? daemon.pid : undefined;
}
