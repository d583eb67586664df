import { expect, test } from 'vitest';
import { launchRequest } from '../../../test/support/launch-request.ts';
import { planLaunch } from './launch.ts';

const request = launchRequest({ executablePath: '/bin/opencode' });

test('it is started as a person would, with its server on loopback behind a password of this run (rule 39)', () => {
  const plan = planLaunch(request);
  expect(plan.argv).toEqual(['/bin/opencode', '--port', '40001', '--hostname', '127.0.0.1']);
  const password = plan.env['OPENCODE_SERVER_PASSWORD'];
  expect(password).toMatch(/^oc_\w{26}$/);
  const file = plan.files.find(({ path }) => path === 'server.json');
  expect(JSON.parse(file?.text ?? '')).toEqual({ hostname: '127.0.0.1', port: 40_001, password });
  expect(planLaunch(request).env['OPENCODE_SERVER_PASSWORD']).not.toBe(password);
});

test('what it unpacks goes into the run folder, which is there before it starts, and TMPDIR stays the user’s', () => {
  const plan = planLaunch(request);
  expect(plan.env['BUN_TMPDIR']).toBe('/run/agt_1-1/libraries');
  expect(plan.files.map(({ path }) => path)).toContain('libraries/README');
  expect(plan.env['TMPDIR']).toBeUndefined();
  expect(
    planLaunch({ ...request, env: { BUN_TMPDIR: '/mine' } }).env['BUN_TMPDIR'],
  ).toBeUndefined();
});

test('what it shows is told by an extension of its terminal, for this run alone', () => {
  const plan = planLaunch(request);
  expect(plan.env['OPENCODE_TUI_CONFIG']).toBe('/run/agt_1-1/tui.json');
  expect(plan.files.map(({ path }) => path)).toContain('shown-plugin.mjs');
  const theirs = planLaunch({ ...request, env: { OPENCODE_TUI_CONFIG: '/mine' } });
  expect(theirs.env['OPENCODE_TUI_CONFIG']).toBeUndefined();
});

test('model and agent are written down for conversations that we begin', () => {
  const address = (extraArgs: readonly string[], model?: string) => {
    const plan = planLaunch({ ...request, extraArgs, model });
    return JSON.parse(plan.files.find(({ path }) => path === 'server.json')?.text ?? '');
  };
  expect(address(['--agent', 'plan'], 'a/b')).toMatchObject({ agent: 'plan', model: 'a/b' });
  expect(address(['-m', 'c/d'], 'a/b')).toMatchObject({ model: 'c/d' });
});

test('a person’s own port, host, model and conversation win', () => {
  const extraArgs = ['--port=5000', '--hostname', '0.0.0.0', '-m', 'a/b', '-s', 'ses_1'];
  const plan = planLaunch({ ...request, extraArgs, model: 'c/d' });
  expect(plan.argv).toEqual(['/bin/opencode', ...extraArgs]);
  expect(plan.conversation).toBe('ses_1');
  const file = plan.files.find(({ path }) => path === 'server.json');
  expect(JSON.parse(file?.text ?? '')).toMatchObject({ hostname: '0.0.0.0', port: 5000 });
});

test('the next life resumes the conversation, whatever the first was told, and says no first prompt again (rule 37)', () => {
  const extraArgs = ['--continue', '--prompt', 'Begin.', '--agent', 'plan'];
  const first = planLaunch({ ...request, extraArgs });
  expect(first.argv.slice(5)).toEqual(extraArgs);
  expect(first.conversation).toBeUndefined();
  const next = planLaunch({ ...request, extraArgs, epoch: 2, resume: 'ses_2' });
  expect(next.argv.slice(5)).toEqual(['--session=ses_2', '--agent', 'plan']);
  expect(next.conversation).toBe('ses_2');
  const fresh = planLaunch({ ...request, extraArgs, epoch: 3 });
  expect(fresh.argv.slice(5)).toEqual(['--prompt', 'Begin.', '--agent', 'plan']);
});

test('a fork has an id that only OpenCode knows', () => {
  const plan = planLaunch({ ...request, extraArgs: ['-s', 'ses_1', '--fork'] });
  expect(plan.conversation).toBeUndefined();
});
