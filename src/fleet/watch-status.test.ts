import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setBy, watch } from '../../test/fakes/watched-screen.ts';
import type { StatusMonitor } from './watch-status.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  setBy.ms = 0;
});

test('E3: only changes are published, and a quiet agent is not looked at again', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.told()).toEqual(['idle']);
  const looks = world.looks();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(world.looks()).toBe(looks);
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.told()).toEqual(['idle']);
  expect(world.looks()).toBe(looks + 1);
});

test('a screen is looked at 50 ms after its last output, and every 500 ms while it never settles', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(1000);
  const before = world.looks();
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(49);
  expect(world.looks()).toBe(before);
  await vi.advanceTimersByTimeAsync(1);
  expect(world.looks()).toBe(before + 1);
  for (let ms = 0; ms < 5000; ms += 20) {
    world.monitor.output();
    await vi.advanceTimersByTimeAsync(20);
  }
  const restless = world.looks() - before - 1;
  expect(restless).toBeGreaterThanOrEqual(9);
  expect(restless).toBeLessThanOrEqual(12);
});

test('a look that is overdue because the daemon was busy is not pushed away by more output', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(1000);
  const before = world.looks();
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(30);
  // Time passes without timers: the loop stands still.
  vi.setSystemTime(Date.now() + 100);
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(20);
  expect(world.looks()).toBe(before + 1);
});

test('half a frame of a restless screen ends no turn; two equal looks do', async () => {
  const world = watch('processing');
  await vi.advanceTimersByTimeAsync(100);
  expect(world.told()).toEqual(['processing']);
  // One look finds half a frame, the next is right again, and output goes on all the time.
  world.show('idle', 'processing');
  await busyFor(world.monitor, 3000);
  expect(world.told()).toEqual(['processing']);
  world.show('idle');
  await busyFor(world.monitor, 3000);
  expect(world.told()).toEqual(['processing', 'completed']);
});

test('a hook is published at once and not taken back by the screen of the moment before', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(100);
  world.monitor.hook({ status: 'processing' });
  expect(world.told()).toEqual(['idle', 'processing']);
  world.show('processing');
  await vi.advanceTimersByTimeAsync(2000);
  world.monitor.hook({ status: 'completed' });
  world.show('idle');
  await vi.advanceTimersByTimeAsync(2000);
  expect(world.told()).toEqual(['idle', 'processing', 'completed']);
});

test('a prompt hook whose turn never shows is corrected by the screen', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(100);
  world.monitor.hook({ status: 'processing' });
  await vi.advanceTimersByTimeAsync(2000);
  expect(world.told().at(-1)).toBe('completed');
});

test('output between a hook and the look after it does not make the hook last for ever', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(100);
  world.monitor.hook({ status: 'processing' });
  await vi.advanceTimersByTimeAsync(100);
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(2000);
  expect(world.told().at(-1)).toBe('completed');
});

test('the composer counts as unknown from the first byte on, until it is looked at again', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(100);
  expect(world.monitor.view?.composer).toBe('empty');
  world.monitor.output();
  expect(world.monitor.view?.composer).toBe('unknown');
  await vi.advanceTimersByTimeAsync(100);
  expect(world.monitor.view?.composer).toBe('empty');
});

test('rule 24: a mode of the composer counts until a look finds it left, whatever is printed meanwhile', async () => {
  const world = watch('idle in shell');
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.monitor.lastLook.mode).toBe('shell');
  world.monitor.output();
  expect(world.monitor.lastLook.mode).toBe('shell');
  world.show('idle');
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.monitor.lastLook.mode).toBeUndefined();
});

test('a screen that cannot be read any more makes an idle agent unknown, and idle again when it can', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(100);
  world.fail();
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(1500);
  expect(world.told()).toEqual(['idle']);
  expect(world.monitor.view?.composer).toBe('unknown');
  await vi.advanceTimersByTimeAsync(4000);
  expect(world.told()).toEqual(['idle', 'unknown']);
  world.show('idle');
  await vi.advanceTimersByTimeAsync(2000);
  expect(world.told()).toEqual(['idle', 'unknown', 'idle']);
});

