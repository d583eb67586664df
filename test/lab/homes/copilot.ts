import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type HomePlace, type HomeSettings, type HomeWish, writeJson } from './home-wish.ts';

/** GitHub Copilot CLI 1.0.102, with a provider of one's own instead of an account. */
export function writeCopilotHome({ home, cwd, cli }: HomePlace, wish: HomeWish): HomeSettings {
  linkUnpacked(join(cli.preparedHome, '.cache', 'copilot'), join(home, '.cache', 'copilot'));
  writeJson(join(home, '.copilot', 'config.json'), {
    trusted_folders: wish.trust === 'ask' ? [] : [cwd],
    banner: 'never',
    ...(wish.theme ? { theme: wish.theme } : {}),
  });
  writeJson(join(home, '.copilot', 'mcp-config.json'), {
    mcpServers: Object.fromEntries(
      Object.entries(wish.mcpServers ?? {}).map(([name, server]) => [
        name,
        { type: 'local', tools: ['*'], env: {}, ...server },
      ]),
    ),
  });
  const provider = {
    COPILOT_PROVIDER_BASE_URL: `${wish.mockUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: 'sk-lab',
    COPILOT_MODEL: 'mock-model',
  };
  return {
    // Offline it refuses to start without a provider.
    env: wish.login === 'ask' ? {} : { ...provider, COPILOT_OFFLINE: 'true' },
    args: [
      '--no-auto-update',
      ...(wish.approvals === 'allow-shell' ? ['--allow-tool', 'shell'] : []),
    ],
  };
}

/**
 * It unpacks 235 MB at its first start. Only the version's own folder is linked: what it writes
 * beside it stays here.
 */
function linkUnpacked(prepared: string, cache: string): void {
  for (const platform of readdirSync(join(prepared, 'pkg'))) {
    mkdirSync(join(cache, 'pkg', platform), { recursive: true });
    for (const version of readdirSync(join(prepared, 'pkg', platform))) {
      symlinkSync(join(prepared, 'pkg', platform, version), join(cache, 'pkg', platform, version));
    }
  }
}
