/**
 * The variable that says that a coding CLI's own shell tool started this program: its model reads
 * what is printed.
 */
export function findNestingMark(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return nestingMarks.find((name) => env[name] !== undefined);
}

const nestingMarks = [
  'CLAUDECODE',
  'CODEX_CI',
  'GEMINI_CLI',
  'QWEN_CODE',
  'OPENCODE',
  'COPILOT_CLI',
];
