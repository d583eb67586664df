import { expect, test } from 'vitest';
import type { LaunchRequest } from '../provider.ts';
import { planLaunch } from './launch.ts';

const request: LaunchRequest = {
  agent: { id: 'agt_1', name: 'worker' },
  epoch: 1,
  executablePath: '/bin/kimi',
  version: '2.1.0',
  cwd: '/work',
  model: undefined,
  extraArgs: [],
  resume: undefined,
  runFolder: '/run/agt_1-1',
  env: {},
  hookCommand: (event) => `post ${event}`,
  newConversation: 'c',
  freePort: 40_001,
};

test('it is started as a person would, and nothing else (rule 39)', () => {
  expect(planLaunch(request)).toEqual({ argv: ['/bin/kimi'], env: {}, files: [], helpers: [] });
  expect(planLaunch({ ...request, model: 'k2' }).argv).toEqual(['/bin/kimi', '-m', 'k2']);
});

test('a person’s own conversation and model win in the first life', () => {
  const extraArgs = ['-S', 'session_1', '-m', 'mine'];
  const plan = planLaunch({ ...request, extraArgs, model: 'other' });
  expect(plan.argv).toEqual(['/bin/kimi', ...extraArgs]);
  expect(plan.conversation).toBe('session_1');
});

test('the next life resumes the conversation, without what a resumed one refuses (rule 37)', () => {
  const extraArgs = ['--continue', '--agent', 'reviewer', '--plan'];
  const next = planLaunch({ ...request, extraArgs, epoch: 2, resume: 'session_2' });
  expect(next.argv).toEqual(['/bin/kimi', '-S', 'session_2', '--plan']);
  expect(next.conversation).toBe('session_2');
  const fresh = planLaunch({ ...request, extraArgs, epoch: 3 });
  expect(fresh.argv).toEqual(['/bin/kimi', '--agent', 'reviewer', '--plan']);
  expect(fresh.conversation).toBeUndefined();
});
