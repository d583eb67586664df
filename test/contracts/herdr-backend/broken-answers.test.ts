import { expect } from 'vitest';
import type { Terminal } from '../../../src/terminals/terminal.ts';
import type { HerdrWorld } from '../../support/herdr.ts';
import { sweep, sweepList } from '../../support/sweep.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { chaos, isRunning, reader, untilReady, withHerdr } from './trouble.ts';

/** Each says the truth, or says that it cannot. */
async function expectTruth(world: HerdrWorld, terminal: Terminal): Promise<void> {
  const { backend } = world;
  const [listed, look, text] = await Promise.all([
    backend.list().catch(refusal),
    backend.look(terminal).catch(refusal),
    backend.readText(terminal, 1000).catch(refusal),
  ]);
  if (Array.isArray(listed)) expect(listed).toMatchObject([{ terminal, isAlive: true }]);
  if (look !== undefined)
    expect(look).toMatchObject({ isAlive: true, lines: expect.arrayContaining(['ready']) });
  if (text !== undefined) expect(text).toMatchObject({ text: expect.stringContaining('ready') });
  expect(isRunning(terminal)).toBe(true);
}

/** What cannot be asked is an error with a reason, never an answer. */
function refusal(error: unknown): undefined {
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).not.toBe('');
}

async function recover(world: HerdrWorld, terminal: Terminal): Promise<void> {
  await chaos(world, { do: 'calm' });
  await untilReady(world.backend);
  await waitUntil('it answers', async () => {
    const sights = await world.backend.list().catch(() => []);
    return sights.length === 1;
  });
  expect(await world.backend.list()).toMatchObject([{ terminal, isAlive: true }]);
  expect(await world.backend.look(terminal)).toMatchObject({ isAlive: true });
}

withHerdr('B10: herdr that', ({ onlyFake }, version) => {
  const all = version === '0.6.8' ? 'pane.list' : 'session.snapshot';
  // The older one cuts its answers as the newer one does.
  const step = version === '0.6.8' ? 23 : sweep(7, 23);
  const looks = [all, 'pane.get', 'pane.read', 'workspace.list'];
  const setUps = sweepList(['events.subscribe', 'ping']);
  const methods = [...sweepList(looks, 2), ...setUps];

  for (const method of methods) {
    onlyFake(`breaks off anywhere in its answer to ${method} kills nobody`, async (world) => {
      const terminal = await world.launchUntil('ready', reader);
      const isSetUp = method === 'ping' || method === 'events.subscribe';
      // A set-up takes a second of patience each; its bytes are in any-byte.test.ts.
      const length = isSetUp ? 0 : await bytesOf(world, method, terminal);
      const places = isSetUp ? sweep([0, 1, 40, 90], [0, 40]) : range(length, step);
      for (const at of places) {
        // Lost for two looks that were cut off, it would ask nothing.
        if (world.backend.state().state !== 'ready') await recover(world, terminal);
        await chaos(world, { do: 'drop', method, at, times: isSetUp ? 1 : 2 });
        if (isSetUp) await chaos(world, { do: 'cut' });
        await expectTruth(world, terminal);
        if (isSetUp) await recover(world, terminal);
      }
      await recover(world, terminal);
    });
  }

  const garbage = [
    '',
    'null',
    '[]',
    '{}',
    '"x"',
    '{"result":7}',
    '{"error":{}}',
    '{"result":{}}',
    '{"error":{"code":"internal","message":"no"}}',
    `{"result":{"snapshot":{"panes":[null,7,{}]},"panes":[null,{"pane_id":"x"}],"pane":[],"read":9}}`,
    '\u0000\ufffd',
  ];
  onlyFake('answers with something else kills nobody', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    for (const text of garbage) {
      for (const method of [all, 'pane.get', 'pane.read', 'workspace.list']) {
        await chaos(world, { do: 'garbage', method, text, times: 1 });
        const listed = await world.backend.list().catch(refusal);
        if (listed) expect(listed).toMatchObject([{ terminal, isAlive: true }]);
        const look = await world.backend.look(terminal).catch(refusal);
        if (look && look !== 'gone') expect(look).toMatchObject({ isAlive: true });
        await chaos(world, { do: 'calm' });
      }
    }
    await recover(world, terminal);
  });

  onlyFake(
    'hangs is given up, and found again with everybody in it',
    { tags: ['full'] },
    async (world) => {
      const terminal = await world.launchUntil('ready', reader);
      await chaos(world, { do: 'hang' });
      const looked = world.backend.list().then(() => 'answered', refusal);
      await waitUntil('it is given up', () => world.backend.state().state === 'connecting');
      expect(await looked).toBeUndefined();
      await expect(world.backend.list()).rejects.toMatchObject({ code: 'backend-lost' });
      expect(isRunning(terminal)).toBe(true);
      await recover(world, terminal);
      expect(world.heard.states.map(({ state }) => state)).toEqual([
        'ready',
        'connecting',
        'ready',
      ]);
    },
  );

  onlyFake('is slow is waited for', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    await chaos(world, { do: 'delay', ms: 400 });
    await expectTruth(world, terminal);
    await chaos(world, { do: 'stall', ms: 1500 });
    expect(await world.backend.list()).toMatchObject([{ terminal, isAlive: true }]);
    await recover(world, terminal);
    expect(world.heard.states.map(({ state }) => state)).toEqual(['ready']);
  });
});

/** Of an answer, with what stands around its result. */
async function bytesOf(world: HerdrWorld, method: string, terminal: Terminal): Promise<number> {
  const params = { pane_id: await world.paneOf(terminal), source: 'visible' };
  return Buffer.byteLength(JSON.stringify(await world.ask(method, params))) + 40;
}

/** Every `step`th place. */
function range(length: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step);
}
