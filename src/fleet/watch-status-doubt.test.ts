import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watch } from '../../test/fakes/watched-screen.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('rule 44: one late spinner is asked again, and an own state at rest wins over a screen that cannot be read', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(100);
  world.monitor.ownState({ status: 'processing' });
  world.show('processing');
  await vi.advanceTimersByTimeAsync(2000);
  world.monitor.ownState({ status: 'completed' });
  // The look that follows the word finds the last frame of the turn; then a warning covers the
  // screen, and nothing more is printed.
  await vi.advanceTimersByTimeAsync(700);
  expect(world.told().at(-1)).toBe('processing');
  world.show('unknown');
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.told().at(-1)).toBe('processing');
  await vi.advanceTimersByTimeAsync(5000);
  expect(world.told()).toEqual(['idle', 'processing', 'completed', 'processing', 'completed']);
  expect(world.monitor.atRestSince).toBeDefined();
});

test('rule 44: the last frame of a turn that stays on the screen is looked at again, without any output', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(100);
  world.monitor.ownState({ status: 'idle' });
  world.show('processing', 'unknown');
  await vi.advanceTimersByTimeAsync(700);
  expect(world.told()).toEqual(['idle', 'processing']);
  await vi.advanceTimersByTimeAsync(6000);
  expect(world.told()).toEqual(['idle', 'processing', 'completed']);
});

test('rule 44: a screen that goes on to show work is believed against an own state at rest', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(100);
  world.monitor.ownState({ status: 'idle' });
  world.show('processing');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(world.told()).toEqual(['idle', 'processing']);
});

test('rule 44: a backend that cannot be asked leaves the own state, when the doubt is over', async () => {
  const world = watch('idle');
  await vi.advanceTimersByTimeAsync(100);
  world.monitor.ownState({ status: 'idle' });
  world.show('processing');
  await vi.advanceTimersByTimeAsync(700);
  world.fail();
  world.monitor.output();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(world.told()).toEqual(['idle', 'processing', 'completed']);
});
