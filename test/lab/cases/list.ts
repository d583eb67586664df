import type { CliName } from '../versions.ts';
import type { LabCase } from './case.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { kimi } from './kimi.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

export const cases: Readonly<Record<CliName, LabCase>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  opencode,
  copilot,
  qwen,
  kimi,
};
