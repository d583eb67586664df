import { readInstalledVersion } from '../installed-version.ts';
import { placeOnScale } from '../modes.ts';
import type { Provider } from '../provider.ts';
import { cutLastAnswer, readLastAnswer } from './answer.ts';
import { openEvidence } from './evidence.ts';
import { readHook, readOffer } from './hooks.ts';
import { planLaunch } from './launch.ts';
import { interruptKeys, pasteGuard } from './paste-guard.ts';
import { modes, readPermission } from './role.ts';
import { findSaved } from './saved.ts';
import { followClear } from './session-files.ts';

/**
 * Gemini CLI. What is said here was seen on 0.61.0. It tells no state of its own: title and screen
 * decide.
 */
export const provider: Provider = {
  name: 'gemini',
  aliases: ['gemini-cli'],
  title: 'Gemini CLI',
  executable: 'gemini',
  capabilities: {
    routes: ['turn-boundary', 'paste', 'pull'],
    provable: ['turn-boundary', 'paste'],
    prompts: ['paste'],
    // It reads every `@path` of a prompt, within words too, but none in a hook's reason (0.61.0).
    syntax: { paste: { at: 'anywhere' } },
    // So long after it had shown a paste 36 of 50 Enters sent it, after 80 ms 47, after 120 ms 49;
    // the others were new lines, which it cuts off (0.61.0, busy machine).
    entersSoonMs: 40,
    nativeDuring: [],
    turnEnds: 'hook',
    evidence: 'transcript',
    approvals: 'screen',
    turnIds: false,
    resume: true,
    permissions: placeOnScale(modes),
    // A silent call of 130 s was answered over stdio.
    toolCallMs: 120_000,
    forgetsCalls: true,
    styledScreen: true,
    pasteGuard,
    interruptKeys,
  },
  // The trust question came up to 1.2 s after the composer, on a busy machine.
  readyAfterMs: 3000,
  firstRunQuestions: ['trust', 'login'],
  planLaunch,
  findSaved,
  findLast: ({ conversation, ...place }) => followClear(place, conversation),
  readPermission,
  readVersion: (executablePath) => readInstalledVersion(executablePath, '@google/gemini-cli'),
  openEvidence,
  readOffer,
  readHook,
  readLastAnswer,
  cutLastAnswer,
};
