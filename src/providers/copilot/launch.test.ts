import { expect, test } from 'vitest';
import { hookCommand, launchRequest } from '../../../test/support/launch-request.ts';
import { hookEvents, planLaunch } from './launch.ts';

const request = launchRequest({ executablePath: '/bin/copilot', newConversation: 'aaaa-1' });

test('it is started as a person would, with a plugin of this run that holds hooks and an extension (rule 39)', () => {
  const plan = planLaunch(request);
  const ours = ['--plugin-dir', '/run/agt_1-1/plugin', '--session-id=aaaa-1'];
  expect(plan.argv).toEqual(['/bin/copilot', ...ours]);
  // Nothing experimental but this.
  expect(plan.env).toEqual({ COPILOT_CLI_ENABLED_FEATURE_FLAGS: 'EXTENSIONS' });
  expect(plan.conversation).toBe('aaaa-1');
  const [plugin, hooks] = plan.files.slice(0, 2).map(({ text }) => JSON.parse(text));
  expect(plan.files.map(({ path }) => path)).toEqual([
    'plugin/plugin.json',
    'plugin/hooks.json',
    'plugin/extensions/signalbox/extension.mjs',
    'link/README',
  ]);
  expect(plugin.hooks).toBe('hooks.json');
  expect(Object.keys(hooks.hooks)).toEqual([...hookEvents]);
  expect(hooks.hooks.agentStop).toEqual([
    { type: 'command', bash: hookCommand('agentStop'), timeoutSec: 5 },
  ]);
});

test('rules 39, 54: the extension for answers is there only where a profile asks for it, and what it costs is said', () => {
  const plain = planLaunch(request);
  const remote = planLaunch({ ...request, role: { hasRemoteApprovals: true } });
  const paths = remote.files.map(({ path }) => path);
  expect(paths.filter((path) => !plain.files.some((one) => one.path === path))).toEqual([
    'plugin/extensions/signalbox-answers/extension.mjs',
    'answers/README',
  ]);
  expect(remote.argv).toEqual(plain.argv);
  expect(remote.remarks).toEqual([expect.stringMatching(/asks in its terminal, at each start/)]);
  expect(plain.remarks).toBeUndefined();
  // The one that carries messages asks a person for nothing.
  const [messages] = plain.files.filter(({ path }) => path.endsWith('signalbox/extension.mjs'));
  expect(messages?.text).toContain('joinSession({})');
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
  expect(next.argv.slice(3)).toEqual(['--resume=aaaa-1', '--allow-tool', 'shell']);
  expect(next.conversation).toBe('aaaa-1');
  const fresh = planLaunch({ ...request, extraArgs, epoch: 3, newConversation: 'cccc' });
  expect(fresh.argv.slice(3, 6)).toEqual(['--session-id=cccc', '-i', 'Begin.']);
});

test('features that the user switched on stay on', () => {
  const flags = (set: string) =>
    planLaunch({ ...request, env: { COPILOT_CLI_ENABLED_FEATURE_FLAGS: set } }).env;
  expect(flags('A,B')).toEqual({ COPILOT_CLI_ENABLED_FEATURE_FLAGS: 'A,B,EXTENSIONS' });
  expect(flags('EXTENSIONS')).toEqual({ COPILOT_CLI_ENABLED_FEATURE_FLAGS: 'EXTENSIONS' });
});
