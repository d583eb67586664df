import type { ScreenGuard } from '../../terminals/writing.ts';
import { readInstalledVersion } from '../installed-version.ts';
import { placeOnScale } from '../modes.ts';
import type { Provider } from '../provider.ts';
import { cutLastAnswer, readLastAnswer } from './answer.ts';
import { openEvidence } from './evidence.ts';
import { readHook, readOffer } from './hooks.ts';
import { planLaunch } from './launch.ts';
import { findInResults } from './results.ts';
import { modes, readPermission } from './role.ts';
import { findSaved } from './saved.ts';
import { watchState } from './state.ts';

const moons = '🌑|🌒|🌓|🌔|🌕|🌖|🌗|🌘';
const dials = '⠋|⠙|⠹|⠸|⠼|⠴|⠦|⠧|⠇|⠏';

/** The moon or the dial above the composer, further left than anything that the model prints. */
const interruptKeys: readonly ScreenGuard[] = [
  {
    absent: [{ regex: '^ .*(↑/↓|↵|[Ee]sc cancel)' }],
    present: [{ regex: `^  (${moons}|${dials})( |$)` }],
  },
];

/** Kimi Code. What is said here was seen on 2.1.0. Hooks and screen tell its status. */
export const provider: Provider = {
  name: 'kimi',
  aliases: ['kimi-code'],
  title: 'Kimi Code',
  executable: 'kimi',
  capabilities: {
    routes: ['turn-boundary', 'paste', 'pull'],
    provable: ['turn-boundary', 'paste'],
    prompts: ['paste'],
    // 12 of 12 taken in one command with the text, on a machine with a load of 28.
    pastesWithEnter: true,
    // In its composer each skill that a prompt names so is activated (2.1.0).
    syntax: { paste: { slash: true } },
    nativeDuring: [],
    maxBlocks: 1,
    turnEnds: 'state',
    evidence: 'transcript',
    approvals: 'screen',
    turnIds: true,
    resume: true,
    permissions: placeOnScale(modes),
    // A silent call of 130 s was answered over stdio.
    toolCallMs: 120_000,
    styledScreen: false,
    // A dialog stands between two lines across the screen, in the place of the composer; what the
    // model prints is indented.
    pasteGuard: {
      absent: [{ regex: '^ ─{20,}' }],
      present: [{ regex: '^ │ > +│$' }],
    },
    interruptKeys,
  },
  firstRunQuestions: ['trust', 'login'],
  planLaunch,
  findSaved,
  readPermission,
  readVersion: (executablePath) => readInstalledVersion(executablePath, '@moonshot-ai/kimi-code'),
  watchState,
  openEvidence,
  readOffer,
  readHook,
  readLastAnswer,
  findInResults,
  cutLastAnswer,
};
