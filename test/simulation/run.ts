import { calm, playQuietTurns } from './calm.ts';
import { check } from './check.ts';
import { awaitReminders } from './check-pointers.ts';
import { countResults } from './count-results.ts';
import { type Event, listEvents } from './exercised.ts';
import { World } from './world.ts';

export interface Run {
  readonly broken: readonly string[];
  /** Messages accepted and brought to an end. */
  readonly carried: number;
  readonly steps: number;
  readonly crashes: number;
  /** What happened to messages, by the codes of their histories. */
  readonly events: ReadonlySet<Event>;
  readonly world: World;
}

const settings = { messages: 190, stormMs: 180_000 };

/** One world, from its first message to the last word about it. */
export async function runWorld(seed: number): Promise<Run> {
  const world = new World(seed);
  await world.storm(settings);
  await calm(world);
  await awaitReminders(world);
  await calm(world);
  await playQuietTurns(world);
  const { sent: carried, crashes, scheduler } = world;
  const broken = await check(world);
  const events = await listEvents(world);
  await countResults(world);
  return { broken, carried, steps: scheduler.steps, crashes, events, world };
}
