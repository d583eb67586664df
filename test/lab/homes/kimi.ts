import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type HomePlace,
  type HomeSettings,
  type HomeWish,
  writeJson,
  writeText,
} from './home-wish.ts';

/** Kimi Code 2.1.0. */
export function writeKimiHome({ home, cwd }: HomePlace, wish: HomeWish): HomeSettings {
  const kimiHome = join(home, '.kimi-code');
  const account = [
    'default_model = "mock"',
    '[providers.mock]',
    'type = "openai"',
    `base_url = "${wish.mockUrl}/v1"`,
    'api_key = "sk-lab"',
    '[models.mock]',
    'provider = "mock"',
    'model = "mock-model"',
    'max_context_size = 200000',
  ];
  const lines = [
    // Rules that allow only the shell exist and were not obeyed; a mode must stand above the
    // tables.
    `default_permission_mode = "${wish.approvals === 'allow-shell' ? 'yolo' : 'manual'}"`,
    ...(wish.login === 'ask' ? [] : account),
  ];
  writeText(join(kimiHome, 'config.toml'), `${lines.join('\n')}\n`);
  writeText(
    join(kimiHome, 'tui.toml'),
    `theme = "${wish.theme ?? 'dark'}"\ndisable_feedback_survey = true\n[upgrade]\nauto_install = false\n`,
  );
  writeJson(join(kimiHome, 'mcp.json'), { mcpServers: wish.mcpServers ?? {} });
  // As one that has been used before: there its conversations are kept.
  mkdirSync(join(kimiHome, 'sessions'), { recursive: true });
  writeText(join(kimiHome, 'session_index.jsonl'), '');
  if (wish.trust !== 'ask') trustFolder(kimiHome, cwd);
  return {
    env: {
      KIMI_CODE_HOME: kimiHome,
      KIMI_CODE_NO_AUTO_UPDATE: '1',
      KIMI_DISABLE_TELEMETRY: '1',
    },
    args: [],
  };
}

/** No setting answers the question, but the answer is a file that is named by the folder. */
function trustFolder(kimiHome: string, cwd: string): void {
  const digest = createHash('sha256').update(cwd).digest('hex').slice(0, 12);
  writeJson(join(kimiHome, 'workspace-trust', `wd_${basename(cwd)}_${digest}`), {
    root: cwd,
    trustedAt: 0,
  });
}
