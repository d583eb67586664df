import { readInstalledVersion } from '../installed-version.ts';
import { placeOnScale } from '../modes.ts';
import type { Provider } from '../provider.ts';
import { cutLastAnswer, readLastAnswer } from './answer.ts';
import { trackDecision } from './decided.ts';
import { openEvidence } from './evidence.ts';
import { readHook } from './hooks.ts';
import { findLastTurn } from './last-turn.ts';
import { planLaunch } from './launch.ts';
import { readCaption, readOffer } from './offer.ts';
import { interruptKeys, pasteGuard } from './paste-guard.ts';
import { putUp } from './put-up.ts';
import { readQuestion } from './questions.ts';
import { modes, readPermission } from './role.ts';
import { findSaved } from './saved.ts';
import { watchState } from './state.ts';

/** Claude Code. What is said here was seen on 2.1.325. */
export const provider: Provider = {
  name: 'claude-code',
  aliases: ['claude'],
  title: 'Claude Code',
  executable: 'claude',
  capabilities: {
    // By the hook that waits the model reads "NOT USER INPUT"; only a paste is the user's word.
    routes: ['native', 'turn-boundary', 'mid-turn', 'paste', 'pull'],
    provable: ['native', 'turn-boundary', 'mid-turn', 'paste'],
    prompts: ['paste'],
    // At the beginning of a word; it reads none in what a hook says (2.1.325).
    syntax: { paste: { at: 'word' } },
    // 0 of 420 swallowed in one command with the text.
    pastesWithEnter: true,
    // 2.1.240 swallowed it in 2 of 3 runs, at a load of 24 to 33; 2.1.280 in none of 14 prompts.
    pastesWithEnterSince: '2.1.280',
    tellsSubmitted: 'exactly',
    nativeDuring: [],
    waitingHook: true,
    // For a wake the screen has our summary alone, which is the same for all of them.
    showsSenders: true,
    // A message that is pasted would count as the user's word.
    takesOver: 'notice',
    maxBlocks: 7,
    turnEnds: 'hook',
    evidence: 'transcript',
    approvals: 'state',
    turnIds: true,
    resume: true,
    permissions: placeOnScale(modes),
    // A silent call of 110 s was answered in place; one of 120 s goes on in the background, and its
    // result comes later.
    toolCallMs: 100_000,
    pasteGuard,
    interruptKeys,
    // A suggestion in the composer is told from a draft by being dim.
    styledScreen: true,
  },
  firstRunQuestions: ['login', 'trust'],
  planLaunch,
  findSaved,
  readPermission,
  readVersion: (executablePath) =>
    readInstalledVersion(executablePath, '@anthropic-ai/claude-code'),
  watchState,
  putUp: (context) => putUp(context),
  openEvidence,
  readHook,
  readOffer,
  readCaption,
  readQuestion,
  trackDecision,
  readLastAnswer,
  findLastTurn,
  cutLastAnswer,
};
