import type { ScreenGuard } from '../../terminals/writing.ts';
import { readInstalledVersion } from '../installed-version.ts';
import { placeOnScale } from '../modes.ts';
import type { Provider } from '../provider.ts';
import { cutLastAnswer, readLastAnswer } from './answer.ts';
import { openEvidence } from './evidence.ts';
import { readHook } from './hooks.ts';
import { planLaunch } from './launch.ts';
import { openNative } from './native.ts';
import { putUp } from './put-up.ts';
import { openQuestions } from './questions.ts';
import { modes, readPermission } from './role.ts';
import { findSaved } from './saved.ts';
import { watchState } from './state.ts';
import { readTurnParts } from './turn-parts.ts';

/**
 * Its title tells of a question, too, also while its screen draws that anew.
 */
const asksInTitle = { regex: '^✳' };

/**
 * The spinner's row, or the footer that goes with it in a narrow window. At rest two Escapes empty
 * the composer: one is pressed.
 */
const interruptKeys: readonly ScreenGuard[] = [
  {
    absent: [{ regex: 'Waiting for user confirmation' }, { regex: '^ {1,4}(│ )?› [0-9]+\\. ' }],
    present: [{ regex: '^  [^ ]+ +[^ ].*\\([0-9].* · esc to cancel\\)$|^  Enter to steer' }],
    absentTitle: asksInTitle,
  },
];

/**
 * Qwen Code. What is said here was seen on 0.24.4. It needs Node 22, which its own executable
 * finds.
 */
export const provider: Provider = {
  name: 'qwen',
  aliases: ['qwen-code'],
  title: 'Qwen Code',
  executable: 'qwen',
  capabilities: {
    routes: ['native', 'pull'],
    provable: ['native'],
    prompts: ['native'],
    nativeDuring: ['processing'],
    queueOnEsc: 'returned',
    nativeInComposer: true,
    // Where one `@` stands behind a blank, it reads every `@path`, within words too (0.24.4).
    syntax: { native: { at: 'anywhere' } },
    turnEnds: 'hook',
    evidence: 'transcript',
    approvals: 'state',
    turnIds: true,
    resume: true,
    permissions: placeOnScale(modes),
    // A silent call of 130 s was answered over stdio.
    toolCallMs: 120_000,
    styledScreen: true,
    interruptKeys,
  },
  firstRunQuestions: ['login', 'trust'],
  planLaunch,
  findSaved,
  readPermission,
  readVersion: (executablePath) => readInstalledVersion(executablePath, '@qwen-code/qwen-code'),
  watchState,
  openNative,
  openQuestions,
  putUp,
  openEvidence,
  readHook,
  readLastAnswer,
  readTurnParts,
  cutLastAnswer,
};
