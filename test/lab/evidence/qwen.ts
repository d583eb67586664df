import { provider } from '../../../src/providers/qwen/provider.ts';
import { scenarios } from '../record/scenarios/qwen.ts';
import { faults } from './qwen-faults.ts';
import { states } from './qwen-states.ts';
import { runCases } from './run-cases.ts';

/** What Qwen Code's chat file says about a message of ours, against what the model got. */
process.exitCode = await runCases({
  cli: 'qwen',
  provider,
  isReady: scenarios.isReady,
  cases: [...states, ...faults],
});
