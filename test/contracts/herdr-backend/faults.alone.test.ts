import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Terminal } from '../../../src/terminals/terminal.ts';
import type { HerdrWorld } from '../../support/herdr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  chaos,
  count,
  isRunning,
  killServer,
  openNext,
  panes,
  reader,
  shell,
  untilReady,
  withHerdr,
} from './trouble.ts';

/** Connections and timers of this process that keep it alive. */
function held(): number {
  const kinds = ['PipeWrap', 'Timeout'];
  return process.getActiveResourcesInfo().filter((kind) => kinds.includes(kind)).length;
}

async function untilNothingIsLeft(world: HerdrWorld): Promise<void> {
  await waitUntil(
    'nothing is left behind',
    async () => {
      const sights = await world.backend.list().catch(() => undefined);
      for (const { terminal } of sights ?? []) {
        await world.backend.closeTerminal(terminal).catch(() => undefined);
      }
      return sights?.length === 0 && (await panes(world)).length === 0;
    },
    40_000,
  );
}

/** After so long a request is given up by itself (link.ts): the close must come first. */
const ownDeadlineMs = 5000;

withHerdr('herdr’s faults', ({ check, onlyFake }, version) => {
  const isOld = version === '0.6.8';

  for (const method of [
    'ping',
    'events.subscribe',
    isOld ? 'workspace.list' : 'session.snapshot',
  ]) {
    onlyFake(`a backend that is closed while ${method} hangs ends at once`, async (world) => {
      await world.backend.close();
      await chaos(world, { do: 'hang', method });
      await chaos(world, { do: 'reset' });
      const before = held();
      const next = world.open();
      const started = next.start().catch((error: unknown) => error);
      await waitUntil('it hangs', async () => (await count(world)).requests[method]);
      const from = performance.now();
      await next.close();
      expect(await started).toMatchObject({ code: 'backend-lost' });
      expect(performance.now() - from).toBeLessThan(ownDeadlineMs);
      expect(next.state().state).toBe('down');
      await waitUntil('nothing is held', () => held() <= before);
    });
  }

  onlyFake('a backend that is closed while verbs hang ends them, too', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    const other = await openNext(world);
    await other.list();
    await chaos(world, { do: 'hang', method: 'pane.read' });
    const asked = [other.look(terminal), other.readText(terminal, 10)].map((verb) =>
      verb.catch((error: unknown) => error),
    );
    await waitUntil('they hang', async () => (await count(world)).requests['pane.read']);
    const from = performance.now();
    await other.close();
    for (const answer of asked) expect(await answer).toBeInstanceOf(Error);
    expect(performance.now() - from).toBeLessThan(ownDeadlineMs);
    expect(isRunning(terminal)).toBe(true);
  });

  onlyFake(
    'closed and left alone, nothing of ours connects any more',
    { tags: ['full'] },
    async (world) => {
      await world.launchUntil('ready', reader);
      await world.backend.close();
      await waitUntil('no connection', async () => (await count(world)).open === 0);
      await chaos(world, { do: 'reset' });
      await delay(2500);
      expect((await count(world)).opened).toBe(0);
    },
  );

  check('two ledgers in one session see, close and lose only their own', async (world) => {
    const other = await openNext(world, 'ldg_other');
    const mine = await world.launchUntil('ready', reader);
    const wanted = world.wanted(reader);
    // 0.6.8 wants its names unique; they hold our ids, which are.
    const theirs = await other.launch(isOld ? wanted : { ...wanted, agent: mine.agent });
    expect(theirs.pane).not.toBe(mine.pane);
    const [first, second] = await Promise.all([world.backend.list(), other.list()]);
    expect(first.map((sight) => sight.terminal)).toEqual([mine]);
    expect(second.map((sight) => sight.terminal)).toEqual([theirs]);
    await other.closeTerminal(mine);
    await world.backend.closeTerminal(theirs);
    expect([isRunning(mine), isRunning(theirs)]).toEqual([true, true]);
    await world.backend.closeTerminal(mine);
    expect(isRunning(theirs)).toBe(true);
    expect(await other.list()).toMatchObject([{ terminal: theirs, isAlive: true }]);
    await killServer(world);
    for (const backend of [world.backend, other]) {
      await waitUntil('both lose it', async () => {
        const found = await backend.list().catch(() => undefined);
        return found?.length === 0 && backend.state().state === 'ready';
      });
    }
  });

  check('whoever lists while others are started and closed hears no untruth', async (world) => {
    const living = new Map<string, Terminal>();
    const closing = new Set<string>();
    let isOver = false;
    const lists = (async () => {
      while (!isOver) {
        const known = [...living.values()];
        const found = await world.backend.list();
        const dead = found.filter(({ isAlive }) => !isAlive).map(({ terminal }) => terminal.agent);
        const still = known.filter(({ agent }) => living.has(agent));
        expect(dead.filter((agent) => !closing.has(agent))).toEqual([]);
        for (const terminal of still)
          expect(found.map((one) => one.terminal)).toContainEqual(terminal);
      }
    })();
    const one = async (): Promise<void> => {
      for (let i = 0; i < 5; i++) {
        const terminal = await world.launch(reader);
        living.set(terminal.agent, terminal);
        await world.backend.look(terminal);
        living.delete(terminal.agent);
        closing.add(terminal.agent);
        await world.backend.closeTerminal(terminal);
      }
    };
    const work = Promise.all([one(), one(), one(), one()]).finally(() => {
      isOver = true;
    });
    await Promise.all([work, lists]);
    await untilNothingIsLeft(world);
  });

  check('an argument too long for herdr is refused, and leaves nothing behind', async (world) => {
    const long = 'x'.repeat(5 * 1024 * 1024);
    await expect(world.launch(['cat', long])).rejects.toMatchObject({ code: 'launch-failed' });
    await untilNothingIsLeft(world);
    expect(world.heard.states.map(({ state }) => state)).toEqual(['ready']);
  });

  check('a program that cannot be started leaves nothing behind', async (world) => {
    const launched = await world.launch(['/no/such/program']).catch(() => undefined);
    if (launched) {
      await waitUntil('its end', async () => (await world.sight(launched))?.isAlive === false);
      await world.backend.closeTerminal(launched);
    }
    await untilNothingIsLeft(world);
  });

  onlyFake(
    'thirty launches at once, while connections drop: each is there once or not at all',
    async (world) => {
      const steps = ['workspace.create', 'pane.get', isOld ? 'agent.start' : 'layout.apply'];
      for (const [i, method] of steps.entries()) {
        await chaos(world, { do: 'drop', method, at: 7 * i, times: 3 });
      }
      const wanted = Array.from({ length: 30 }, () =>
        world.wanted(shell('echo "$MARK" >> marks; exec cat'), {}),
      );
      const launched = wanted.map(async (one, i) => {
        if (i === 12) await chaos(world, { do: 'cut' });
        const env = { ...one.env, MARK: one.agent };
        return world.backend.launch({ ...one, env }).catch(() => undefined);
      });
      const all = (await Promise.all(launched)).filter((one): one is Terminal => one !== undefined);
      await chaos(world, { do: 'calm' });
      await untilReady(world.backend);
      const agents = all.map(({ agent }) => agent);
      await waitUntil('the launched ones', async () => {
        const found = await world.backend.list().catch(() => []);
        const alive = found.filter(({ isAlive }) => isAlive).map(({ terminal }) => terminal.agent);
        return agents.every((agent) => alive.includes(agent));
      });
      for (const terminal of all) expect(isRunning(terminal)).toBe(true);
      const listed = (await world.backend.list()).map(({ terminal }) => terminal.pane);
      expect(new Set(listed).size).toBe(listed.length);
      await untilNothingIsLeft(world);
      await waitUntil('no process is left', () => all.every((terminal) => !isRunning(terminal)));
    },
  );
});
