import type { Setting } from '../config/setting-definitions.ts';
import { Fault } from '../shared/fault.ts';
import { findOnPath } from '../shared/find-on-path.ts';
import type { ProviderShelf } from './registry.ts';

/**
 * What a profile that names no provider is launched with: the setting `default-provider`; where
 * nobody has set it, the only CLI that is installed. With several, or none, the setting's default.
 */
export async function findUsualProvider(
  { value, source }: Pick<Setting<string>, 'value' | 'source'>,
  shelf: Pick<ProviderShelf, 'names' | 'find'>,
  path: string,
): Promise<string> {
  if (source !== 'default') return value;
  const installed: string[] = [];
  for (const name of shelf.names) if (await isInstalled(shelf, name, path)) installed.push(name);
  const [only] = installed;
  return only !== undefined && installed.length === 1 ? only : value;
}

async function isInstalled(
  shelf: Pick<ProviderShelf, 'find'>,
  name: string,
  path: string,
): Promise<boolean> {
  const executable = await findExecutable(shelf, name);
  return executable !== '' && (await findOnPath(executable, path)) !== undefined;
}

/** Empty for `generic`, which is any program. */
async function findExecutable(shelf: Pick<ProviderShelf, 'find'>, name: string): Promise<string> {
  try {
    return (await shelf.find(name)).executable;
  } catch (error) {
    // A file of the user's that cannot be read describes nothing that could be launched.
    if (!(error instanceof Fault)) throw error;
    return '';
  }
}
