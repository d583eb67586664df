import { provider } from '../../../src/providers/opencode/provider.ts';
import { scenarios } from '../record/scenarios/opencode.ts';
import { faults } from './opencode-faults.ts';
import { states } from './opencode-states.ts';
import { runCases } from './run-cases.ts';

/** What OpenCode's server says about a message of ours, against what the model got. */
process.exitCode = await runCases({
  cli: 'opencode',
  provider,
  isReady: scenarios.isReady,
  cases: [...states, ...faults],
});
