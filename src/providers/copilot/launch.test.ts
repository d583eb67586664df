import { expect, test } from 'vitest';
import type { LaunchRequest } from '../provider.ts';
import { hookEvents, planLaunch } from './launch.ts';

const request: LaunchRequest = {
  agent: { id: 'agt_1', name: 'worker' },
  epoch: 1,
  executablePath: '/bin/copilot',
  version: '1.0.102',
  cwd: '/work',
  model: undefined,
  extraArgs: [],
  resume: undefined,
  runFolder: '/run/agt_1-1',
  env: {},
  hookCommand: (event) => `post ${event}`,
  newConversation: 'aaaa-1',
  freePort: 40_001,
};

test('it is started as a person would, with a plugin of this run that holds only hooks (rule 39)', () => {
  const plan = planLaunch(request);
  const ours = ['--plugin-dir', '/run/agt_1-1/plugin', '--session-id=aaaa-1'];
  expect(plan.argv).toEqual(['/bin/copilot', ...ours]);
  expect(plan.env).toEqual({});
  expect(plan.conversation).toBe('aaaa-1');
  const [plugin, hooks] = plan.files.map(({ text }) => JSON.parse(text));
  expect(plan.files.map(({ path }) => path)).toEqual(['plugin/plugin.json', 'plugin/hooks.json']);
  expect(plugin.hooks).toBe('hooks.json');
  expect(Object.keys(hooks.hooks)).toEqual([...hookEvents]);
  expect(hooks.hooks.agentStop).toEqual([
    { type: 'command', bash: 'post agentStop', timeoutSec: 5 },
  ]);
});

test('a person’s own conversation and model win in the first life', () => {
  const extraArgs = ['--session-id', 'bbbb', '--model=m'];
  const plan = planLaunch({ ...request, extraArgs, model: 'other' });
  expect(plan.argv.slice(3)).toEqual(extraArgs);
  expect(plan.conversation).toBe('bbbb');
  const named = planLaunch({ ...request, extraArgs: ['--resume=my feature'] });
  expect(named.argv.slice(3)).toEqual(['--resume=my feature']);
  expect(named.conversation).toBeUndefined();
});

test('the next life goes on with the conversation and says no first prompt again (rule 37)', () => {
  const extraArgs = ['-i', 'Begin.', '--continue', '--allow-tool', 'shell'];
  const next = planLaunch({ ...request, extraArgs, epoch: 2, resume: 'aaaa-1' });
  expect(next.argv.slice(3)).toEqual(['--session-id=aaaa-1', '--allow-tool', 'shell']);
  expect(next.conversation).toBe('aaaa-1');
  const fresh = planLaunch({ ...request, extraArgs, epoch: 3, newConversation: 'cccc' });
  expect(fresh.argv.slice(3, 6)).toEqual(['--session-id=cccc', '-i', 'Begin.']);
});
