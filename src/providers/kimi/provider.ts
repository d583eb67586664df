import { readInstalledVersion } from '../installed-version.ts';
import type { Provider } from '../provider.ts';
import { cutLastAnswer, readLastAnswer } from './answer.ts';
import { planLaunch } from './launch.ts';
import { watchState } from './state.ts';

/** Kimi Code. What is said here was seen on 2.1.0. It tells nothing of itself but its conversation: the screen decides. */
export const provider: Provider = {
  name: 'kimi',
  aliases: ['kimi-code'],
  title: 'Kimi Code',
  executable: 'kimi',
  capabilities: {
    routes: ['paste', 'pull'],
    evidence: 'transcript',
    approvals: 'screen',
    turnIds: true,
    resume: true,
    styledScreen: false,
  },
  firstRunQuestions: ['trust', 'login'],
  planLaunch,
  readVersion: (executablePath) => readInstalledVersion(executablePath, '@moonshot-ai/kimi-code'),
  watchState,
  readLastAnswer,
  cutLastAnswer,
};
