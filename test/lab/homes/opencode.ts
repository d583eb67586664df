import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type HomePlace, type HomeSettings, type HomeWish, writeJson } from './home-wish.ts';

/** OpenCode 1.18.33. It asks about no folder. */
export function writeOpenCodeHome({ home, cli }: HomePlace, wish: HomeWish): HomeSettings {
  const config = join(home, '.config', 'opencode');
  const prepared = join(cli.preparedHome, '.config', 'opencode');
  mkdirSync(config, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(prepared, file), join(config, file));
  }
  // 63 MB that nobody writes to: a link does.
  symlinkSync(join(prepared, 'node_modules'), join(config, 'node_modules'));
  const bash = wish.approvals === 'allow-shell' ? 'allow' : 'ask';
  writeJson(join(config, 'opencode.json'), {
    $schema: 'https://opencode.ai/config.json',
    autoupdate: false,
    share: 'disabled',
    permission: { bash, edit: 'ask' },
    ...(wish.login === 'ask' ? {} : providerSettings(wish.mockUrl)),
    mcp: Object.fromEntries(
      Object.entries(wish.mcpServers ?? {}).map(([name, { command, args, env }]) => [
        name,
        { type: 'local', command: [command, ...args], environment: env ?? {} },
      ]),
    ),
  });
  return {
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
    args: [],
  };
}

function providerSettings(mockUrl: string): object {
  return {
    model: 'mock/mock-model',
    small_model: 'mock/mock-model',
    enabled_providers: ['mock'],
    provider: {
      mock: {
        npm: '@ai-sdk/openai-compatible',
        name: 'mock',
        options: { baseURL: `${mockUrl}/v1`, apiKey: 'sk-lab' },
        models: { 'mock-model': { name: 'mock-model', tool_call: true } },
      },
    },
  };
}
