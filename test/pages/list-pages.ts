/** The pages with commands that a test types, in the order in which a new user may read them. */
export const pages: readonly string[] = [
  'README.md',
  'docs/getting-started.md',
  'docs/clis/claude-code.md',
  'docs/clis/codex.md',
  'docs/clis/gemini.md',
  'docs/clis/opencode.md',
  'docs/clis/copilot.md',
  'docs/clis/qwen.md',
  'docs/clis/kimi.md',
  'docs/teams.md',
  'docs/profiles.md',
  'docs/worktrees.md',
  'docs/operations.md',
  'docs/mcp.md',
  'docs/protocol.md',
];
