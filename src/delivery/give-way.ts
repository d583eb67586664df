// Tests: src/daemon/look-first.test.ts.

import { systemClock } from '../shared/clock.ts';
import type { Delivery } from './open-delivery.ts';

/** As long as an answer may be kept back; a paste at rest takes two. */
const mostMs = 5;
/**
 * Whoever sends is told what a person has in the way (rules 45, 48): a look at a terminal takes one
 * or two, more on a busy machine.
 */
const mostDecidingMs = 100;

/**
 * What was just accepted, or told of, is carried before anybody is answered. Two turns of the event
 * loop, so that its claim begins 0.3 to 0.5 ms sooner (traced); and while the text is on its way
 * into a terminal the answer would take its processors from tmux and from the program (0.6 ms on
 * two cores).
 */
export async function giveWay(
  delivery: Pick<Delivery, 'isPasting' | 'isDeciding'>,
  agent: string,
): Promise<void> {
  await turn();
  await turn();
  for (let ms = 0; ms < mostDecidingMs && delivery.isDeciding(agent); ms++) {
    await systemClock.sleep(1);
  }
  for (let ms = 0; ms < mostMs && delivery.isPasting(agent); ms++) await systemClock.sleep(1);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
