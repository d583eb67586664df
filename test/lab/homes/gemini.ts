import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type HomePlace,
  type HomeSettings,
  type HomeWish,
  writeJson,
  writeText,
} from './home-wish.ts';

/** Gemini CLI 0.61.0. */
export function writeGeminiHome({ home }: HomePlace, wish: HomeWish): HomeSettings {
  const isLoggedIn = wish.login !== 'ask';
  const asksTrust = wish.trust === 'ask';
  writeJson(join(home, '.gemini', 'settings.json'), {
    security: {
      auth: isLoggedIn ? { selectedType: 'gemini-api-key' } : {},
      folderTrust: { enabled: asksTrust },
    },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    ui: { dynamicWindowTitle: true, theme: wish.theme === 'light' ? 'Default Light' : 'Default' },
    ide: { hasSeenNudge: true },
    mcpServers: wish.mcpServers ?? {},
  });
  // As one that has been used before: there its conversations are kept.
  mkdirSync(join(home, '.gemini', 'tmp'), { recursive: true });
  if (wish.approvals === 'allow-shell') {
    writeText(
      join(home, '.gemini', 'policies', 'lab.toml'),
      '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 200\n',
    );
  }
  return {
    env: {
      ...(isLoggedIn ? { GEMINI_API_KEY: 'sk-lab' } : {}),
      ...(asksTrust ? {} : { GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
      GOOGLE_GEMINI_BASE_URL: wish.mockUrl,
      GEMINI_TELEMETRY_ENABLED: 'false',
    },
    args: [],
  };
}
