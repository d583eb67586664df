import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endTmux, openDaemonBox } from '../support/daemon.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';
import { boxAt } from './fixtures/box.ts';

describe('a daemon.json from before', () => {
  test('the state folder was moved after the daemon had been killed: the next command works there', {
    tags: ['full'],
  }, async () => {
    const box = openDaemonBox();
    await box.ask('up');
    await box.kill(box.info().pid);
    await endTmux(box.home);
    const moved = `${box.home}-moved`;
    renameSync(box.home, moved);
    onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
    const next = boxAt(moved);
    expect(await next.run(['ls'])).toMatchObject({ code: 0 });
    expect(await next.run(['up'])).toMatchObject({ code: 0 });
    expect(await next.run(['down'])).toMatchObject({ code: 0 });
    await endTmux(moved);
  });

  describe('of a path that is too long for a socket, which is reached by a link in the runtime folder', () => {
    const openLong = () => {
      const home = join(tempHome(), 'x'.repeat(100));
      const runtime = tempHome();
      mkdirSync(home, { mode: 0o700 });
      const box = openDaemonBox(home);
      const run = (...args: readonly string[]) =>
        box.run(args, { env: { XDG_RUNTIME_DIR: runtime } });
      return { ...box, runtime, run };
    };

    test('the link is gone after a power cut: the next command works', async () => {
      const box = openLong();
      await box.run('up');
      expect(box.info().socket.startsWith(box.runtime)).toBe(true);
      await box.kill(box.info().pid);
      rmSync(box.runtime, { recursive: true });
      mkdirSync(box.runtime, { mode: 0o700 });
      for (const command of ['ls', 'up', 'down']) {
        expect(await box.run(command)).toMatchObject({ code: 0, stderr: '' });
      }
    });

    test('the runtime folder is gone after a logout: the daemon that lives is reached, and says where it listens', async () => {
      const box = openLong();
      await box.run('up');
      const { pid } = box.info();
      rmSync(box.runtime, { recursive: true });
      expect(await box.run('ls')).toMatchObject({ code: 0, stderr: '' });
      await waitUntil('the way it introduces', () => !box.info().socket.startsWith(box.runtime));
      expect(box.info().pid).toBe(pid);
      expect((await box.http({ path: '/health' })).status).toBe(200);
      expect(await box.run('down')).toMatchObject({ code: 0 });
    });
  });
});
