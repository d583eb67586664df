import { readInstalledVersion } from '../installed-version.ts';
import { placeOnScale } from '../modes.ts';
import type { Provider } from '../provider.ts';
import { readLastAnswer } from './answer.ts';
import { cutLastAnswer } from './cut.ts';
import { openEvidence } from './evidence.ts';
import { planLaunch } from './launch.ts';
import { openNative } from './native.ts';
import { openQuestions } from './questions.ts';
import { findInResults } from './results.ts';
import { modes } from './role.ts';
import { watchState } from './state.ts';

/**
 * OpenCode. What is said here was seen on 1.18.33. Its server tells everything; it needs no hooks.
 */
export const provider: Provider = {
  name: 'opencode',
  aliases: [],
  title: 'OpenCode',
  executable: 'opencode',
  capabilities: {
    routes: ['native', 'pull'],
    provable: ['native'],
    prompts: ['native'],
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
    styledScreen: false,
  },
  firstRunQuestions: [],
  planLaunch,
  readVersion: (executablePath) => readInstalledVersion(executablePath, 'opencode-ai'),
  watchState,
  openNative,
  openQuestions,
  openEvidence,
  readLastAnswer,
  findInResults,
  cutLastAnswer,
};
