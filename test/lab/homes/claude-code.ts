import { join } from 'node:path';
import { type HomePlace, type HomeSettings, type HomeWish, writeJson } from './home-wish.ts';

/** Claude Code 2.1.325. */
export function writeClaudeCodeHome({ home, cwd, cli }: HomePlace, wish: HomeWish): HomeSettings {
  const isLoggedIn = wish.login !== 'ask';
  writeJson(join(home, '.claude.json'), {
    // Before that, a start without Anthropic's servers ends at once: its way in cannot be shown,
    // only the key's question.
    hasCompletedOnboarding: true,
    lastOnboardingVersion: cli.version,
    theme: wish.theme ?? 'dark',
    // Asked once by whoever starts it without permissions to ask for.
    bypassPermissionsModeAccepted: true,
    // Approved keys are known by their last 20 characters; the whole key brings the question up
    // again.
    customApiKeyResponses: { approved: isLoggedIn ? [key.slice(-20)] : [], rejected: [] },
    projects:
      wish.trust === 'ask'
        ? {}
        : { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    mcpServers: Object.fromEntries(
      Object.entries(wish.mcpServers ?? {}).map(([name, server]) => [
        name,
        { type: 'stdio', ...server },
      ]),
    ),
  });
  writeJson(join(home, '.claude', 'settings.json'), {
    permissions: { allow: wish.approvals === 'allow-shell' ? ['Bash'] : [] },
  });
  return {
    env: {
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: wish.mockUrl,
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // MCP tools would be found by a search tool first; the mock calls them by name.
      ENABLE_TOOL_SEARCH: 'false',
      ...(wish.retries === undefined ? {} : { CLAUDE_CODE_MAX_RETRIES: String(wish.retries) }),
    },
    // Otherwise a classifier decides instead of a person; as a setting it brings up an offer to
    // change it.
    args: ['--permission-mode', 'default'],
  };
}

const key = 'sk-ant-lab-0123456789abcdefghij';
