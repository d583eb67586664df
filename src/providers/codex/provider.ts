import { readInstalledVersion } from '../installed-version.ts';
import { placeOnScale } from '../modes.ts';
import type { Provider } from '../provider.ts';
import { cutLastAnswer, readLastAnswer } from './answer.ts';
import { openEvidence } from './evidence.ts';
import { readHook } from './hooks.ts';
import { lacksNative } from './lacks-native.ts';
import { planLaunch } from './launch.ts';
import { openNative } from './native.ts';
import { putUp } from './put-up.ts';
import { openQuestions } from './questions.ts';
import { modes, readPermission } from './role.ts';
import { findSaved } from './saved.ts';
import { watchState } from './state.ts';

/**
 * Codex CLI. What is said here was seen on 0.166.0; older ones are in docs/results/versions.json.
 */
export const provider: Provider = {
  name: 'codex',
  aliases: [],
  title: 'Codex',
  executable: 'codex',
  capabilities: {
    routes: ['native', 'pull'],
    provable: ['native'],
    prompts: ['native'],
    // It adds the text of each skill that a prompt names so (0.166.0).
    syntax: { native: { dollar: true } },
    // Its queue waits for the end of a turn or a dialog, and disturbs neither.
    nativeDuring: ['processing', 'waiting'],
    queueOnEsc: 'kept',
    turnEnds: 'state',
    evidence: 'api',
    approvals: 'state',
    turnIds: true,
    resume: true,
    permissions: placeOnScale(modes),
    // A silent call of 130 s was answered over stdio.
    toolCallMs: 120_000,
    // Its placeholder and a typed draft differ in weight alone.
    styledScreen: true,
  },
  firstRunQuestions: ['login', 'trust', 'hook-review', 'update'],
  planLaunch,
  findSaved,
  readPermission,
  readVersion: (executablePath) => readInstalledVersion(executablePath, '@openai/codex'),
  watchState,
  lacksNative,
  openNative,
  openQuestions,
  putUp,
  openEvidence,
  readHook,
  readLastAnswer,
  cutLastAnswer,
};
