import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { writeHerdrScript } from '../../fakes/herdr/start.ts';
import { tempHome } from '../../support/home.ts';
import { type Json, onlyFake, openHerdr } from './world.ts';

test('an answer is one JSON line and exit 0, a refusal one on stderr and 1, a wrong command text and 2', async () => {
  const world = await openHerdr();
  const created = await world.cli('workspace', 'create', '--label', 'mine', '--env', 'A=b');
  expect(created).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(created.stdout)).toMatchObject({
    id: 'cli:workspace:create',
    result: { type: 'workspace_created', workspace: { label: 'mine' } },
  });
  const missing = await world.cli('pane', 'get', 'w9:p9');
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(missing.stderr)).toMatchObject({ error: { code: 'pane_not_found' } });
  const wrong = await world.cli('pane', 'split', '--bogus');
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(() => JSON.parse(wrong.stderr) as unknown).toThrow();
});

test('what only acts is silent, and what reads prints the text alone', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  expect(await world.cli('pane', 'run', pane, 'echo', 're""ady')).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const waited = await world.cli(
    'pane',
    'wait-output',
    pane,
    '--match',
    'ready',
    '--timeout',
    '9000',
  );
  expect(JSON.parse(waited.stdout)).toMatchObject({ result: { matched_line: 'ready' } });
  expect(await world.cli('pane', 'send-text', pane, 'echo', 'tw""o')).toMatchObject({ stdout: '' });
  expect(await world.cli('pane', 'send-keys', pane, 'enter')).toMatchObject({
    code: 0,
    stdout: '',
  });
  await world.untilShown(pane, 'two');
  const read = await world.cli('pane', 'read', pane, '--source', 'recent-unwrapped');
  expect(read).toMatchObject({ code: 0, stderr: '' });
  expect(read.stdout).toContain('\nready\n');
});

test('a second server for the same session is refused; another session has its own', async () => {
  const world = await openHerdr();
  const second = await world.cli('server');
  expect(second.code).toBe(1);
  expect(second.stderr).toContain('herdr server is already running');
  const status = JSON.parse((await world.cli('status', '--json')).stdout) as { server: Json };
  expect(status.server).toMatchObject({ running: true, compatible: true });
  const other = await world.cli('--session', 'other', 'workspace', 'list');
  expect(other).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(other.stderr)).toMatchObject({ error: { code: 'server_not_running' } });
});

test('a stop is over when the sockets have gone', async () => {
  const world = await openHerdr();
  expect(await world.cli('server', 'stop')).toMatchObject({ code: 0 });
  const listed = await world.cli('workspace', 'list');
  expect(JSON.parse(listed.stderr)).toMatchObject({ error: { code: 'server_not_running' } });
});

test('a snapshot comes over the command line too', async () => {
  const world = await openHerdr();
  const { workspace } = await world.workspace();
  const { stdout } = await world.cli('api', 'snapshot');
  expect(JSON.parse(stdout)).toMatchObject({
    result: { snapshot: { workspaces: [{ workspace_id: workspace }] } },
  });
});

onlyFake(
  'row 21: a newer program refuses an older server, whose socket goes on working',
  async () => {
    const world = await openHerdr();
    const newer = { FAKE_HERDR_PROTOCOL: '21' };
    const refused = await world.cliWith(newer, 'workspace', 'list');
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'protocol_mismatch' } });
    expect(await world.ask('workspace.list')).toMatchObject({ type: 'workspace_list' });
    expect(await world.cliWith(newer, 'server', 'stop')).toMatchObject({ code: 0 });
  },
);

onlyFake('a script named herdr stands for the binary', () => {
  const folder = tempHome();
  const env = { ...process.env, XDG_CONFIG_HOME: folder, FAKE_HERDR_VERSION: '0.6.8' };
  const { stdout } = spawnSync(writeHerdrScript(folder), ['status', '--json'], { env });
  expect(JSON.parse(String(stdout))).toMatchObject({
    client: { version: '0.6.8', protocol: 12 },
    server: { running: false },
  });
});
