import { connect } from 'node:net';
import { expect } from 'vitest';
import type { HerdrWorld } from '../../support/herdr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  chaos,
  count,
  isRunning,
  paneRecord,
  panes,
  reader,
  untilReady,
  withHerdr,
} from './trouble.ts';

/** Looks until one of them was asked for this much later. */
async function looksFor(world: HerdrWorld, ms: number, look: () => Promise<void>): Promise<void> {
  const end = performance.now() + ms;
  await waitUntil('the looks', async () => {
    await world.backend.list();
    await look();
    return performance.now() > end;
  });
}

/** A snapshot in which nothing is. */
function emptyAnswer(isOld: boolean): { do: string; method: string; text: string } {
  const empty = { panes: [], workspaces: [], agents: [] };
  const result = isOld ? { panes: [] } : { snapshot: empty };
  const method = isOld ? 'pane.list' : 'session.snapshot';
  return { do: 'garbage', method, text: JSON.stringify({ id: 'signalbox', result }) };
}

withHerdr('what herdr tells', ({ check, onlyFake }, version) => {
  const isOld = version === '0.6.8';

  onlyFake('B5: comes over one connection, which is never written to again', async (world) => {
    await world.launchUntil('ready', reader);
    await waitUntil('looks', async () => {
      const { requests } = await count(world);
      return (requests[isOld ? 'pane.list' : 'session.snapshot'] ?? 0) > 4;
    });
    const { requests, open, undecodable } = await count(world);
    // A byte from us, or a half-close, would have ended it, and another would have been made.
    expect(requests).toMatchObject({ 'events.subscribe': 1, ping: 1 });
    await waitUntil('only that one', async () => (await count(world)).open === 1 || open === 1);
    expect(undecodable).toBe(0);
    expect(world.heard.states.map(({ state }) => state)).toEqual(['ready']);
  });

  onlyFake('B5, B11: is subscribed to anew after a cut, told once each way', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    for (let i = 1; i <= 2; i++) {
      await chaos(world, { do: 'cut' });
      await waitUntil('the loss', () => world.heard.states.length === 2 * i);
      await untilReady(world.backend);
      expect((await count(world)).requests['events.subscribe']).toBe(1 + i);
      expect(await world.sight(terminal)).toMatchObject({ isAlive: true });
    }
    expect(world.heard.states.map(({ state }) => state)).toEqual([
      ...['ready', 'connecting', 'ready', 'connecting', 'ready'],
    ]);
    await world.backend.closeTerminal(terminal);
    await waitUntil('its pane is gone', async () => (await panes(world)).length === 0);
  });

  onlyFake(
    'B7: ends nobody when it is old, again and again and out of order',
    { tags: ['full'] },
    async (world) => {
      // Ids of panes that closed: on 0.6.8 they are in use again at once.
      for (let i = 0; i < 3; i++) {
        const short = await world.launchUntil('ready', reader);
        await world.backend.closeTerminal(short);
      }
      const terminal = await world.launchUntil('ready', reader);
      await chaos(world, { do: 'reorder', seed: 5 });
      await chaos(world, { do: 'replay' });
      await chaos(world, { do: 'cut' });
      await waitUntil('the loss', () => world.heard.states.length > 1);
      await untilReady(world.backend);
      await chaos(world, { do: 'replay' });
      await looksFor(world, 2500, async () => {
        expect(await world.sight(terminal)).toMatchObject({ terminal, isAlive: true });
        expect(await world.backend.look(terminal)).toMatchObject({ isAlive: true });
      });
      expect(isRunning(terminal)).toBe(true);
    },
  );

  onlyFake('B7: is believed of nobody whose id was only said to be closed', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    const { pane_id, workspace_id } = await paneRecord(world, terminal);
    const events = ['pane_closed', 'pane.closed', 'pane_exited', 'workspace_closed'];
    const lines = events.map((event) => JSON.stringify({ event, data: { pane_id, workspace_id } }));
    const ack = JSON.stringify({ id: 'x', result: { type: 'subscription_started' } });
    // One subscription is answered by hand; it ends behind that.
    const text = [ack, ...lines, 'no json', '{}', '[]', '{"event":7}'].join('\n');
    await chaos(world, { do: 'garbage', method: 'events.subscribe', text, times: 1 });
    await chaos(world, { do: 'cut' });
    await waitUntil('the loss', () => world.heard.states.length > 1);
    await untilReady(world.backend);
    await looksFor(world, 2500, async () => {
      expect(await world.sight(terminal)).toMatchObject({ isAlive: true });
    });
    expect(isRunning(terminal)).toBe(true);
  });

  check(
    'B9: of a closed workspace is believed at once, as its process has ended too',
    async (world) => {
      const terminal = await world.launchUntil('ready', reader);
      const other = await world.launchUntil('ready', reader);
      const { workspace_id } = await paneRecord(world, terminal);
      await world.ask('workspace.close', { workspace_id });
      await waitUntil('the end of its process', () => !isRunning(terminal));
      expect(await world.backend.list()).toMatchObject([{ terminal: other, isAlive: true }]);
      expect(await world.backend.look(terminal)).toBe('gone');
    },
  );

  onlyFake(
    'B9: a terminal whose process lives is gone after two looks, 2 s apart',
    async (world) => {
      const terminal = await world.launchUntil('ready', reader);
      await chaos(world, { ...emptyAnswer(isOld), times: 1000 });
      const before = performance.now();
      const first = await world.backend.list();
      expect(first).toMatchObject([{ terminal, isAlive: true }]);
      const changes = world.heard.changes;
      await waitUntil('it is gone', async () => (await world.backend.list()).length === 0);
      expect(performance.now() - before).toBeGreaterThanOrEqual(1900);
      await waitUntil('the second look is asked for', () => world.heard.changes > changes);
      expect(isRunning(terminal)).toBe(true);
    },
  );

  onlyFake(
    'B9, B10: is nothing when one snapshot had lost everything',
    { tags: ['full'] },
    async (world) => {
      const terminals = [
        await world.launchUntil('ready', reader),
        await world.launchUntil('ready', reader),
      ];
      for (let i = 0; i < 3; i++) {
        await chaos(world, { ...emptyAnswer(isOld), times: 1 });
        await looksFor(world, 2200, async () => {
          const found = await world.backend.list();
          expect(found.filter(({ isAlive }) => isAlive).map((sight) => sight.terminal)).toEqual(
            terminals,
          );
        });
      }
      for (const terminal of terminals) {
        expect(await world.backend.look(terminal)).toMatchObject({ isAlive: true });
      }
    },
  );

  onlyFake('B10: is nobody’s death when it has no panes in it at all', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    const method = isOld ? 'pane.list' : 'session.snapshot';
    for (const result of [{}, { snapshot: {} }, { snapshot: { panes: 7 } }, { panes: {} }]) {
      const text = JSON.stringify({ id: 'signalbox', result });
      await chaos(world, { do: 'garbage', method, text, times: 1 });
      const found = await world.backend.list().catch(() => undefined);
      if (found) expect(found).toMatchObject([{ terminal, isAlive: true }]);
      await chaos(world, { do: 'calm' });
    }
    await untilReady(world.backend);
    expect(await world.backend.list()).toMatchObject([{ terminal, isAlive: true }]);
  });

  check('B5: is not disturbed by who else connects and leaves', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    for (let i = 0; i < 20; i++) {
      const socket = connect(world.socket);
      socket.on('error', () => undefined);
      socket.write('{"id":');
      socket.destroy();
    }
    expect(await world.sight(terminal)).toMatchObject({ isAlive: true });
    expect(world.heard.states.map(({ state }) => state)).toEqual(['ready']);
  });
});
