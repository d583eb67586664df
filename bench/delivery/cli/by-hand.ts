import type { Life } from '../../../test/lab/life/life.ts';
import type { CliName } from '../../../test/lab/versions.ts';
import { ClaudeCodeByHand } from './claude-code.ts';
import { CodexByHand } from './codex.ts';
import { CopilotByHand } from './copilot.ts';
import { OpenCodeByHand } from './opencode.ts';
import { GeminiByHand, KimiByHand } from './pasted.ts';
import { QwenByHand } from './qwen.ts';
import type { ByHand } from './route.ts';

/** The same ways in that delivery takes, each used with nothing around it. */
export const byHand: Readonly<Record<CliName, new (life: Life) => ByHand>> = {
  'claude-code': ClaudeCodeByHand,
  codex: CodexByHand,
  gemini: GeminiByHand,
  opencode: OpenCodeByHand,
  copilot: CopilotByHand,
  qwen: QwenByHand,
  kimi: KimiByHand,
};
