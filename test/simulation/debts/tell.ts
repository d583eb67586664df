import { readOnRecord } from '../../../src/delivery/on-record.ts';
import { endTurn } from '../../../src/fleet/end-turn.ts';
import type { TurnNews } from '../../../src/providers/way-in.ts';
import type { FakeAgent } from '../agent.ts';
import { openFakeEvidence } from '../records.ts';
import { Life } from '../scheduler.ts';
import type { TeamDaemon } from './daemon.ts';
import { tellingOf, toNews } from './tellings.ts';
import type { TrueStop } from './turn-book.ts';
import type { TeamWorld } from './world.ts';

/** A client's deadline, milliseconds. */
const hookMs = 600;
/** More than any CLI tells again. */
const mostAgain = 20;

/**
 * Resolves when the CLI goes on: a hook keeps it waiting, its own state does not. False: the hook
 * gave up.
 */
export async function tellStop(
  world: TeamWorld,
  agent: FakeAgent,
  stop: TrueStop,
): Promise<boolean> {
  const { source } = tellingOf(agent.kind);
  if (source === 'state') tellByState(world, agent, stop);
  return source === 'hook' ? tellByHook(world, agent, stop) : true;
}

/** No hook fires for an interruption. */
async function tellByHook(world: TeamWorld, agent: FakeAgent, stop: TrueStop): Promise<boolean> {
  if (stop.outcome === 'interrupted') return true;
  const { hosts, scheduler, random, faults } = world;
  const { epoch } = agent;
  const life = new Life();
  const second = Math.floor(scheduler.now / 1000);
  const report = `${second}-${hosts.start().pid}`;
  const news = { ...toNews(stop, tellingOf(agent.kind), true), report };
  const hear = async (daemon: TeamDaemon): Promise<boolean> => {
    const { now } = scheduler;
    const hasListened = await daemon.hear(agent, epoch, news);
    if (hasListened) stop.toldAt ??= now;
    return hasListened;
  };
  if (await world.callTeam(life, hear, hookMs)) return true;
  if (faults?.hooksFail && random.chance(0.05)) {
    stop.isLost = true;
    world.tally.note(agent.kind.name, 'hooks killed before they had told');
  } else void commit(world, agent, stop, news, second * 1000 + 999);
  return false;
}

/** As client/hook/commit.ts does it: by itself, in a process of its own. */
async function commit(
  world: TeamWorld,
  agent: FakeAgent,
  stop: TrueStop,
  news: TurnNews,
  endedAt: number,
): Promise<void> {
  const { id: child, kind } = agent;
  const { epoch } = stop;
  const life = new Life();
  const { scheduler, random } = world;
  world.tally.note(kind.name, 'turn ends that a hook wrote down by itself');
  // On a busy machine it takes a while.
  await scheduler.sleep(
    life,
    random.chance(0.3) ? random.between(400, 6000) : random.between(50, 400),
  );
  const ledger = world.ledger(life);
  const row = await ledger.read((tx) => tx.epochs.find(child, epoch));
  // Of a life that is over (rule 38).
  if (row?.endedAt !== undefined) return;
  const { text = news.said } = news;
  const words = text === undefined ? {} : { text };
  const evidence = kind.hasProof ? openFakeEvidence(agent, life) : undefined;
  const log = { info: () => undefined, warn: () => undefined };
  const onRecord = await readOnRecord({ ledger, log }, { agent: child, epoch, evidence });
  stop.toldAt ??= scheduler.now;
  const told = { child, epoch, ...news, ...words, endedAt, onRecord };
  await endTurn(ledger, world.clock(life), told);
}

/** Told as it happens, or late; while nobody listens it is told with the next connection. */
function tellByState(world: TeamWorld, agent: FakeAgent, stop: TrueStop): void {
  const { random, faults } = world;
  const isLate = faults !== undefined && random.chance(0.1);
  if (isLate) world.tally.note(agent.kind.name, 'turn ends told late');
  say(world, agent, stop, isLate ? random.between(2000, 20_000) : random.between(0, 500), !isLate);
}

/**
 * After each connection: the latest turns of this life, in order or, where each is asked for by
 * itself, in any.
 */
export function tellAllAgain(world: TeamWorld, agent: FakeAgent): void {
  const { random, faults, book, tally } = world;
  const stops = book.listOf(agent.id, agent.epoch).slice(-mostAgain);
  const isMixed = tellingOf(agent.kind).mixes && faults !== undefined && random.chance(0.4);
  const ordered = isMixed ? shuffle(world, stops) : stops;
  const { name } = agent.kind;
  if (isMixed && stops.length > 1) tally.note(name, 'turn ends told out of order', stops.length);
  tally.note(name, 'turn ends told again', stops.length);
  let atMs = random.between(0, 500);
  for (const stop of ordered) {
    say(world, agent, stop, atMs, false);
    atMs += random.between(0, 100);
  }
}

function say(
  world: TeamWorld,
  agent: FakeAgent,
  stop: TrueStop,
  afterMs: number,
  isLive: boolean,
): void {
  const telling = tellingOf(agent.kind);
  const { scheduler, always, lastSaid } = world;
  // A file is read from its beginning.
  const soonestMs = telling.mixes ? 0 : (lastSaid.get(agent.id) ?? 0) - scheduler.monotonicMs;
  const waitMs = Math.max(afterMs, soonestMs);
  lastSaid.set(agent.id, scheduler.monotonicMs + waitMs);
  // What waits behind others for so long is looked up, and dated.
  const news = toNews(stop, telling, isLive && waitMs <= 1000);
  scheduler.after(always, waitMs, () => {
    if (agent.isAlive && agent.epoch === stop.epoch) void world.team?.hear(agent, stop.epoch, news);
  });
}

function shuffle<T>({ random }: TeamWorld, items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
