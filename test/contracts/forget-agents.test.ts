import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { prune } from '../../src/delivery/prune.ts';
import { beginRun } from '../../src/fleet/begin-run.ts';
import { endRun } from '../../src/fleet/end-run.ts';
import { forgetAgents } from '../../src/fleet/forget-agents.ts';
import { remove } from '../../src/fleet/remove.ts';
import { contract, user, type World } from './world.ts';

const day = 86_400_000;
const retention = 14 * day;

contract('removed agents and retention', (check) => {
  check(
    'one goes with the last message that names it, with its lives, budgets and turn ends',
    async (world) => {
      const worker = await world.add('worker');
      await live(world, worker, 1);
      await world.ledger.write(async (tx) => {
        await tx.turns.setBudget(worker.id, 'wakes', { used: 1, since: 0 });
        await tx.turns.addStop(worker.id, stop);
      });
      const { id } = await world.send(worker);
      await remove(world.ledger, world.here, worker.id, true);
      for (const bounce of await world.inbox(user)) await world.ack(bounce.id);
      await world.accept({ to: user.id });
      expect(await forget(world)).toEqual([]);
      world.clock.pass(30 * day);
      // Its name still stands in the history of that message.
      expect(await forget(world)).toEqual([]);
      expect(await world.state(id)).toBe('dead');
      await prune(world.ledger, world.clock, retention);
      expect(await forget(world)).toEqual([worker.id]);
      await world.ledger.read(async (tx) => {
        expect(await tx.agents.find(worker.id)).toBeUndefined();
        expect(await tx.epochs.find(worker.id, 1)).toBeUndefined();
        expect(await tx.turns.findBudget(worker.id, 'wakes')).toBeUndefined();
        expect(await tx.turns.findLastStop(worker.id)).toBeUndefined();
      });
    },
  );

  check('a later agent of that name has another id, and nothing of the old one', async (world) => {
    const first = await world.add('worker');
    await remove(world.ledger, world.here, first.id);
    world.clock.pass(30 * day);
    expect(await forget(world)).toEqual([first.id]);
    const second = await world.add('worker');
    expect(second.id).not.toBe(first.id);
    expect(await world.inbox(second)).toEqual([]);
    expect(await world.accept({ to: first.id })).toMatchObject({ outcome: 'recipient-gone' });
  });

  check('a sender stays as long as what it sent waits', async (world) => {
    const [from, to] = [await world.add('from'), await world.add('to')];
    const { id } = await world.send(to, { from: from.id });
    await remove(world.ledger, world.here, from.id);
    world.clock.pass(1000 * day);
    expect(await forget(world)).toEqual([]);
    await world.ack(id);
    world.clock.pass(15 * day);
    await world.send(to);
    await prune(world.ledger, world.clock, retention);
    expect(await forget(world)).toEqual([from.id]);
  });

  check('nobody goes who lives, whose life has not ended, or whose run goes on', async (world) => {
    const [living, ghost] = [await world.add('living'), await world.add('ghost')];
    await live(world, living, 1);
    await live(world, ghost, 1, false);
    await remove(world.ledger, world.here, ghost.id);
    const run = await beginRun(world.ledger, world.here, {
      ...{ title: 'make', session: 'default', parent: undefined, cwd: '' },
    });
    await remove(world.ledger, world.here, run.id);
    world.clock.pass(100 * day);
    expect(await forget(world)).toEqual([]);
    const end = { at: world.clock.now(), cause: 'exit' };
    await world.ledger.write((tx) => tx.epochs.end(ghost.id, 1, end));
    expect(await forget(world)).toEqual([ghost.id]);
    await endRun(world.ledger, world.here, { agent: run.id, outcome: 'completed', body: 'done' });
    expect(await forget(world)).toEqual([]);
    expect(await world.ledger.read((tx) => tx.agents.find(living.id))).toBeDefined();
  });

  check('who is named by a message that comes in meanwhile stays', async (world) => {
    const [gone, other] = [await world.add('gone'), await world.add('other')];
    for (let i = 0; i < 3; i++) await world.ack((await world.send(other)).id);
    await remove(world.ledger, world.here, gone.id);
    world.clock.pass(30 * day);
    // All messages were looked at, and nothing has been deleted yet: a turn's end of the removed
    // agent is told late.
    let rests = 0;
    const rest = async (): Promise<void> => {
      if (rests++ > 0) return;
      const late = { kind: 'completion', from: gone.id, to: other.id, child: gone.id } as const;
      const row = { ...late, id: 'msg_late', body: '', createdAt: 0, cause: 'the test' };
      await world.ledger.write((tx) => tx.messages.insert([{ ...row, state: 'dead' }]));
    };
    const forgotten = await forgetAgents(world.ledger, world.clock, retention, { rest });
    expect(forgotten.agents).toEqual([]);
  });

  check('many go, in several transactions, and a signal stops it between two', async (world) => {
    const agents: Agent[] = [];
    for (let i = 0; i < 50; i++) agents.push(await world.add(`worker-${i}`));
    for (const { id } of agents) await remove(world.ledger, world.here, id);
    world.clock.pass(30 * day);
    const over = new AbortController();
    const rest = async (): Promise<void> => over.abort();
    const bounds = { signal: over.signal, rest };
    const first = await forgetAgents(world.ledger, world.clock, retention, bounds);
    expect(first.agents).toHaveLength(20);
    expect(await forget(world)).toHaveLength(30);
  });

  check(
    'lives of an agent that was restarted follow retention, but for the last two',
    async (world) => {
      const worker = await world.add('worker');
      for (let epoch = 1; epoch <= 30; epoch++) await live(world, worker, epoch);
      const known = async () => {
        const found: number[] = [];
        for (let epoch = 1; epoch <= 30; epoch++) {
          if (await world.ledger.read((tx) => tx.epochs.find(worker.id, epoch))) found.push(epoch);
        }
        return found;
      };
      await forget(world);
      expect(await known()).toHaveLength(30);
      world.clock.pass(30 * day);
      // Its fate was never found out; records of that life may tell it yet.
      const { id } = await world.send(worker);
      await world.take(worker, 'pull', { epoch: 3 });
      await forget(world);
      expect(await known()).toHaveLength(30);
      await world.ack(id);
      await forget(world);
      expect(await known()).toEqual([29, 30]);
    },
  );
});

const stop = { session: 's', turn: 't', n: 1, digest: 'd', at: 0, isStandIn: false };

async function forget(world: World): Promise<readonly string[]> {
  return (await forgetAgents(world.ledger, world.clock, retention)).agents;
}

async function live(world: World, { id }: Agent, epoch: number, hasEnded = true): Promise<void> {
  const now = world.clock.now();
  const life = { backend: 'tmux', provider: 'generic', argv: [], extraArgs: [] };
  await world.ledger.write(async (tx) => {
    const tokenHash = `${id}/${epoch}`;
    await tx.epochs.insert({ ...life, agent: id, epoch, tokenHash, startedAt: now });
    await tx.agents.setEpoch(id, epoch);
    if (hasEnded) await tx.epochs.end(id, epoch, { at: now, cause: 'exit' });
  });
}