test('rule 39: where a first question may follow the composer, rest counts once it has stood; later rest counts at once', async () => {
  const world = watch('unknown', { readyAfterMs: 3000 });
  await vi.advanceTimersByTimeAsync(100);
  world.show('idle');
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(1000);
  world.show('waiting');
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(5000);
  expect(world.told()).toEqual(['starting', 'waiting']);
  world.show('idle');
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(100);
  expect(world.told()).toEqual(['starting', 'waiting', 'idle']);
});

test('a composer that no question follows counts after its time, without any more output', async () => {
  const world = watch('unknown', { readyAfterMs: 3000 });
  await vi.advanceTimersByTimeAsync(100);
  world.show('idle');
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(2900);
  expect(world.told()).toEqual(['starting']);
  expect(world.monitor.view?.composer).not.toBe('empty');
  await vi.advanceTimersByTimeAsync(500);
  expect(world.told()).toEqual(['starting', 'idle']);
  expect(world.monitor.view?.composer).toBe('empty');
});

test('an agent that never becomes ready is unknown after its time, without any output', async () => {
  const world = watch('unknown');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(world.told()).toEqual(['starting']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(world.told()).toEqual(['starting', 'unknown']);
});

/** That come of a hint every two seconds. */
async function countLooks(world: ReturnType<typeof watch>, seconds: number): Promise<number> {
  const before = world.looks();
  for (let i = 0; i < seconds / 2; i++) {
    world.monitor.hint();
    await vi.advanceTimersByTimeAsync(2000);
  }
  return world.looks() - before;
}

test('while the CLI itself says that it asks, hints of a backend make hardly a look; its next word makes one at once', async () => {
  const world = watch('waiting');
  await vi.advanceTimersByTimeAsync(100);
  const hints = (seconds: number) => countLooks(world, seconds);
  expect(await hints(20)).toBe(10); // By the screen alone, each may be the end of it.
  world.monitor.ownState({ status: 'waiting' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(await hints(40)).toBe(0);
  expect(await hints(60)).toBe(1);
  world.show('idle');
  world.monitor.ownState({ status: 'idle' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.told()).toEqual(['waiting', 'idle']);
  world.show('waiting');
  world.monitor.ownState({ status: 'waiting' });
  await vi.advanceTimersByTimeAsync(1000);
  world.monitor.ownState(undefined);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await hints(20)).toBe(10); // Its word is lost.
});

test('a question that the CLI tells of is looked for at every hint until it is drawn, for ten seconds', async () => {
  for (const isDrawn of [true, false]) {
    const world = watch('idle');
    await vi.advanceTimersByTimeAsync(100);
    world.monitor.ownState({ status: 'waiting' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await countLooks(world, 6)).toBe(3);
    if (isDrawn) world.show('waiting');
    await countLooks(world, isDrawn ? 2 : 4);
    expect(await countLooks(world, 6)).toBe(0);
  }
});

test('a terminal that is gone is reported, a backend that fails harms nothing, and close ends all', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(100);
  world.fail();
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(100);
  expect(world.troubles()).toBeGreaterThan(0);
  world.show('gone');
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(100);
  expect(world.gone()).toBeGreaterThan(0);
  world.monitor.close();
  const looks = world.looks();
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(world.looks()).toBe(looks);
  expect(vi.getTimerCount()).toBe(0);
});

async function busyFor(monitor: StatusMonitor, ms: number): Promise<void> {
  for (let spent = 0; spent < ms; spent += 20) {
    monitor.output();
    await vi.advanceTimersByTimeAsync(20);
  }
}

test('rules 5, 55: a wall clock that is set changes nothing of how long an agent has rested', async () => {
  const world = watch('processing');
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.monitor.restsMs).toBe(0);
  world.show('idle');
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(10_000);
  const rested = world.monitor.restsMs;
  expect(rested).toBeGreaterThan(8000);
  for (const ms of [3_600_000, -3_600_000]) {
    setBy.ms = ms;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(world.monitor.restsMs).toBe(rested + 2000);
  world.show('processing');
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.monitor.restsMs).toBe(0);
});
