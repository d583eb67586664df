import { expect, test } from 'vitest';
import type { Habit } from '../../fakes/herdr/profile.ts';
import { onlyFake, openHerdr, type World } from './world.ts';

/**
 * One difference between herdr's documents and a running server (herdr 0.8.0, protocol 20, November
 * 2026), H1 to H12. The check runs against the fake and against a real herdr. A fake with that
 * habit switched off must fail it: otherwise the check would say nothing about the habit.
 */
export function measured(
  title: string,
  habit: Habit,
  check: (world: World) => Promise<void>,
): void {
  test(title, async () => check(await openHerdr()));
  onlyFake(`${title}: not so without "${habit}"`, async () => {
    const world = await openHerdr({ without: ['slow-first-line', habit] });
    await expect(check(world)).rejects.toThrow();
  });
}
