import type { ProviderHealth } from '../protocol/daemon.ts';
import type { Provider } from '../providers/provider.ts';
import { findOnPath } from '../shared/find-on-path.ts';
import { reportBug } from '../shared/report-bug.ts';

interface Shelf {
  readonly names: readonly string[];
  find(name: string): Promise<Provider>;
}

/**
 * Which CLIs the daemon's own PATH has, and in which versions. Whoever launches may have another
 * PATH, and that one counts.
 */
export async function findProviders(
  shelf: Shelf,
  env: NodeJS.ProcessEnv,
): Promise<Readonly<Record<string, ProviderHealth>>> {
  const found = await Promise.all(
    shelf.names.map(async (name): Promise<[string, ProviderHealth]> => {
      try {
        return [name, await inspect(await shelf.find(name), env)];
      } catch (error) {
        reportBug('looking for a CLI', error);
        const detail = error instanceof Error ? error.message : String(error);
        return [name, { state: 'unknown', detail }];
      }
    }),
  );
  return Object.fromEntries(found);
}

async function inspect(provider: Provider, env: NodeJS.ProcessEnv): Promise<ProviderHealth> {
  if (provider.executable === '') return { state: 'found', detail: 'any program' };
  const path = await findOnPath(provider.executable, env['PATH'] ?? '');
  if (path === undefined) return { state: 'missing', detail: `no ${provider.executable} on PATH` };
  const version = await provider.readVersion(path);
  return { state: 'found', path, ...(version === undefined ? {} : { version }) };
}
