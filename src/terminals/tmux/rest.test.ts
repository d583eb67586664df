import { expect, test } from 'vitest';
import { Rest } from './rest.ts';

function openRest() {
  const world = { nowMs: 0, ends: 0, endNow: (): void => undefined };
  const rest = new Rest({ monotonicMs: () => world.nowMs }, () => {
    world.ends++;
    return new Promise<void>((done) => {
      world.endNow = done;
    });
  });
  return { world, rest };
}

test('a server is ended 60 s after it was first seen without a terminal, and not before', async () => {
  const { world, rest } = openRest();
  for (const nowMs of [0, 30_000, 59_999]) {
    world.nowMs = nowMs;
    await rest.saw(true);
  }
  expect(world.ends).toBe(0);
  world.nowMs = 60_000;
  const ended = rest.saw(true);
  expect(world.ends).toBe(1);
  world.endNow();
  await ended;
});

test('a terminal, or a launch, begins the 60 s anew', async () => {
  const { world, rest } = openRest();
  await rest.saw(true);
  world.nowMs = 50_000;
  await rest.saw(false);
  world.nowMs = 70_000;
  await rest.saw(true);
  world.nowMs = 120_000;
  await rest.launch(async () => undefined);
  await rest.saw(true);
  world.nowMs = 179_999;
  await rest.saw(true);
  expect(world.ends).toBe(0);
});

test('while a launch is under way nothing is ended', async () => {
  const { world, rest } = openRest();
  await rest.saw(true);
  world.nowMs = 60_000;
  let launched: () => void = () => undefined;
  const launch = rest.launch(
    () =>
      new Promise<void>((done) => {
        launched = done;
      }),
  );
  await rest.saw(true);
  await rest.saw(true);
  expect(world.ends).toBe(0);
  await Promise.resolve();
  launched();
  await launch;
});

test('a launch that comes while the server ends waits for that', async () => {
  const { world, rest } = openRest();
  await rest.saw(true);
  world.nowMs = 60_000;
  const ended = rest.saw(true);
  const order: string[] = [];
  const launch = rest.launch(async () => order.push('launched'));
  const second = rest.saw(true);
  await Promise.resolve();
  order.push('ended');
  world.endNow();
  await Promise.all([ended, launch, second]);
  expect(order).toEqual(['ended', 'launched']);
  expect(world.ends).toBe(1);
});
