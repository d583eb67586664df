import { expect, test } from 'vitest';
import { launchRequest } from '../../../test/support/launch-request.ts';
import { planLaunch } from './launch.ts';

const request = launchRequest({ executablePath: '/bin/codex', version: '0.166.0' });
const socket = '/run/agt_1-1/app-server.sock';
const remote = ['/bin/codex', '--remote', `unix://${socket}`];
const plain = (...extraArgs: string[]) => planLaunch({ ...request, extraArgs });

test('the terminal program runs on an app-server of its own, which is started first', () => {
  const plan = planLaunch({ ...request, model: 'gpt-6' });
  expect(plan.argv).toEqual([...remote, '--model=gpt-6']);
  expect(plan.helpers).toEqual([
    {
      name: 'app-server',
      argv: ['/bin/codex', 'app-server', '--listen', `unix://${socket}`],
      readyPath: socket,
    },
  ]);
});

test('rule 39: neither gets a bypass, a trust or a hook that nobody asked for', () => {
  const { argv, helpers, files, env } = planLaunch(request);
  expect([...argv, ...helpers.flatMap((helper) => helper.argv)].join(' ')).not.toMatch(
    /dangerously|bypass|trust|hooks|approval/,
  );
  expect(files.map(({ path }) => path)).toEqual(['app-server.json']);
  expect(env).toEqual({});
});

test('what changes the configuration reaches the server, which it comes from; the rest does not', () => {
  const extraArgs = ['-c', 'a=1', '-a', 'never', '--enable', 'x', '--config=b=2', 'do it'];
  const { argv, helpers } = planLaunch({ ...request, extraArgs });
  expect(argv).toEqual([...remote, ...extraArgs]);
  expect(helpers[0]?.argv.slice(1, 6)).toEqual(['-c', 'a=1', '--enable', 'x', '--config=b=2']);
  expect(helpers[0]?.argv[6]).toBe('app-server');
});

test('--no-daemon, which --remote refuses, is kept by having a server of its own', () => {
  expect(plain('--no-daemon').argv).toEqual(remote);
});

test.each([
  [['-p', 'work']],
  [['-C', '/elsewhere']],
  [['--add-dir', '/more']],
  [['--remote', 'ws://x']],
])('%j does not go through a server: plain codex is started', (extraArgs) => {
  const { argv, helpers } = plain(...extraArgs);
  expect(argv).toEqual(['/bin/codex', '--no-daemon', ...extraArgs]);
  expect(helpers).toEqual([]);
});

test('another subcommand is run as it was written', () => {
  expect(plain('login', '--device').argv).toEqual(['/bin/codex', 'login', '--device']);
});

test.each([undefined, '0.140.0', '0.147.0'])(
  'version %s is started plainly, without flags it may not have',
  (version) => {
    const { argv, helpers } = planLaunch({ ...request, version, model: 'm', resume: 'id' });
    expect(argv).toEqual(['/bin/codex', '--model=m', 'resume', 'id']);
    expect(helpers).toEqual([]);
  },
);

test.each(['0.148.0', '0.155.0', '0.160.1', '0.165.0', '0.169.0', '1.2.0'])(
  'version %s, whose app-server has a queue, runs on one of its own',
  (version) => {
    const { argv, helpers } = planLaunch({ ...request, version });
    expect(argv).toEqual(remote);
    expect(helpers.map(({ name }) => name)).toEqual(['app-server']);
  },
);

test.each([
  ['0.155.0', []],
  ['0.156.1', ['--no-daemon']],
])('%s, started plainly, is told what it knows of daemons: %j', (version, daemon) => {
  const { argv } = planLaunch({ ...request, version, extraArgs: ['-p', 'work'] });
  expect(argv).toEqual(['/bin/codex', ...daemon, '-p', 'work']);
});

test('rule 37: a later life resumes its conversation and does not repeat the first prompt', () => {
  const extraArgs = ['-c', 'a=1', 'do it'];
  const resumed = planLaunch({ ...request, epoch: 2, resume: 'id', extraArgs });
  expect(resumed.argv).toEqual([...remote, '-c', 'a=1', 'resume', 'id']);
  const fresh = planLaunch({ ...request, epoch: 2, extraArgs });
  expect(fresh.argv).toEqual([...remote, '-c', 'a=1']);
});

test('rule 37: a resumed conversation has its sandbox from the server, for the terminal program may not name one', () => {
  const role = { permission: 'read-only' } as const;
  const resumed = planLaunch({ ...request, epoch: 2, resume: 'id', role });
  expect(resumed.argv).toEqual([...remote, 'resume', 'id']);
  const settings = ['-c', 'sandbox_mode="read-only"', '-c', 'approval_policy="never"'];
  expect(resumed.helpers[0]?.argv.slice(1, 6)).toEqual([...settings, 'app-server']);
  const first = planLaunch({ ...request, role });
  expect(first.argv).toEqual([...remote, '-s', 'read-only', '-a', 'never']);
  // So do those that a person wrote after `--`.
  const again = (...extraArgs: string[]) => {
    const { argv, helpers } = planLaunch({ ...request, epoch: 2, resume: 'id', extraArgs });
    return [argv.slice(remote.length), helpers[0]?.argv.slice(1, -3)];
  };
  expect(again('--sandbox=workspace-write', '-a', 'never', '--search')).toEqual([
    ['--search', 'resume', 'id'],
    ['-c', 'sandbox_mode="workspace-write"', '-c', 'approval_policy="never"'],
  ]);
  expect(again('--dangerously-bypass-approvals-and-sandbox')).toEqual([
    ['resume', 'id'],
    ['-c', 'sandbox_mode="danger-full-access"', '-c', 'approval_policy="never"'],
  ]);
});
