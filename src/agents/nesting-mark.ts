/**
 * The variable that says that a coding CLI's own shell tool started this program: its model reads
 * what is printed.
 */
export function findNestingMark(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return nestingMarks.find((name) => env[name] !== undefined);
}

/**
 * Exactly the names that a CLI sets in what it starts and that nobody sets by hand; one that says
 * most comes first. The shell tools of Claude Code 2.1.325, Codex 0.166.0, Gemini CLI 0.61.0, Qwen
 * Code, OpenCode and Copilot CLI 1.0.102 were seen to have them. A variable that people set
 * (CLAUDE_CODE_USE_BEDROCK, CODEX_HOME, GEMINI_CLI_NO_RELAUNCH), or that an editor sets in the
 * terminals of a person (CLAUDE_CODE_SSE_PORT, GEMINI_CLI_IDE_SERVER_PORT), must not be here.
 */
const nestingMarks = [
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_PID',
  'CODEX_CI',
  'CODEX_THREAD_ID',
  'CODEX_SESSION_ID',
  'CODEX_TOOL_CALL_ID',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'GEMINI_CLI',
  'QWEN_CODE',
  'QWEN_CODE_SESSION_ID',
  'OPENCODE',
  'OPENCODE_PID',
  'COPILOT_CLI',
  'COPILOT_AGENT_SESSION_ID',
  'COPILOT_LOADER_PID',
];
