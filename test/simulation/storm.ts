import { userAgentId } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import { remove } from '../../src/fleet/remove.ts';
import type { MessageDraft } from '../../src/messages/message.ts';
import type { FakeAgent } from './agent.ts';
import type { Faults } from './faults.ts';
import { actAsPerson } from './people.ts';
import { Life } from './scheduler.ts';
import type { World } from './world.ts';

/** Messages, singly and in bursts, over the whole of the storm. */
export function planSends(world: World, messages: number, withinMs: number): void {
  const { random, scheduler } = world;
  let left = messages;
  while (left > 0) {
    const size = Math.min(left, random.chance(0.5) ? 1 : random.whole(2, 30));
    left -= size;
    scheduler.after(world.always, random.between(0, withinMs), () => void send(world, size));
  }
}

async function send(world: World, size: number): Promise<void> {
  const { random, scheduler } = world;
  const to = random.pick(world.agents);
  const drafts = Array.from({ length: size }, () => draft(world, to));
  const results = await accept(world.inner, world.clock(world.always), drafts);
  for (const { outcome } of results) if (outcome === 'accepted') world.sent++;
  // A hint may be late; nothing depends on it.
  scheduler.after(world.always, random.chance(0.9) ? 0 : 5000, () =>
    world.tell((delivery) => delivery.look(to.id)),
  );
}

function draft({ random, scheduler, senders, isTight }: World, to: FakeAgent): MessageDraft {
  const from = random.pick(senders);
  const isCompletion = from !== userAgentId && random.chance(0.05);
  const size = random.chance(0.02) ? random.whole(2000, 9000) : random.whole(1, 60);
  return {
    kind: isCompletion ? 'completion' : 'message',
    ...(isCompletion ? { child: from } : {}),
    from,
    to: to.id,
    body: 'x'.repeat(size),
    urgent: random.chance(0.1),
    ...(isTight && from === userAgentId && random.chance(0.4) ? { isScript: true } : {}),
    ...(random.chance(0.08) ? { expiresAt: scheduler.now + random.between(2000, 90_000) } : {}),
  };
}

/** Somebody, or something, does something to an agent; again and again. */
export function planDisturbances(world: World): void {
  const { random, scheduler } = world;
  scheduler.after(world.always, random.between(100, 3000), () => {
    if (!world.faults) return;
    const agent = random.pick(world.agents);
    if (!agent.isRemoved) disturb(world, agent, world.faults);
    planDisturbances(world);
  });
}

function disturb(world: World, agent: FakeAgent, faults: Faults): void {
  const { random, scheduler } = world;
  if (!agent.isAlive) {
    void world.revive(agent);
    return;
  }
  const what = random.whole(0, 12);
  if (what <= 5) actAsPerson(world, agent);
  if (what === 6 && faults.agentsDie) kill(world, agent);
  if (what === 7 && faults.wallJumps) scheduler.wallShiftMs += random.between(-4e6, 4e6);
  if (what === 8 && faults.removal && random.chance(0.2)) void removeAgent(world, agent);
  if (what === 9) blur(world, agent);
  if (what === 12 && faults.channelsDie) cut(world, agent);
  if (what === 10) spoilRecords(world, agent, faults);
  if (what === 11 && faults.modelFails && random.chance(0.3)) {
    world.account.note(agent.kind.name, 'API down for a while');
    agent.model.goDown(random.between(5000, 90_000));
  }
}

/** Not where ways in refuse for minutes anyway: by then tries to put them up have become rare. */
export function cut({ account, chosen }: World, agent: FakeAgent): void {
  if (!chosen.routesRefuse && agent.channel.kill(agent))
    account.note(agent.kind.name, 'channel killed');
}

/** Its screen cannot be read; for minutes, at times (rule 44). */
export function blur({ random, account }: World, agent: FakeAgent): void {
  account.note(agent.kind.name, 'unreadable screen');
  agent.monitor.blur(
    random.chance(0.05) ? random.between(60_000, 120_000) : random.between(500, 8000),
  );
}

export function spoilRecords(world: World, agent: FakeAgent, faults: Faults): void {
  const { random, account } = world;
  if (!faults.brokenEvidence || !agent.kind.hasProof) return;
  const ms = random.chance(0.2) ? random.between(20_000, 90_000) : random.between(100, 8000);
  const isHalf = random.chance(0.4);
  account.note(agent.kind.name, isHalf ? 'records half-written' : 'records unreadable');
  if (isHalf) agent.records.halve(ms);
  else agent.records.fail(ms);
  if (random.chance(0.2)) meetSecond(world, agent);
}

/**
 * A second process of the same CLI starts in the folder: of the first one's records some can no
 * longer be attributed, or are deleted (Gemini CLI 0.61.0 does both).
 */
export function meetSecond({ random, account }: World, agent: FakeAgent): void {
  const { talk, records, kind } = agent;
  account.note(kind.name, 'second agent in the folder');
  if (random.chance(0.8)) records.orphan(talk.current);
  else {
    account.note(kind.name, 'records deleted');
    records.deletedTo = talk.current;
  }
}

export function kill(world: World, agent: FakeAgent): void {
  world.account.note(agent.kind.name, 'killed');
  agent.kill();
  const { daemon, random, scheduler } = world;
  if (!daemon || daemon.life.isOver) return;
  scheduler.after(daemon.life, random.between(0, 1000), () => {
    if (!agent.isEnded && !agent.isAlive && !agent.isRemoved) void daemon.bury(agent);
  });
}

/** As `rm` does it, in short. */
async function removeAgent(world: World, agent: FakeAgent): Promise<void> {
  const { daemon, hosts } = world;
  const others = world.agents.filter((one) => !one.isRemoved && one !== agent);
  if (!daemon || daemon.life.isOver || others.length === 0) return;
  agent.isRemoved = true;
  const gone = new Promise<void>((resolve) => daemon.life.onEnd(resolve));
  await Promise.race([daemon.delivery.detach(agent.id), gone]);
  if (agent.isAlive) agent.kill();
  const life = new Life();
  const surroundings = { clock: world.clock(life), host: hosts.start() };
  await remove(world.ledger(life), surroundings, agent.id);
  agent.isEnded = true;
}
