import type { ScreenGuard } from '../../terminals/writing.ts';
import { readInstalledVersion } from '../installed-version.ts';
import { placeOnScale } from '../modes.ts';
import type { Provider } from '../provider.ts';
import { cutLastAnswer, readLastAnswer } from './answer.ts';
import { clearBehind } from './clear-behind.ts';
import { openEvidence } from './evidence.ts';
import { readHook, readOffer } from './hooks.ts';
import { planLaunch } from './launch.ts';
import { openNative } from './native.ts';
import { openQuestions } from './questions.ts';
import { modes, readPermission } from './role.ts';
import { findSaved } from './saved.ts';
import { watchState } from './state.ts';

const question: ScreenGuard['absent'] = [
  { regex: '^│ .*[Ee]sc (to )?([Cc]ancel|[Cc]lose|[Ee]xit|[Bb]ack|go back)' },
  { regex: '^ .*enter accept · .*esc cancel' },
];

/**
 * The first Esc only warns; at rest a second one opens a list of earlier prompts, so both need the
 * footer of an agent at work, and the second one the warning.
 */
const interruptKeys: readonly ScreenGuard[] = [
  { absent: question, present: [{ regex: '^ [^ ]+ (Working|Thinking|Waiting) .*esc esc ' }] },
  {
    absent: question,
    present: [{ regex: '^ [^ ]+ (Working|Thinking|Waiting) .*esc again to ' }],
  },
];

/**
 * GitHub Copilot CLI. What is said here was seen on 1.0.102. Its title tells nothing: hooks and
 * screen decide.
 */
export const provider: Provider = {
  name: 'copilot',
  aliases: ['copilot-cli'],
  title: 'GitHub Copilot CLI',
  executable: 'copilot',
  capabilities: {
    routes: ['native', 'turn-boundary', 'pull'],
    // Nothing starts a killed extension again but a person's /clear.
    takesOver: 'paste',
    provable: ['native', 'turn-boundary', 'paste'],
    prompts: ['native', 'paste'],
    // In its composer each file that a prompt names is added with its place and size, each skill
    // with its text (1.0.102).
    syntax: { paste: { at: 'always', slash: true } },
    nativeDuring: ['processing'],
    queueOnEsc: 'dropped',
    // The ninth reason in a row is dropped without a word.
    maxBlocks: 8,
    turnEnds: 'state',
    evidence: 'transcript',
    approvals: 'hook',
    turnIds: true,
    resume: true,
    permissions: placeOnScale(modes),
    // A silent call of 130 s was answered over stdio.
    toolCallMs: 120_000,
    styledScreen: false,
    interruptKeys,
    // A dialog takes the place of the composer: a frame at the left edge, where the model prints
    // nothing, or rows whose last are its keys.
    pasteGuard: {
      absent: [
        { regex: '^│ .*[Ee]sc to (cancel|close|exit|go back)' },
        { regex: '^│ .*Esc (Cancel|Back)' },
        { regex: '^ (● .*· )?↑/↓ (to navigate|select) · ' },
        { regex: '^ / search · ↑/↓ navigate · ' },
      ],
      // In a low or narrow window the name of the key is cut off.
      present: [{ regex: '^❯$' }, { regex: ' · / c(o|om|omm|omma|omman|ommand|ommands)?( |$)' }],
    },
  },
  firstRunQuestions: ['login', 'trust'],
  planLaunch,
  findSaved,
  clearBehind,
  readPermission,
  readVersion: (executablePath) => readInstalledVersion(executablePath, '@github/copilot'),
  watchState,
  openNative,
  openQuestions,
  openEvidence,
  readOffer,
  readHook,
  readLastAnswer,
  cutLastAnswer,
};
