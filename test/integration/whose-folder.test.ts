import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { program, waitForEnd } from '../support/cli.ts';
import { endTmux, openDaemonBox } from '../support/daemon.ts';
import { tempHome } from '../support/home.ts';
import { sweepList } from '../support/sweep.ts';
import { boxAt, openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { startProxy } from './fixtures/proxy.ts';
import { canBeAnother, startFalseDaemon, stranger } from './fixtures/stranger.ts';

const secret = { SECRET_OF_THE_USER: 'swordfish' };
const launch = ['launch', 'claude-code', '--name', 'lead', '--json'];

describe.runIf(canBeAnother)("another user's daemon (left out for those who are not root)", () => {
  test('in a 0777 state folder another user’s daemon.json is not believed: launch sends him nothing, and says the chmod', async () => {
    const box = boxAt(tempHome());
    chmodSync(box.home, 0o777);
    const daemon = await startFalseDaemon(join(box.home, 'eve.sock'), box.home);
    const ended = await box.run(launch, { env: secret });
    expectFault(ended, 5, 'folder-exposed', /chmod 700 /);
    for (const args of [['ls'], ['up'], ['down'], ['health'], ['send', 'user', 'x'], ['events']]) {
      expectFault(await box.run([...args, '--json']), 5, 'folder-exposed');
    }
    expect(daemon.heard()).toEqual([]);
  });

  test('closed again, the folder still holds what he put there: it is named, and doctor --fix takes it away', {
    tags: ['full'],
  }, async () => {
    const box = boxAt(tempHome());
    chmodSync(box.home, 0o777);
    const daemon = await startFalseDaemon(join(box.home, 'eve.sock'), box.home);
    chmodSync(box.home, 0o700);
    expectFault(await box.run(launch, { env: secret }), 5, 'folder-exposed', /daemon\.json/);
    const fixed = await box.run(['doctor', '--fix', '--json']);
    expect(fixed.code).toBe(1);
    const { problems, fixed: done } = fixed.json<DoctorReport>();
    expect(done).toEqual([`${box.home}/daemon.json is removed`]);
    // Nobody knows what that is.
    expect(problems).toMatchObject([{ what: expect.stringContaining('eve.sock') }]);
    rmSync(join(box.home, 'eve.sock'));
    expect((await box.run(['doctor', '--json'])).code).toBe(0);
    expect(daemon.heard()).toEqual([]);
  });

  test('a daemon.json of ours that names a socket elsewhere is not followed', {
    tags: ['full'],
  }, async () => {
    const box = openDaemonBox();
    const elsewhere = mkdtempSync(join(tmpdir(), 'signalbox-eve-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    chownSync(elsewhere, stranger.uid, stranger.gid);
    const daemon = await startFalseDaemon(join(elsewhere, 's'), undefined);
    const info = { pid: process.pid, protocol: 1, version: '0.1.0', socket: join(elsewhere, 's') };
    writeFileSync(join(box.home, 'daemon.json'), JSON.stringify(info), { mode: 0o600 });
    await box.run(launch, { env: secret });
    // Nor one that is ours alone, and not this folder's.
    const ours = tempHome();
    const mine = await startFalseDaemon(join(ours, 's'), undefined, {});
    chmodSync(join(ours, 's'), 0o600);
    writeFileSync(
      join(box.home, 'daemon.json'),
      JSON.stringify({ ...info, socket: join(ours, 's') }),
    );
    await box.run(launch, { env: secret });
    expect([...daemon.heard(), ...mine.heard()]).toEqual([]);
  });

  test('a state folder in a folder of his is refused by commands and by the daemon, though it is ours and closed', async () => {
    const his = tempHome();
    const home = join(his, 'state');
    mkdirSync(home, { mode: 0o700 });
    chownSync(his, stranger.uid, stranger.gid);
    const box = boxAt(home);
    expectFault(await box.run(['up', '--json']), 5, 'folder-exposed', /SIGNALBOX_HOME/);
    const daemon = spawnSync(process.execPath, [resolve('dist/daemon.cjs')], {
      env: { ...process.env, SIGNALBOX_HOME: home },
      encoding: 'utf8',
    });
    expect([daemon.status, JSON.parse(daemon.stderr).error.code]).toEqual([1, 'folder-exposed']);
    chownSync(his, 0, 0);
  });

  test.each([
    ['curl', false],
    ['Node', true],
  ])('a hook by %s sends nothing to a socket that may be his', async (_, noCurl) => {
    const { HookStage, pathWithoutCurl } = await import('./fixtures/hook-stage.ts');
    const stage = await HookStage.open();
    await stage.close();
    const daemon = await startFalseDaemon(stage.socket, undefined, {});
    chmodSync(stage.socket, 0o600);
    const env = noCurl ? { PATH: pathWithoutCurl(stage.home) } : {};
    const post = () => stage.run('PreToolUse', { env, payload: '{"a":"swordfish"}' });
    const refused: (readonly [string, () => void, () => void])[] = [
      [
        'his socket',
        () => chownSync(stage.socket, stranger.uid, stranger.gid),
        () => chownSync(stage.socket, 0, 0),
      ],
      [
        'a socket that is open',
        () => chmodSync(stage.socket, 0o666),
        () => chmodSync(stage.socket, 0o600),
      ],
      ['an open folder', () => chmodSync(stage.home, 0o777), () => chmodSync(stage.home, 0o700)],
      [
        'his folder above',
        () => chownSync(join(stage.home, '..'), stranger.uid, stranger.gid),
        () => chownSync(join(stage.home, '..'), 0, 0),
      ],
      [
        'an open folder above',
        () => chmodSync(join(stage.home, '..'), 0o777),
        () => chmodSync(join(stage.home, '..'), 0o700),
      ],
    ];
    for (const [what, expose, close] of refused) {
      expose();
      expect([what, await post()]).toMatchObject([what, { code: 0, stdout: '', stderr: '' }]);
      expect([what, daemon.heard()]).toEqual([what, []]);
      close();
    }
    await post();
    expect(daemon.heard()).toContainEqual(expect.objectContaining({ path: '/hooks/PreToolUse' }));
  });

  test('the proxy of the tools sends nothing there either, and tells the model what to ask for', async () => {
    const home = tempHome();
    const daemon = await startFalseDaemon(join(home, 's'), undefined, {});
    chmodSync(home, 0o777);
    const env = { SIGNALBOX_HOME: home, SIGNALBOX_SOCKET: join(home, 's'), SIGNALBOX_TOKEN: 'tok' };
    const proxy = startProxy(env);
    const { result } = await proxy.ask('tools/call', { name: 'list_agents', arguments: {} });
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toMatch(/chmod 700 .*doctor --fix/);
    expect(daemon.heard()).toEqual([]);
  });
});

test.each(sweepList([0o777, 0o770, 0o755]))(
  'a state folder of mode %o is refused until doctor --fix has closed it; then everything works there',
  async (mode) => {
    const box = openDaemonBox();
    chmodSync(box.home, mode);
    const refused = await box.run(['up', '--json']);
    expectFault(refused, 5, 'folder-exposed', new RegExp(`chmod 700 ${box.home}\\b.*doctor --fix`));
    expect(existsSync(join(box.home, 'logs'))).toBe(false);
    const report = (await box.run(['doctor', '--json'])).json<DoctorReport>();
    expect(report).toMatchObject({
      ok: false,
      problems: [{ next: expect.stringMatching(/chmod 700/) }],
    });
    expect(statSync(box.home).mode & 0o777).toBe(mode);
    await box.run(['doctor', '--fix']);
    expect(statSync(box.home).mode & 0o777).toBe(0o700);
    await box.ask('up');
    expect((await box.http({ path: '/health' })).status).toBe(200);
  },
);

test('settings in an open state folder are not even read, by doctor as little as by others', async () => {
  const box = await openBox('worker');
  writeFileSync(join(box.home, 'config.yaml'), 'body-limit: [of, nobody]\n');
  chmodSync(box.home, 0o777);
  expectFault(await box.run(['ls', '--json']), 5, 'folder-exposed');
  const { problems } = (await box.run(['doctor', '--json'])).json<DoctorReport>();
  expect(problems).toMatchObject([{ next: expect.stringMatching(/chmod 700/) }]);
  chmodSync(box.home, 0o700);
  expectFault(await box.run(['ls', '--json']), 1, 'config-invalid');
});

test.each([
  ['listed', 0o300],
  ['looked at', 0o000],
])('a state folder that cannot be %s is refused in one sentence', async (_, mode) => {
  const home = tempHome();
  chownSync(home, stranger.uid, stranger.gid);
  chmodSync(home, mode);
  onTestFinished(() => chmodSync(home, 0o700));
  const ended = await waitForEnd(
    spawn(process.execPath, [program, 'ls'], {
      ...stranger,
      env: { PATH: process.env['PATH'], HOME: home, SIGNALBOX_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  expect(ended).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/ cannot be (listed|looked at) \(EACCES\)/),
  });
});

test.runIf(canBeAnother)(
  'a user who is not root, and owns the folder, is refused and served by the same rules (left out for those who are not root)',
  async () => {
    const home = tempHome();
    chownSync(home, stranger.uid, stranger.gid);
    const run = (...args: readonly string[]) =>
      waitForEnd(
        spawn(process.execPath, [program, ...args], {
          ...stranger,
          env: { PATH: process.env['PATH'], HOME: home, SIGNALBOX_HOME: home },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      );
    expect(await run('up')).toMatchObject({ code: 0 });
    onTestFinished(async () => {
      chmodSync(home, 0o700);
      await run('down');
      await endTmux(home);
    });
    expect(await run('agents', 'add', 'worker')).toMatchObject({ code: 0 });
    expect(await run('send', 'worker', 'x')).toMatchObject({ code: 0 });
    expect(lstatSync(join(home, 'daemon.json'))).toMatchObject({ uid: stranger.uid });
    // root is another user here: what is not ours is not ours to use.
    const asRoot = await boxAt(home).run(['ls', '--json']);
    expectFault(asRoot, 5, 'folder-exposed', /belongs to another user \(uid 65534\)/);
    chmodSync(home, 0o770);
    expect(await run('ls')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`chmod 700 ${home}`),
    });
    expect(await run('doctor', '--fix')).toMatchObject({ code: 0 });
    expect(await run('ls')).toMatchObject({ code: 0 });
    expect(await run('down')).toMatchObject({ code: 0 });
  },
);
