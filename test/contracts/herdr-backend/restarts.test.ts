import { expect } from 'vitest';
import type { Terminal } from '../../../src/terminals/terminal.ts';
import type { HerdrWorld } from '../../support/herdr.ts';
import { sweepList } from '../../support/sweep.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  isRunning,
  killServer,
  openNext,
  panes,
  reader,
  untilReady,
  untilSaved,
  withHerdr,
  withSavingHerdr,
} from './trouble.ts';

async function stopServer(world: HerdrWorld): Promise<void> {
  await world.ask('server.stop');
}

/** It has come back by our own hand, and with other terminals under the old names. */
async function untilRestarted(world: HerdrWorld): Promise<void> {
  const before = world.heard.states.length;
  await waitUntil('the loss', () => world.heard.states.length > 1 || before > 1);
  await untilReady(world.backend);
}

async function untilGone(world: HerdrWorld): Promise<void> {
  await waitUntil('all are gone', async () => {
    const found = await world.backend.list().catch(() => undefined);
    return found?.length === 0;
  });
}

/** By a kill that comes late enough for herdr to have saved its layout. */
async function killLater(world: HerdrWorld): Promise<void> {
  await untilSaved(world);
  await killServer(world);
}

async function endWithAll(
  world: HerdrWorld,
  end: (world: HerdrWorld) => Promise<void>,
  isRestored: boolean,
): Promise<void> {
  const terminals: Terminal[] = [];
  for (let i = 0; i < 3; i++) terminals.push(await world.launchUntil('ready', reader));
  const ids = (await panes(world)).map(({ pane_id }) => pane_id);
  await end(world);
  await untilRestarted(world);
  await untilGone(world);
  const restored = await panes(world);
  expect(restored.map(({ pane_id }) => pane_id)).toEqual(isRestored ? ids : []);
  for (const terminal of terminals) {
    expect(isRunning(terminal)).toBe(false);
    expect(await world.backend.look(terminal)).toBe('gone');
    expect(await world.backend.readText(terminal, 100)).toBe('gone');
    expect(await world.backend.write(terminal, Buffer.from('exit\r'))).toBe('gone');
    expect(world.backend.attachCommand(terminal, {})).toBe('gone');
    world.backend.report?.(terminal, 'processing');
    await world.backend.closeTerminal(terminal);
  }
  // Nothing of it was typed into, told about or closed.
  expect((await panes(world)).map(({ terminal_id }) => terminal_id)).toEqual(
    restored.map(({ terminal_id }) => terminal_id),
  );
  expect((await panes(world)).some(({ agent_status }) => agent_status === 'working')).toBe(false);
  const again = await world.launchUntil('ready', reader);
  expect(await world.backend.list()).toMatchObject([{ terminal: again, isAlive: true }]);
  await world.backend.closeTerminal(again);
  await waitUntil('ours is gone again', async () => {
    return (await panes(world)).length === restored.length;
  });
}

withHerdr('B12: after its server has ended too early to save its layout', ({ check }) => {
  check('everybody in it is gone, and nothing is restored', (world) =>
    endWithAll(world, killServer, false),
  );
});

withSavingHerdr(
  'B12: after its server has ended, in a person’s session',
  ({ check }, version) => {
    const ends = [
      ['by a kill', killLater],
      ['by a stop', stopServer],
    ] as const;
    for (const [how, end] of sweepList(ends)) {
      check(`${how} everybody in it is gone, and what herdr restored is a stranger’s`, (world) =>
        endWithAll(world, end, true),
      );
    }

    check(
      'a program that survives a kill is no terminal, and is known until it ends',
      { tags: ['full'] },
      async (world) => {
        const stubborn = ['sh', '-c', 'trap "" HUP TERM; echo ready; while :; do sleep 0.1; done'];
        const terminal = await world.launchUntil('ready', stubborn);
        await killServer(world);
        await untilRestarted(world);
        if (isRunning(terminal)) {
          await waitUntil(
            'it is not listed',
            async () => (await world.backend.list()).length === 0,
          );
          expect(await world.backend.look(terminal)).toBe('gone');
          process.kill(terminal.pid, 'SIGKILL');
        }
        await waitUntil('it is forgotten', async () => {
          return (await world.backend.list()).length === 0 && !isRunning(terminal);
        });
      },
    );

    check('while nobody looked, the next backend finds that out as well', async (world) => {
      const terminal = await world.launchUntil('ready', reader);
      await world.backend.close();
      await killLater(world);
      const next = await openNext(world);
      expect(next.state()).toMatchObject({ state: 'ready', version });
      await waitUntil('it is gone', async () => (await next.list()).length === 0);
      expect(await next.look(terminal)).toBe('gone');
      expect(await panes(world)).toHaveLength(1);
    });

    check('a resumed agent in the old pane is a stranger', { tags: ['full'] }, async (world) => {
      const terminal = await world.launchUntil('ready', reader);
      const old = await world.paneOf(terminal);
      await killLater(world);
      await untilRestarted(world);
      const params = { pane_id: old, source: 'herdr:claude', agent: 'claude' };
      await world.ask('pane.report_agent', { ...params, source: 'resumed', state: 'working' });
      await untilGone(world);
      await waitUntil('two looks', async () => {
        await world.backend.list();
        return world.heard.changes > 1;
      });
      expect(world.heard.natives).toEqual([]);
      expect(await panes(world)).toMatchObject([{ pane_id: old }]);
    });
  },
  'default',
);
