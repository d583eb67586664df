import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import { isListening } from '../../src/terminals/tmux/is-listening.ts';
import { openTmuxWorld, type TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

const program = ['sleep', '600'];

/** A world whose clock can be set forward, so that nobody waits for a minute. */
async function openWorld(): Promise<{ world: TmuxWorld; passMinute: () => void }> {
  let aheadMs = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
  const world = await openTmuxWorld({ clock });
  return {
    world,
    passMinute: () => {
      aheadMs += 60_000;
    },
  };
}

describe.skipIf(!hasTmux)('a tmux server without terminals', () => {
  test('ends a minute after its last terminal, its control client first; the next launch starts another', async () => {
    const { world, passMinute } = await openWorld();
    const { backend } = world;
    const first = await world.launch(program);
    passMinute();
    expect(await backend.list()).toHaveLength(1);
    passMinute();
    expect(await backend.list()).toHaveLength(1);
    const pid = world.serverPid();
    await backend.closeTerminal(first);
    expect(await backend.list()).toEqual([]);
    expect(world.serverPid()).toBe(pid);
    passMinute();
    expect(await backend.list()).toEqual([]);
    expect(await isListening(world)).toBe(false);
    expect(backend.state()).toMatchObject({ state: 'ready', version: expect.any(String) });
    expect(await backend.list()).toEqual([]);
    await backend.closeTerminal(first);
    expect(await isListening(world)).toBe(false);
    const next = await world.launch(program);
    expect(world.serverPid()).not.toBe(pid);
    expect((await backend.list()).map(({ terminal }) => terminal.pane)).toEqual([next.pane]);
  });

  test('a launch in the same moment never loses its terminal', async () => {
    const { world, passMinute } = await openWorld();
    const { backend } = world;
    for (let round = 0; round < 6; round++) {
      await backend.list();
      passMinute();
      const list = () => backend.list();
      const launch = () => world.launch(program);
      const [a, b] = round % 2 === 0 ? [list(), launch()] : [launch(), list()];
      const [one, other] = await Promise.all([a, b]);
      const terminal = [one, other].find((it) => !Array.isArray(it));
      const [sight, ...more] = await backend.list();
      expect([sight?.terminal, sight?.isAlive, more]).toEqual([terminal, true, []]);
      if (sight) await backend.closeTerminal(sight.terminal);
    }
  });

  test('a window that a person has opened in it keeps it', async () => {
    const { world, passMinute } = await openWorld();
    const pid = world.serverPid();
    const client = world.clientPid();
    world.tmux('new-session', '-d', '-s', 'mine', 'sleep', '600');
    for (let minutes = 0; minutes < 3; minutes++) {
      await world.backend.list();
      passMinute();
    }
    // Nor is the control client of a server that stays dismissed for it.
    expect([world.serverPid(), world.clientPid()]).toEqual([pid, client]);
    await world.backend.close();
    expect(world.serverPid()).toBe(pid);
  });

  test('ends with its backend, and stays where a terminal is', async () => {
    const { world } = await openWorld();
    const kept = await world.launch(program);
    await world.backend.close();
    expect(await isListening(world)).toBe(true);
    const next = world.open();
    await next.start();
    expect(await next.list()).toHaveLength(1);
    await next.closeTerminal(kept);
    await next.close();
    expect(await isListening(world)).toBe(false);
  });

  test('`down` ends it where no agent lives, and leaves it where one does', async () => {
    const station = await openStation();
    await station.launch('worker');
    const [, pid] = [
      await station.run(['down']),
      await station.tmux('display-message', '-p', '#{pid}'),
    ];
    expect(await station.run(['stop', 'worker'])).toMatchObject({ code: 0 });
    expect(await station.tmux('display-message', '-p', '#{pid}')).toBe(pid);
    expect(await station.run(['down'])).toMatchObject({ code: 0 });
    await waitUntil(
      'the end of the server',
      async () => !(await isListening({ socket: `${station.home}/tmux.sock` })),
    );
    await station.run(['restart', 'worker']);
    await station.untilStatus('worker', 'idle');
  });
});
