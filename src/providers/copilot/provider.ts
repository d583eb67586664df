import { readInstalledVersion } from '../installed-version.ts';
import type { Provider } from '../provider.ts';
import { cutLastAnswer, readLastAnswer } from './answer.ts';
import { readHook } from './hooks.ts';
import { planLaunch } from './launch.ts';

/** GitHub Copilot CLI. What is said here was seen on 1.0.102. Its title tells nothing: hooks and screen decide. */
export const provider: Provider = {
  name: 'copilot',
  aliases: ['copilot-cli'],
  title: 'GitHub Copilot CLI',
  executable: 'copilot',
  capabilities: {
    routes: ['turn-boundary', 'paste', 'pull'],
    evidence: 'transcript',
    approvals: 'hook',
    turnIds: true,
    resume: true,
    styledScreen: false,
  },
  firstRunQuestions: ['login', 'trust'],
  planLaunch,
  readVersion: (executablePath) => readInstalledVersion(executablePath, '@github/copilot'),
  readHook,
  readLastAnswer,
  cutLastAnswer,
};
