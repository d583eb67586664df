import { userAgentId } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import { remove } from '../../src/fleet/remove.ts';
import type { MessageDraft } from '../../src/messages/message.ts';
import type { FakeAgent } from './agent.ts';
import type { Faults } from './faults.ts';
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

function draft({ random, scheduler, senders }: World, to: FakeAgent): MessageDraft {
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
  const what = random.whole(0, 9);
  if (what === 0 && faults.agentsDie) kill(world, agent);
  if (what === 1 && faults.peopleInterrupt) agent.interrupt();
  if (what === 2 && faults.peopleClear) agent.clear();
  if (what === 3) agent.prompt();
  if (what === 4 && faults.peopleType) type(world, agent);
  if (what === 5 && faults.peopleType) scroll(agent);
  if (what === 6 && faults.wallJumps) scheduler.wallShiftMs += random.between(-4e6, 4e6);
  if (what === 7 && faults.removal && random.chance(0.2)) void removeAgent(world, agent);
  if (what === 8) agent.blur();
}

function scroll(agent: FakeAgent): void {
  agent.composer.isInCopyMode = true;
  agent.after(200, 8000, () => {
    agent.composer.isInCopyMode = false;
  });
}

/** A person types, looks at it for a while, and sends it or not. */
function type(world: World, agent: FakeAgent): void {
  if (!agent.isAtRest) return;
  agent.composer.set(`${agent.composer.text}some words `, 'person');
  agent.after(1000, 12_000, () => finishTyping(world, agent));
}

export function finishTyping({ random }: World, agent: FakeAgent): void {
  if (agent.composer.isEmpty || !agent.isAtRest) return;
  if (random.chance(0.5)) agent.submit('person');
  else agent.composer.set('', 'person');
}

function kill(world: World, agent: FakeAgent): void {
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
