import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import type { AgentView } from '../../src/protocol/agents.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { program } from '../support/cli.ts';
import { ask } from '../support/daemon.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { startProxy } from './fixtures/proxy.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

/**
 * The permission ceiling with a real daemon, and agents with terminals and processes of their own.
 */
describe.runIf(hasTmux)('an agent that asks for more than it has', () => {
  test('is refused on the command line, over HTTP and by its tools, and nothing is launched', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    writeProfile(station, 'served', 'mcpServers: { helper: { command: /bin/true } }');
    writeProfile(station, 'pathed', 'env: { PATH: /evil }');
    await station.launch('lead');
    const other = join(station.home, 'other');
    mkdirSync(other);
    const wanted: readonly (readonly [readonly string[], RegExp])[] = [
      [[scriptedProvider, '--env', 'PATH=/evil'], /"PATH", which says where programs are found/],
      [[scriptedProvider, '--env', 'NODE_OPTIONS=-r /evil'], /"NODE_OPTIONS"/],
      [[scriptedProvider, '--env', 'LD_PRELOAD=/evil.so'], /"LD_PRELOAD"/],
      [[scriptedProvider, '--env', 'CLAUDE_CONFIG_DIR=/evil'], /"CLAUDE_CONFIG_DIR"/],
      [[scriptedProvider, '--model=--yolo'], /the model "--yolo"/],
      [[scriptedProvider, '--cwd', other], /another folder than your own/],
      [[scriptedProvider, '--session', 'elsewhere'], /another session than your own/],
      [['served'], /the MCP server "helper"/],
      [['pathed'], /"PATH", which says where/],
    ];
    for (const [args, said] of wanted) {
      const ended = await station.runAs('lead', ['launch', ...args, '--json']);
      expectFault(ended, 5, 'not-allowed', said);
      expect(ended.stderr).toMatch(/ask the user to launch it/);
    }
    const identity = readEnvironment(await station.pid('lead')) ?? {};
    const { cwd } = await station.agent('lead');
    const body = { notify: true, cwd, extraArgs: [], env: {} };
    const json = { 'content-type': 'application/json' };
    const token = { authorization: `Bearer ${identity['SIGNALBOX_TOKEN']}` };
    const answer = await ask(station.daemon().socket ?? '', {
      ...{ method: 'POST', path: '/agents', headers: { ...json, ...token } },
      body: JSON.stringify({ ...body, provider: scriptedProvider, extraEnv: { ENV: '/evil' } }),
    });
    expect([answer.status, answer.json().error.code]).toEqual([403, 'not-allowed']);
    const proxy = startProxy(identity);
    for (const tool of ['assign', 'handoff']) {
      const result = await proxy.call(tool, { profile: 'served', task: 'Go' });
      expect([result.isError, JSON.stringify(result)]).toEqual([
        ...[true, expect.stringMatching(/the MCP server .*helper.* counts as `all`/s)],
      ]);
    }
    expect(await names(station)).toEqual(['lead', 'user']);
    // The user may do all of that.
    const byUser = ['launch', 'served', '--session', 'elsewhere', '--cwd', other];
    expect((await station.run(byUser)).code).toBe(0);
  });

  test('rule 40: its child gets what it was launched with itself, at the launch and at a restart, whatever its shell has', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.launch('lead', '--env', 'GREETING=hello');
    const env = { PATH: `/evil:${process.env['PATH']}`, NODE_OPTIONS: '--no-warnings', EVIL: '1' };
    const launch = ['launch', scriptedProvider, '--name', 'child', '--env', 'OWN=fine', '--json'];
    const ended = await station.runAs('lead', launch, { env });
    expect(`${ended.code} ${ended.stderr}`).toBe('0 ');
    await station.untilStatus('child', 'idle');
    const read = async () => readEnvironment((await station.pane('child')).pid) ?? {};
    const given = { GREETING: 'hello', PATH: process.env['PATH'] };
    expect(await read()).toMatchObject({ ...given, OWN: 'fine' });
    const restarted = await station.runAs('lead', ['restart', 'child', '--json'], { env });
    expect(`${restarted.code} ${restarted.stderr}`).toBe('0 ');
    const again = await read();
    expect(again).toMatchObject(given);
    for (const name of ['NODE_OPTIONS', 'EVIL']) expect(again).not.toHaveProperty(name);
    // One that the user gave more is the user's to restart.
    writeProfile(station, 'bold', 'permissionMode: all');
    await station.run(['launch', 'bold', '--name', 'bolder', '--parent', 'lead']);
    const refused = await station.runAs('lead', ['restart', 'bolder']);
    expect(`${refused.code} ${refused.stderr}`).toMatch(/^5 .*"bolder" has `all`/s);
    expect((await station.agent('bolder')).epoch).toBe(1);
  });

  test('without --cwd its child works in its own folder, wherever its shell stands; with one elsewhere it is refused', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.launch('lead');
    const { cwd } = await station.agent('lead');
    const below = mkdtempSync(join(cwd, 'below-'));
    onTestFinished(() => rmSync(below, { recursive: true, force: true }));
    const wrapper = ['/bin/sh', '-c', `cd ${below} && exec "$@"`, 'sh'];
    const note = expect.arrayContaining([`it works in ${cwd}, the folder of "lead"`]);
    for (const args of [
      ['launch', scriptedProvider],
      ['assign', `provider:${scriptedProvider}`, 'Go'],
      ['run-task', '--', process.execPath, program, 'launch', scriptedProvider],
    ]) {
      const before = await names(station);
      const json = args[0] === 'run-task' ? args : [...args, '--json'];
      const ended = await station.runAs('lead', json, { wrapper });
      expect([args[0], ended.code, ended.stderr]).toEqual([args[0], 0, expect.anything()]);
      if (args[0] !== 'run-task') expect(ended.json()).toMatchObject({ notes: note });
      const [child = ''] = (await names(station)).filter((name) => !before.includes(name));
      expect([args[0], (await station.agent(child)).cwd]).toEqual([args[0], cwd]);
    }
    const elsewhere = ['launch', scriptedProvider, '--cwd', '.', '--json'];
    const refused = await station.runAs('lead', elsewhere, { wrapper });
    expectFault(refused, 5, 'not-allowed', /another folder than your own/);
    // The user's shell says where the user is.
    const byUser = ['launch', scriptedProvider, '--name', 'mine', '--json'];
    const mine = await station.run(byUser, { wrapper });
    expect([mine.code, mine.json<AgentView>().cwd]).toEqual([0, below]);
  });

  test('one that only reads gets round it neither by an agent that it adds nor by a one-shot command', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    writeProfile(station, 'reading', 'permissionMode: read-only');
    await station.run(['launch', 'reading', '--name', 'reader']);
    await station.launch('boss', '--session', 'elsewhere');
    const launch = ['launch', scriptedProvider, '--json'];
    const onlyReads = /"\S+" has `read-only`, and .* has no mode known to us that only reads/;
    expectFault(await station.runAs('reader', launch), 5, 'not-allowed', onlyReads);
    expect((await station.runAs('reader', ['agents', 'add', 'helper', '--json'])).code).toBe(0);
    expectFault(await station.runAs('helper', launch), 5, 'not-allowed', onlyReads);
    const run = ['run-task', '--', process.execPath, program, ...launch];
    const ended = await station.runAs('reader', run);
    expect(`${ended.code} ${ended.stdout}`).toMatch(/^5 .*only reads/s);
    // Nor does what it adds stand elsewhere.
    for (const args of [
      ['agents', 'add', 'spy', '--session', 'elsewhere', '--json'],
      ['agents', 'add', 'spy', '--parent', 'boss', '--json'],
      ['run-task', '--parent', 'boss', '--json', '--', 'true'],
    ]) {
      expectFault(await station.runAs('reader', args), 5, 'not-allowed');
    }
    expect(await names(station)).toEqual(['boss', 'helper', 'reader', 'user']);
  });

  test('what another session shows, scrollback, raw output and the way into a terminal are not for agents', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.launch('lead');
    await station.launch('peer');
    await station.launch('far', '--session', 'elsewhere');
    const refused = [
      ['output', 'far', '--json'],
      ['output', 'peer', '--full', '--json'],
      ['output', 'peer', '--follow', '--json'],
      ['logs', 'peer', '--json'],
    ];
    for (const args of refused) {
      const ended = await station.runAs('lead', args);
      expect([
        args.join(' '),
        ended.code,
        /not-allowed|only the user/.test(ended.stdout + ended.stderr),
      ]).toEqual([args.join(' '), 5, true]);
    }
    for (const args of [
      ['output', 'peer', '--json'],
      ['logs', 'lead', '--json'],
    ]) {
      expect([args.join(' '), (await station.runAs('lead', args)).code]).toEqual([
        ...[args.join(' '), 0],
      ]);
    }
    expect((await station.run(['output', 'far', '--json'])).code).toBe(0);
  });
});

async function names(station: Station): Promise<readonly string[]> {
  return (await station.ask<{ agents: AgentView[] }>('ls')).agents.map(({ name }) => name);
}

function writeProfile(station: Station, name: string, fields: string): void {
  const folder = join(station.home, 'profiles');
  mkdirSync(folder, { recursive: true });
  const text = `---\nname: ${name}\nprovider: ${scriptedProvider}\n${fields}\n---\nDo it.\n`;
  writeFileSync(join(folder, `${name}.md`), text);
}
