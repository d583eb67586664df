import { findNotifier } from '../attention/desktop.ts';
import type { Folders } from '../config/folders.ts';
import { loadSettings } from '../config/settings.ts';
import type { Finding } from '../protocol/doctor.ts';
import { Fault } from '../shared/fault.ts';

/**
 * That no notification can be shown is worth a word only to whoever asked for them: most servers
 * have no desktop.
 */
export async function findNoDesktop(
  folders: Folders,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<readonly Finding[]> {
  try {
    const settings = await loadSettings(folders, env);
    if (settings['desktop-notifications'].value !== 'on') return [];
  } catch (error) {
    // Told with the terminals, which need the settings, too.
    if (!(error instanceof Fault)) throw error;
    return [];
  }
  const notifier = await findNotifier(env, platform);
  if (notifier.kind !== 'none') return [];
  const { why, next } = notifier;
  return [{ what: `Desktop notifications are on, and none can be shown: ${why}.`, next }];
}
