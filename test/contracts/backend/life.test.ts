import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { OutputChunk } from '../../../src/terminals/backend.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Abilities, backendContract, type Check } from './backends.ts';

backendContract('the life of a terminal', define);

function define(check: Check, can: Abilities): void {
  check('an exit code is kept, and the change is announced', async (world) => {
    const terminal = await world.launchUntil('ready', ['sh', '-c', 'echo ready; read x; exit 7']);
    const before = world.heard.changes;
    await world.type(terminal, '\r');
    await waitUntil('the announcement', () => world.heard.changes > before);
    const sight = await waitUntil('its end', async () => {
      const found = await world.sight(terminal);
      return found?.isAlive === false ? found : undefined;
    });
    expect(sight).toMatchObject({ terminal, exitCode: 7 });
    const look = await world.backend.look(terminal);
    expect(look).toMatchObject({ isAlive: false, exitCode: 7 });
    expect(look !== 'gone' && look.lines[0]).toBe('ready');
  });

  check('a signal is kept by its name', async (world) => {
    const terminal = await world.launchUntil('ready', ['sh', '-c', 'echo ready; exec cat']);
    process.kill(terminal.pid, 'SIGKILL');
    const sight = await waitUntil('its end', async () => {
      const found = await world.sight(terminal);
      return found?.isAlive === false ? found : undefined;
    });
    expect(sight.exitCode).toBeUndefined();
    // tmux 3.3a sometimes does not know: then it is left out, never made up.
    expect(['SIGKILL', undefined]).toContain(sight.exitSignal);
  });

  check(
    'an agent that exits soon is there, dead, with its code and its last words',
    async (world) => {
      const terminal = await world.launch(['sh', '-c', 'echo oops; sleep 0.3; exit 3']);
      const sight = await waitUntil('its end', async () => {
        const found = await world.sight(terminal);
        return found?.isAlive === false ? found : undefined;
      });
      expect(sight.exitCode).toBe(3);
      expect(await world.backend.readText(terminal, 1000)).toMatchObject({
        text: expect.stringContaining('oops'),
      });
    },
  );

  if (can.rawOutput) {
    check(
      'output is hinted at, logged raw and given to who follows, until they stop (E2, E7)',
      async (world) => {
        const wanted = world.wanted(['cat']);
        const terminal = await world.backend.launch(wanted);
        const chunks: OutputChunk[] = [];
        const text = () =>
          Buffer.concat(
            chunks.map((c) => (c.kind === 'bytes' ? c.bytes : Buffer.alloc(0))),
          ).toString();
        const unfollow = world.backend.follow(terminal, (chunk) => chunks.push(chunk));
        await world.backend.write(terminal, Buffer.from('é one\r'));
        await waitUntil('the followed bytes', () => text().includes('é one\r\né one\r\n'));
        unfollow();
        await world.backend.write(terminal, Buffer.from('two\r'));
        await world.untilScreen(terminal, 'two');
        await waitUntil(
          'the log',
          () =>
            existsSync(wanted.logPath) &&
            readFileSync(wanted.logPath, 'utf8').includes('two\r\ntwo\r\n'),
        );
        expect(readFileSync(wanted.logPath, 'utf8')).toBe('é one\r\né one\r\ntwo\r\ntwo\r\n');
        expect(text()).not.toContain('two');
        await waitUntil('all hints', () => (world.heard.bytes.get(wanted.agent) ?? 0) === 26);
      },
    );
  } else {
    check('what is printed by one that works is hinted at all the same (E2)', async (world) => {
      const terminal = await world.launchUntil('ready', ['sh', '-c', 'echo ready; exec cat']);
      world.backend.report?.(terminal, 'processing');
      const before = world.heard.hints.length;
      await waitUntil('a hint', () => world.heard.hints.slice(before).includes(terminal.agent));
    });
  }

  check(
    'closing a backend leaves every terminal running, and the next one finds them as they were (B4)',
    async (world) => {
      const wanted = world.wanted(['cat']);
      const terminal = await world.backend.launch(wanted);
      await world.type(terminal, 'before\r');
      await world.untilScreen(terminal, 'before');
      await world.backend.close();
      const next = world.open();
      try {
        await next.start();
        expect(await next.list()).toMatchObject([{ terminal, isAlive: true, isHomeless: false }]);
        const written = can.typing === 'no' ? 'refused' : 'written';
        expect(await next.write(terminal, Buffer.from('after\r'))).toBe(written);
        if (can.typing === 'no') return;
        await world.untilScreen(terminal, 'after', next);
        if (!can.rawOutput) return;
        await waitUntil('the log', () =>
          readFileSync(wanted.logPath, 'utf8').includes('after\r\nafter\r\n'),
        );
      } finally {
        await next.close();
      }
    },
  );

  check('a closed terminal is gone, and closing it again is nothing', async (world) => {
    const terminal = await world.launch(['cat']);
    const other = await world.launch(['cat']);
    await world.backend.closeTerminal(terminal);
    await world.backend.closeTerminal(terminal);
    expect(await world.backend.look(terminal)).toBe('gone');
    expect((await world.backend.list()).map((sight) => sight.terminal)).toEqual([other]);
  });

  check(
    'what carries another ledger’s id is not ours, not even in the same server',
    async (world) => {
      const terminal = await world.launch(['cat']);
      const stranger = world.open('ldg_stranger');
      try {
        await stranger.start();
        expect(await stranger.list()).toEqual([]);
        expect(await stranger.look(terminal)).toBe('gone');
        expect(await stranger.write(terminal, Buffer.from('x'))).toBe('gone');
        await stranger.closeTerminal(terminal);
        expect(await world.sight(terminal)).toMatchObject({ isAlive: true });
      } finally {
        await stranger.close();
      }
    },
  );

  check('a backend that is closed says so instead of answering', async (world) => {
    const terminal = await world.launch(['cat']);
    await world.backend.close();
    await expect(world.backend.list()).rejects.toMatchObject({ code: 'backend-lost' });
    await expect(world.backend.look(terminal)).rejects.toMatchObject({ code: 'backend-lost' });
    expect(world.backend.state().state).toBe('down');
  });
}
