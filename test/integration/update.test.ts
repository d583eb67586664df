import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { SendResult } from '../../src/protocol/messages.ts';
import { listTree, readEnvironment } from '../../src/shared/process-tree.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { ask } from '../support/daemon.ts';
import { tempHome } from '../support/home.ts';
import { openPerson } from '../support/person.ts';
import { waitUntil } from '../support/wait-until.ts';
import { boxAt } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { launchClaude, untilSeen } from './fixtures/living-claude.ts';
import { buildAs, type OtherBuild } from './fixtures/other-build.ts';
import { startProxy } from './fixtures/proxy.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

const patienceMs = 120_000;

/** The same station, used by the commands of another build. */
function as(build: OtherBuild, station: Station): Station {
  const read = async (name: string): Promise<AgentView> =>
    (await ask(station.daemon().socket ?? '', { path: `/agents/${name}` })).json();
  return {
    ...station,
    run: (args, more) => station.run(args, { ...more, wrapper: build.wrapper }),
    agent: read,
    pid: async (name) => {
      const family = listTree(undefined, [`SIGNALBOX_AGENT=${(await read(name)).id}`]);
      const [first] = family.toSorted((a, b) => Number(a.startedAt) - Number(b.startedAt));
      if (!first) throw new Error(`no process of ${name}`);
      return first.pid;
    },
    untilStatus: (name, status) =>
      waitUntil(
        `${name} ${status}`,
        async () => {
          const view = await read(name);
          return view.status === status ? view : undefined;
        },
        patienceMs,
      ),
  };
}

async function livingPid(station: Station, name: string): Promise<[number, string | undefined]> {
  const pid = await station.pid(name);
  return [pid, readStartTime(pid)];
}

describe.skipIf(!hasTmux)('a newer command and an older daemon', () => {
  test('the daemon is replaced while agents live and a message is on its way: it arrives once, and hooks and proxies of the older one go on', async () => {
    const older = buildAs({ version: '0.0.9', protocol: 0 });
    const station = await openStation();
    const before = as(older, station);
    const held = mkdtempSync(join(tmpdir(), 'signalbox-hold-'));
    onTestFinished(() => rmSync(held, { recursive: true, force: true }));
    const env = { SIGNALBOX_FAILPOINTS: 'deliver.claimed=hold', SIGNALBOX_FAILPOINT_DIR: held };
    await before.run(['up'], { env });
    const claude = await launchClaude(before, 'worker');
    const old = station.daemon();
    expect(old).toMatchObject({ version: '0.0.9', protocol: 0 });
    const [pid, startedAt] = [await before.pid('worker')].flatMap((it) => [it, readStartTime(it)]);
    // A proxy of the older build, as the agent's CLI has started it.
    const variables = Object.entries(readEnvironment(Number(pid)) ?? {});
    const own = Object.fromEntries(variables.filter(([key]) => key.startsWith('SIGNALBOX_')));
    const proxy = startProxy(own, { args: [join(older.dist, 'mcp.cjs')] });
    const hello = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    await proxy.ask('initialize', hello);
    // The message is claimed and about to go in when the daemon is replaced.
    const sent = (
      await before.run(['send', 'worker', 'look at the cart', '--json'])
    ).json<SendResult>();
    await waitUntil('a message on its way', () => readdirSync(held).length > 0, patienceMs);

    const ended = await station.run(['ls', '--json']);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stderr).toContain('The daemon of signalbox 0.0.9 has been replaced by that of ');
    const now = station.daemon();
    expect(now.pid).not.toBe(old.pid);
    expect(readStartTime(old.pid)).not.toBe(old.startedAt);
    expect(now).toMatchObject({ protocol: 1 });
    expect(await livingPid(station, 'worker')).toEqual([pid, startedAt]);
    expect((await station.agent('worker')).epoch).toBe(1);

    await untilSeen(station, sent.id);
    expect(claude.copies('look at the cart')).toBe(1);
    // Its hooks tell of a turn, and its proxy calls a tool.
    await claude.prompts();
    await claude.ends();
    await station.untilStatus('worker', 'completed');
    const later = await station.ask<SendResult>('send', 'worker', 'and at the checkout');
    await untilSeen(station, later.id);
    expect(claude.copies('and at the checkout')).toBe(1);
    const listed = await proxy.call('list_agents');
    expect(listed.isError ?? false).toBe(false);
    expect(JSON.stringify(listed)).toContain('worker');
    // Nothing is replaced twice.
    expect((await station.run(['ls', '--json'])).stderr).toBe('');
    expect(station.daemon().pid).toBe(now.pid);
  });

  test('what an older daemon of another host left behind blocks nobody', async () => {
    const station = await openStation();
    await station.run(['up']);
    const { pid, ...info } = station.daemon();
    await station.run(['down']);
    const gone = { ...info, pid, host: 'another-host', version: '0.0.9', protocol: 0 };
    writeFileSync(join(station.home, 'daemon.json'), JSON.stringify(gone), { mode: 0o600 });
    const ended = await station.run(['ls', '--json']);
    expect(ended).toMatchObject({ code: 0 });
    expect(await station.run(['up'])).toMatchObject({ code: 0 });
    expect(station.daemon()).toMatchObject({ host: info.host, protocol: 1 });
  });

  test('many commands at once replace it once, and the terminal backend stays', {
    tags: ['full'],
  }, async () => {
    const older = buildAs({ version: '0.0.9', protocol: 1 });
    const station = await openStation();
    const before = as(older, station);
    await before.run(['up', '--terminal', 'tmux']);
    await before.run(['launch', 'generic', '--name', 'quiet', '--', 'sleep', '600']);
    const all = await Promise.all(
      Array.from({ length: 6 }, () => station.run(['status', 'quiet', '--json'])),
    );
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    const told = all.filter(({ stderr }) => stderr.includes('has been replaced'));
    expect(told.length).toBeGreaterThan(0);
    const { pid } = station.daemon();
    expect((await station.ask<{ pid: number; started: boolean }>('up')).pid).toBe(pid);
    expect((await station.agent('quiet')).status).not.toBe('exited');
  });

  test('a command that is killed after it has ended the older daemon leaves a station that the next one starts', {
    tags: ['full'],
  }, async () => {
    const older = buildAs({ version: '0.0.9', protocol: 0 });
    const station = await openStation();
    const before = as(older, station);
    await before.run(['launch', 'generic', '--name', 'quiet', '--', 'sleep', '600']);
    const [pid, startedAt] = [await before.pid('quiet')].flatMap((it) => [it, readStartTime(it)]);
    const held = await station.hold('daemon.replaced', ['ls']);
    await held.kill();
    expect(await station.run(['ls'])).toMatchObject({ code: 0, stderr: '' });
    expect(await livingPid(station, 'quiet')).toEqual([pid, startedAt]);
  });

  test('uninstall of the newer one looks into no ledger of an older daemon, in the default home either', {
    tags: ['full'],
  }, async () => {
    const later = buildAs({
      version: '9.0.0',
      protocol: 2,
      migration: 'create table later (one text) strict;',
    });
    const [here, home] = [await openStation(), tempHome()];
    const folders = { HOME: home, XDG_STATE_HOME: join(home, 'state'), XDG_CONFIG_HOME: home };
    const usual = boxAt(join(home, 'state', 'signalbox'));
    onTestFinished(async () => void (await usual.run(['down'])));
    for (const box of [here, usual]) await box.run(['up']);
    const person = await openPerson(here.home);
    const program = [process.execPath, join(later.dist, 'signalbox.cjs')];
    const no = await person.type(['uninstall'], ['n'], { env: folders, program });
    expect(no.screen).toContain('nothing was done');
    for (const box of [here, usual]) {
      const { version } = JSON.parse(readFileSync(join(box.home, 'daemon.json'), 'utf8'));
      expect(version).toBe('9.0.0');
      await box.run(['down']);
    }
  });

  test('TAB of the newer one leaves the ledger to the older daemon, and offers nothing', {
    tags: ['full'],
  }, async () => {
    const later = buildAs({
      version: '9.0.0',
      protocol: 2,
      migration: 'create table later (one text) strict;',
    });
    const station = await openStation();
    await station.ask('agents', 'add', 'lead');
    await station.run(['up']);
    const { pid } = station.daemon();
    const after = as(later, station);
    expect(await after.run(['__complete', 'send', ''])).toMatchObject({ code: 0, stdout: '' });
    expect(await station.run(['ls', '--json'])).toMatchObject({ code: 0, stderr: '' });
    expect(station.daemon().pid).toBe(pid);
  });
});

