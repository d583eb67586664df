import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isInRange, parseVersionRange } from '../../../src/providers/detector/version-range.ts';
import { sandboxedModel } from '../mock-llm/choose-tool.ts';
import { pins } from '../versions.ts';
import { type HomePlace, type HomeSettings, type HomeWish, writeText } from './home-wish.ts';

/** Codex 0.166.0. */
export function writeCodexHome({ home, cwd }: HomePlace, wish: HomeWish): HomeSettings {
  const codexHome = join(home, '.codex');
  const isLoggedIn = wish.login !== 'ask';
  const asks = wish.approvals !== 'allow-shell';
  const isBoxed = !asks && wish.sandbox === 'network';
  const model = asks ? 'mock-model' : sandboxedModel;
  const lines = [
    'check_for_update_on_startup = false',
    ...(isLoggedIn ? [`model = "${model}"`, 'model_provider = "mock"'] : []),
    // With a policy of his own a person is not asked about the folder.
    ...(wish.trust === 'ask'
      ? []
      : [
          `approval_policy = "${asks ? 'on-request' : 'never'}"`,
          `sandbox_mode = "${asks || isBoxed ? 'workspace-write' : 'danger-full-access'}"`,
        ]),
    ...(isBoxed ? ['[sandbox_workspace_write]', 'network_access = true'] : []),
    '[analytics]',
    'enabled = false',
    '[model_providers.mock]',
    'name = "mock"',
    `base_url = "${wish.mockUrl}/v1"`,
    'wire_api = "responses"',
    'env_key = "MOCK_KEY"',
    ...(wish.retries === undefined
      ? []
      : [`request_max_retries = ${wish.retries}`, `stream_max_retries = ${wish.retries}`]),
    ...(wish.trust === 'ask' ? [] : [`[projects.${quote(cwd)}]`, 'trust_level = "trusted"']),
    ...Object.entries(wish.mcpServers ?? {}).flatMap(([name, server]) => [
      `[mcp_servers.${name}]`,
      `command = ${quote(server.command)}`,
      `args = [${server.args.map(quote).join(', ')}]`,
      `env = { ${Object.entries(server.env ?? {})
        .map(([key, value]) => `${key} = ${quote(value)}`)
        .join(', ')} }`,
    ]),
  ];
  // It asks about repositories only.
  if (wish.trust === 'ask') execFileSync('git', ['init', '--quiet'], { cwd });
  writeText(join(codexHome, 'config.toml'), `${lines.join('\n')}\n`);
  return {
    env: { CODEX_HOME: codexHome, MOCK_KEY: 'sk-lab' },
    // It would leave an app-server and an updater running; 0.155.1 and older know neither.
    args: startsDaemon(pins.codex.version) ? ['--no-daemon'] : [],
  };
}

function startsDaemon(version: string): boolean {
  const range = parseVersionRange('>=0.156.0');
  return range !== undefined && isInRange(range, version);
}

/** A TOML basic string has JSON's escapes. */
function quote(text: string): string {
  return JSON.stringify(text);
}
