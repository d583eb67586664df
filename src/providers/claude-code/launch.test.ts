import { expect, test } from 'vitest';
import type { LaunchRequest } from '../provider.ts';
import { hookEvents, planLaunch } from './launch.ts';

const uuid = '7f1c2d34-0000-4000-8000-000000000001';
const request: LaunchRequest = {
  agent: { id: 'agt_1', name: 'lead' },
  epoch: 1,
  executablePath: '/bin/claude',
  version: '2.1.325',
  cwd: '/work',
  model: undefined,
  extraArgs: [],
  resume: undefined,
  runFolder: '/run/agt_1-1',
  env: {},
  hookCommand: (event) => `post ${event}`,
  newConversation: uuid,
  freePort: 40_001,
};

test('a launch names its conversation and brings its hooks in a settings file of its own', () => {
  const plan = planLaunch({ ...request, model: 'opus', extraArgs: ['--permission-mode', 'plan'] });
  expect(plan.argv).toEqual([
    ...['/bin/claude', '--settings', '/run/agt_1-1/settings.json', '--session-id', uuid],
    ...['--model', 'opus', '--permission-mode', 'plan'],
  ]);
  expect(plan.conversation).toBe(uuid);
  expect(plan.helpers).toEqual([]);
});

test('rule 39: the settings hold hooks and nothing else, and no flag answers a question', () => {
  const plan = planLaunch(request);
  expect(plan.files.map(({ path }) => path)).toEqual(['settings.json']);
  const settings = JSON.parse(plan.files[0]?.text ?? '') as { hooks: Record<string, unknown> };
  expect(Object.keys(settings)).toEqual(['hooks']);
  expect(Object.keys(settings.hooks)).toEqual([...hookEvents]);
  expect(settings.hooks['Stop']).toEqual([
    { hooks: [{ type: 'command', command: 'post Stop', timeout: 5 }] },
  ]);
  expect(plan.argv.join(' ')).not.toMatch(/dangerously|bypass|permission|allow/i);
  expect(plan.env).toEqual({});
});

test("a person's own settings or conversation are respected", () => {
  const own = planLaunch({ ...request, extraArgs: ['--settings', 'mine.json', '--resume', 'abc'] });
  expect(own.argv).toEqual(['/bin/claude', '--settings', 'mine.json', '--resume', 'abc']);
  expect(own.files).toEqual([]);
  expect(own.conversation).toBeUndefined();
  const named = planLaunch({ ...request, extraArgs: ['--session-id=abc'] });
  expect(named.argv.slice(3)).toEqual(['--session-id=abc']);
  expect(named.conversation).toBe('abc');
  expect(planLaunch({ ...request, extraArgs: ['-c'] }).argv.slice(3)).toEqual(['-c']);
});

test('rule 37: a later life resumes what the agent was doing, not what a person chose at first', () => {
  const extraArgs = ['--session-id', 'abc', '--verbose', '-r', 'def', '--continue'];
  const resumed = planLaunch({ ...request, epoch: 2, resume: 'now', extraArgs });
  expect(resumed.argv.slice(3)).toEqual(['--resume', 'now', '--verbose']);
  expect(resumed.conversation).toBe('now');
  const fresh = planLaunch({ ...request, epoch: 3, extraArgs });
  expect(fresh.argv.slice(3)).toEqual(['--session-id', uuid, '--verbose']);
});
