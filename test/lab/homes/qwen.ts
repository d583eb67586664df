import { join } from 'node:path';
import { type HomePlace, type HomeSettings, type HomeWish, writeJson } from './home-wish.ts';

/** Qwen Code 0.24.4. */
export function writeQwenHome({ home }: HomePlace, wish: HomeWish): HomeSettings {
  const isLoggedIn = wish.login !== 'ask';
  writeJson(join(home, '.qwen', 'settings.json'), {
    security: {
      auth: isLoggedIn ? { selectedType: 'openai' } : {},
      folderTrust: { enabled: wish.trust === 'ask' },
    },
    general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    model: { name: 'mock-model' },
    // Its own requests after a turn would put a suggestion into the composer and count as turns.
    memory: {
      enableManagedAutoMemory: false,
      enableManagedAutoDream: false,
      enableAutoSkill: false,
    },
    ui: {
      enableFollowupSuggestions: false,
      theme: wish.theme === 'light' ? 'Qwen Light' : 'Qwen Dark',
    },
    // Otherwise a classifier decides instead of a person.
    tools: { approvalMode: 'default' },
    permissions: wish.approvals === 'allow-shell' ? { allow: ['run_shell_command'] } : {},
    mcpServers: wish.mcpServers ?? {},
  });
  const account = {
    OPENAI_API_KEY: 'sk-lab',
    OPENAI_BASE_URL: `${wish.mockUrl}/v1`,
    OPENAI_MODEL: 'mock-model',
  };
  return { env: isLoggedIn ? account : {}, args: [] };
}
