import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { start, waitForEnd } from '../support/cli.ts';
import { type DaemonBox, openDaemonBox } from '../support/daemon.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectFault } from './fixtures/expect-fault.ts';

describe('up and down', () => {
  test('up starts one daemon, a second up says who is running, down ends it and leaves nothing', async () => {
    const box = openDaemonBox();
    const first = await box.ask<{ started: boolean; pid: number }>('up');
    expect(first).toMatchObject({ started: true, version: '0.1.0', terminalBackend: 'tmux' });
    expect(box.daemons()).toEqual([first.pid]);
    const again = await box.run(['up']);
    expect(again.stdout).toMatch(
      new RegExp(`^daemon is running already, since \\S+ \\S+: pid ${first.pid}, version 0.1.0`),
    );
    expect((await box.run(['down'])).stdout).toBe(
      `daemon stopped (pid ${first.pid}); no agent was running\n`,
    );
    expect(box.daemons()).toEqual([]);
    expect(existsSync(join(box.home, 'daemon.json'))).toBe(false);
    expect(readdirSync(join(box.home, 'run'))).toEqual([]);
    expect((await box.run(['down'])).stdout).toBe('no daemon is running\n');
  });

  test('the socket is 0600 in a 0700 folder, also where that was there before and open to all', async () => {
    const box = openDaemonBox();
    mkdirSync(join(box.home, 'run'), { mode: 0o755 });
    await box.ask('up');
    const { socket } = box.info();
    expect([lstatSync(socket).mode & 0o777, statSync(join(socket, '..')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    for (const name of ['daemon.json', 'daemon.lock', 'logs/daemon.log', 'logs/daemon.stderr']) {
      expect(statSync(join(box.home, name)).mode & 0o777, name).toBe(0o600);
    }
  });

  test('a folder where its socket must be ends a start before anything has begun', async () => {
    const box = openDaemonBox();
    mkdirSync(join(box.home, 'run', 'daemon.sock'), { recursive: true });
    const ended = await box.run(['up', '--json']);
    expectFault(ended, 6, 'daemon-unavailable', /daemon\.sock is a folder/);
    expect(existsSync(join(box.home, 'tmux.sock'))).toBe(false);
  });

  test.runIf(mayHideProc())('without /proc a start says what is missing', async () => {
    const box = openDaemonBox();
    const hide = 'mount -t tmpfs none /proc; exec "$@"';
    const wrapper = ['unshare', '-m', 'sh', '-c', hide, 'sh'];
    const ended = await box.run(['up', '--json'], { wrapper });
    expectFault(ended, 6, 'daemon-unavailable', /\/proc is not mounted/);
  });

  test('eight starts at once end with one daemon, and all eight know it', async () => {
    const box = openDaemonBox();
    const ups = await Promise.all(
      Array.from({ length: 8 }, () => box.ask<{ pid: number; started: boolean }>('up')),
    );
    expect(new Set(ups.map(({ pid }) => pid)).size).toBe(1);
    expect(ups.filter(({ started }) => started)).toHaveLength(1);
    await waitUntil('the others to give way', () => box.daemons().length === 1);
  });

  test('SIGTERM ends it in order', { tags: ['full'] }, async () => {
    const box = openDaemonBox();
    const { pid } = await box.ask<{ pid: number }>('up');
    process.kill(pid, 'SIGTERM');
    await waitUntil('its end', () => box.daemons().length === 0);
    expect(existsSync(join(box.home, 'daemon.json'))).toBe(false);
    expect((await box.run(['logs'])).stdout).toMatch(/ending; agents live on(.|\n)*ended/);
  });

  test('in the foreground it shows its log, refuses to be the second, and ends with a signal', {
    tags: ['full'],
  }, async () => {
    const box = openDaemonBox();
    const child = start(['up', '--foreground'], { home: box.home });
    const ended = waitForEnd(child);
    await waitUntil(
      'its socket',
      () => existsSync(join(box.home, 'daemon.json')) && box.info().socket,
    );
    const { pid } = box.info();
    const second = await box.run(['up', '--foreground', '--json']);
    expectFault(second, 5, 'wrong-state', new RegExp(`runs here already: pid ${pid}, version`));
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/info {2}ready pid=\d+(.|\n)*ended\n$/);
  });
});

describe('after a death', () => {
  test('kill -9, then up: the stale lock and socket are in nobody’s way', async () => {
    const box = openDaemonBox();
    const { pid } = await box.ask<{ pid: number }>('up');
    await box.kill(pid);
    expect(existsSync(box.info().socket)).toBe(true);
    const health = await box.run(['health', '--json']);
    expect([health.code, health.json()['components']]).toMatchObject([
      1,
      { daemon: { state: 'stopped' } },
    ]);
    const next = await box.ask<{ pid: number; started: boolean }>('up');
    expect(next.started).toBe(true);
    expect(next.pid).not.toBe(pid);
    expect((await box.http({ path: '/health' })).status).toBe(200);
  });

  test('a lock that names a living stranger with a reused pid is stale, and the stranger is left alone', {
    tags: ['full'],
  }, async () => {
    const box = openDaemonBox();
    const { pid } = await box.ask<{ pid: number }>('up');
    await box.kill(pid);
    const info = { ...box.info(), pid: process.pid };
    writeFileSync(join(box.home, 'daemon.json'), JSON.stringify(info));
    expect(await box.ask('down')).toEqual({ outcome: 'not-running' });
    expect(await box.ask('up')).toMatchObject({ started: true });
  });

  test('a socket file that somebody else left, or a file in its place, is replaced', async () => {
    const box = openDaemonBox();
    mkdirSync(join(box.home, 'run'));
    writeFileSync(join(box.home, 'run', 'daemon.sock'), 'in the way');
    writeFileSync(join(box.home, 'run', 'new-abcdef'), 'left by a start that was killed');
    await box.ask('up');
    expect((await box.http({ path: '/health' })).status).toBe(200);
    expect(readdirSync(join(box.home, 'run'))).toEqual(['daemon.sock']);
  });

  test('a daemon that dies between lock and socket blocks nobody', { tags: ['full'] }, async () => {
    const box = openDaemonBox();
    const env = { SIGNALBOX_FAILPOINTS: 'daemon.locked=kill' };
    const failed = await box.run(['up', '--json'], { env });
    expectFault(failed, 6, 'daemon-unavailable', /could not be started/);
    expect(await box.ask('up')).toMatchObject({ started: true });
  });

  test('one that is starting is waited for, not doubled', { tags: ['full'] }, async () => {
    const box = openDaemonBox();
    const folder = tempHome();
    const env = { SIGNALBOX_FAILPOINTS: 'daemon.locked=hold', SIGNALBOX_FAILPOINT_DIR: folder };
    const first = box.run(['up', '--json'], { env });
    await waitUntil('the first to have the lock', () => readdirSync(folder).length === 1);
    const second = box.run(['up', '--json']);
    // By itself it does not even try; started by hand it gives way.
    const third = await box.run(['up', '--foreground', '--json']);
    expectFault(third, 5, 'wrong-state', /runs here already/);
    expect(box.daemons()).toHaveLength(1);
    rmSync(join(folder, readdirSync(folder)[0] ?? ''));
    const pids = [(await first).json()['pid'], (await second).json()['pid']];
    expect(new Set(pids)).toEqual(new Set(box.daemons()));
  });
});

describe('a folder that is not as it should be', () => {
  test('a long one is reached by a short way', { tags: ['full'] }, async () => {
    const home = join(tempHome(), 'x'.repeat(120), 'y'.repeat(100));
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const runtime = tempHome();
    const box = openDaemonBox(home);
    const env = { XDG_RUNTIME_DIR: runtime };
    expect((await box.run(['up', '--json'], { env })).code).toBe(0);
    const { socket } = box.info();
    expect(Buffer.byteLength(socket)).toBeLessThan(104);
    expect(socket.startsWith(runtime)).toBe(true);
    // Found by what is written down, whatever the environment of whoever asks.
    expect((await box.run(['health', '--json'])).code).toBe(0);
    expect(readdirSync(join(home, 'run'))).toEqual(['daemon.sock']);
    await box.run(['down']);
  });

  test('deleted under the daemon: it says so and ends, and leaves the new one alone', async () => {
    const box = openDaemonBox();
    const { pid } = await box.ask<{ pid: number }>('up');
    const moved = `${box.home}-moved`;
    renameSync(box.home, moved);
    onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
    mkdirSync(box.home, { mode: 0o700 });
    const next = await box.ask<{ pid: number }>('up');
    expect(next.pid).not.toBe(pid);
    await waitUntil('the end of the one without ground', () => !box.daemons().includes(pid));
    expect((await box.http({ path: '/health' })).json().components.daemon.pid).toBe(next.pid);
    const log = (await sbxLogs(box, moved)).stdout;
    expect(log).toMatch(/error a file this daemon stands on was deleted or replaced/);
  });

  test('a socket that somebody removed is made again', { tags: ['full'] }, async () => {
    const box = openDaemonBox();
    const { pid } = await box.ask<{ pid: number }>('up');
    rmSync(box.info().socket);
    await waitUntil('a new socket', () => existsSync(box.info().socket));
    const { status, json } = await box.http({ path: '/health' });
    expect([status, json().components.daemon.pid]).toEqual([200, pid]);
  });
});

describe('a daemon that cannot start', () => {
  test('says why: a broken ledger, and exit code 6', async () => {
    const box = openDaemonBox();
    writeFileSync(join(box.home, 'ledger.db'), 'not a ledger');
    expectFault(await box.run(['up', '--json']), 6, 'daemon-unavailable', /is not a ledger/);
  });

  test('B1: a backend that is not available says so, and no other is taken', {
    tags: ['full'],
  }, async () => {
    const box = openDaemonBox();
    const herdr = await box.run(['up', '--terminal', 'herdr', '--json'], { env: withoutHerdr() });
    expectFault(herdr, 6, 'daemon-unavailable', /herdr is not installed/);
    expectFault(await box.run(['up', '--terminal', 'screen', '--json']), 2, 'usage', /tmux, herdr/);
    const env = { SIGNALBOX_TERMINAL: 'screen' };
    expectFault(await box.run(['up', '--json'], { env }), 1, 'config-invalid', /Give one of tmux/);
  });

  test('B1: the flag wins over the environment, and that over the file', {
    tags: ['full'],
  }, async () => {
    const box = openDaemonBox();
    writeFileSync(join(box.home, 'config.yaml'), 'terminal: herdr\n');
    const gone = await box.run(['up', '--json'], { env: withoutHerdr() });
    expectFault(gone, 6, 'daemon-unavailable', /herdr/);
    const env = { SIGNALBOX_TERMINAL: 'herdr' };
    const up = await box.run(['up', '--terminal', 'tmux', '--json'], { env });
    expect(up.json()).toMatchObject({ terminalBackend: 'tmux' });
    const other = await box.run(['up', '--terminal', 'herdr', '--json']);
    expectFault(other, 5, 'wrong-state', /runs already .* with tmux/);
  });

  test('without tmux it says that tmux is missing', async () => {
    const box = openDaemonBox();
    const env = { PATH: tempHome() };
    expectFault(await box.run(['up', '--json'], { env }), 6, 'daemon-unavailable', /tmux/);
  });
});

describe('a daemon that hangs', () => {
  test('health says that it does not answer, and down ends it', { tags: ['full'] }, async () => {
    const box = openDaemonBox();
    const { pid } = await box.ask<{ pid: number }>('up');
    process.kill(pid, 'SIGSTOP');
    expectFault(await box.run(['health', '--json']), 4, 'timed-out', new RegExp(`pid ${pid}`));
    expect(await box.ask('down')).toEqual({ outcome: 'killed', pid });
    expect(box.daemons()).toEqual([]);
  });
});

function sbxLogs(box: DaemonBox, home: string) {
  return box.run(['logs'], { env: { SIGNALBOX_HOME: home } });
}

/** Whoever has herdr must not find one started by a test. */
function withoutHerdr(): { readonly PATH: string } {
  const folders = (process.env['PATH'] ?? '').split(':');
  return { PATH: folders.filter((folder) => !existsSync(join(folder, 'herdr'))).join(':') };
}

function mayHideProc(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/proc'], { stdio: 'ignore' });
    return true;
  } catch {
    // Not as this user, or not on this machine.
    return false;
  }
}