describe.skipIf(!hasTmux)('an older command and a newer daemon', () => {
  test('it refuses, says which is which, and the daemon goes on; a message is kept for it all the same', async () => {
    const older = buildAs({ version: '0.0.9', protocol: 0 });
    const station = await openStation();
    await station.launch('worker');
    const { pid } = station.daemon();
    const before = as(older, station);
    for (const args of [
      ['up', '--json'],
      ['launch', 'generic', '--json', '--', 'sleep', '600'],
      ['restart', 'worker', '--json'],
      ['events', '--json'],
    ]) {
      const said = /is newer than this command \(signalbox 0\.0\.9\)/;
      expectFault(await before.run(args), 1, 'protocol-mismatch', said);
    }
    const sent = await before.run(['send', 'worker', 'from the older one', '--json']);
    expect(sent.code).toBe(0);
    expect(sent.stderr).toContain('The message waits in the ledger. The daemon that runs here');
    const { id } = sent.json<SendResult>();
    // The daemon would find it within 30 s; a newer command tells it to look now.
    await station.ask('send', 'worker', 'from the newer one');
    const isCarried = async () => (await station.explain(id)).message.state !== 'queued';
    await waitUntil('its message in the terminal', isCarried, patienceMs);
    expect(station.daemon().pid).toBe(pid);
  });

  test('where the newer one has migrated the ledger, an older command leaves it as it is', {
    tags: ['full'],
  }, async () => {
    const later = buildAs({
      version: '9.0.0',
      protocol: 2,
      migration: 'create table later (one text) strict;',
    });
    const station = await openStation();
    await station.launch('worker');
    const [pid, startedAt] = await livingPid(station, 'worker');
    const after = as(later, station);
    const ended = await after.run(['ls', '--json']);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stderr).toContain('has been replaced by that of 9.0.0');
    expect(readStartTime(pid)).toBe(startedAt);
    expectFault(await station.run(['ls', '--json']), 1, 'ledger-newer');
    expectFault(await station.run(['up', '--json']), 1, 'protocol-mismatch');
    expect(await after.run(['ls', '--json'])).toMatchObject({ code: 0, stderr: '' });
    await after.run(['stop', '--all']);
  });
});
