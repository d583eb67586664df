import { userAgentId } from '../../../src/agents/agent.ts';
import { askAfterEnd } from '../../../src/delivery/ask-after-end.ts';
import { remove, waitForAttempts } from '../../../src/fleet/remove.ts';
import type { FakeAgent } from '../agent.ts';
import { actAsPerson } from '../people.ts';
import { openFakeEvidence } from '../records.ts';
import { Life } from '../scheduler.ts';
import { blur, cut, kill, spoilRecords } from '../storm.ts';
import { giveTask } from './duties.ts';
import { tellingOf } from './tellings.ts';
import type { TeamWorld } from './world.ts';

/**
 * Tasks, singly and several at once, over most of the storm. Two givers may ask one worker at the
 * same time.
 */
export function planTasks(world: TeamWorld, tasks: number, withinMs: number): void {
  const { random, scheduler, always } = world;
  let left = tasks;
  while (left > 0) {
    const size = Math.min(left, random.chance(0.6) ? 1 : random.whole(2, 3));
    left -= size;
    scheduler.after(always, random.between(0, 0.85 * withinMs), () => {
      const to = random.pick(world.agents.slice(2));
      for (let i = 0; i < size; i++) giveOne(world, to);
    });
  }
}

function giveOne(world: TeamWorld, to: FakeAgent): void {
  const { random, agents } = world;
  const givers = agents.slice(0, 2).filter((lead) => lead.isAlive && !lead.isRemoved);
  const giver = random.chance(0.2) ? undefined : givers[random.whole(0, 1)];
  if (to.isRemoved) return;
  if (giver) void giveTask(world, giver.process, giver.id, to.id);
  else void giveTask(world, new Life(), userAgentId, to.id);
}

/** Somebody, or something, does something to an agent; again and again. */
export function planTroubles(world: TeamWorld): void {
  const { random, scheduler, always } = world;
  scheduler.after(always, random.between(500, 5000), () => {
    if (!world.faults) return;
    const agent = random.pick(world.agents);
    if (!agent.isRemoved) trouble(world, agent);
    planTroubles(world);
  });
}

type Trouble = (world: TeamWorld, agent: FakeAgent) => void;

const troubles: readonly Trouble[] = [
  actAsPerson,
  actAsPerson,
  (world, agent) => {
    if (!world.faults?.agentsDie) return;
    world.tally.note(agent.kind.name, 'killed');
    kill(world, agent);
  },
  (world, agent) => {
    if (world.faults?.agentsDie) void restart(world, agent);
  },
  (world, agent) => {
    if (world.faults?.removal && world.random.chance(0.4)) void removeWorker(world, agent);
  },
  blur,
  (world, agent) => {
    if (world.faults?.channelsDie) cut(world, agent);
  },
  (world, agent) => {
    if (world.faults) spoilRecords(world, agent, world.faults);
  },
  (world, agent) => {
    if (!world.faults?.modelFails) return;
    world.tally.note(agent.kind.name, 'API down for a while');
    agent.model.goDown(world.random.between(5000, 90_000));
  },
  // The connection to its own state is lost and comes back.
  (world, agent) => {
    if (tellingOf(agent.kind).source === 'state') world.tellAgain(agent);
  },
];

function trouble(world: TeamWorld, agent: FakeAgent): void {
  if (!agent.isAlive) void world.revive(agent);
  else world.random.pick(troubles)(world, agent);
}

/** `signalbox restart`: debts go on in its next life. */
async function restart(world: TeamWorld, agent: FakeAgent): Promise<void> {
  const { team } = world;
  if (!team) return;
  world.tally.note(agent.kind.name, 'restarted');
  agent.kill();
  await team.endLife(agent, 'restarted');
  await world.revive(agent);
}

/** As `rm` does it (fleet/remove-running.ts). A supervisor is removed more seldom. */
async function removeWorker(world: TeamWorld, agent: FakeAgent): Promise<void> {
  const { team, hosts, agents, random } = world;
  const others = agents.filter((one) => !one.isRemoved && one !== agent);
  const isLead = agents.indexOf(agent) < 2;
  if (!team || others.length < 3 || (isLead && random.chance(0.7))) return;
  world.tally.note(agent.kind.name, 'removed');
  agent.isRemoved = true;
  const life = new Life();
  const ledger = world.ledger(life);
  const surroundings = { clock: world.clock(life), host: hosts.start() };
  await waitForAttempts(ledger, surroundings, agent.id);
  if (!team.life.isOver) {
    if (agent.isAlive) agent.kill();
    const isOver = new Promise<void>((resolve) => team.life.onEnd(resolve));
    await Promise.race([team.endLife(agent, 'removed'), isOver]);
  }
  if (team.life.isOver) {
    // The command failed, and the agent is still there for the next daemon, which may have begun
    // already.
    agent.isRemoved = false;
    if (agent.isAlive) world.team?.watch(agent);
    else void world.team?.bury(agent);
    return;
  }
  if (agent.kind.hasProof) {
    const log = { info: () => undefined, warn: () => undefined };
    const parts = { ledger, surroundings, log };
    const was = { agent: agent.id, epoch: agent.epoch };
    await askAfterEnd(parts, was, openFakeEvidence(agent, life));
  }
  await remove(ledger, surroundings, agent.id);
  agent.isEnded = true;
}
