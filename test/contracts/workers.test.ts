import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import type { EndedBy } from '../../src/agents/ending.ts';
import { accept } from '../../src/delivery/accept.ts';
import { readFacts } from '../../src/fleet/workers/read-facts.ts';
import { contract, user, type World } from './world.ts';

/** As a daemon that stopped it leaves it. */
async function endedWorker(
  world: World,
  { by, parent }: { readonly by?: EndedBy; readonly parent?: Agent } = {},
): Promise<Agent> {
  const worker = await world.add('worker', parent ? { parent } : {});
  const since = world.clock.now();
  await world.ledger.write(async (tx) => {
    await tx.agents.setEnded(worker.id, by);
    const status = { status: 'exited', detail: 'task done', source: 'process', since } as const;
    await tx.agents.setStatus(worker.id, status);
  });
  return worker;
}

const calledBy = async (world: World, { id }: Agent) =>
  (await world.ledger.read((tx) => tx.agents.find(id)))?.calledBy;

contract('workers that end and come back', (check) => {
  check(
    'rule 55: a task or message of the user or the parent calls a worker back, in its own transaction',
    async (world) => {
      const lead = await world.add('lead');
      const worker = await endedWorker(world, { by: 'task', parent: lead });
      const given = await world.accept({ to: worker.id, kind: 'task', from: lead.id });
      expect(given).toMatchObject({ outcome: 'accepted', callsBack: true });
      expect(await calledBy(world, worker)).toBe(lead.id);
      expect(await world.accept({ to: worker.id })).toMatchObject({ callsBack: true });
      // The user's word is not replaced: there is no limit on it.
      await world.accept({ to: worker.id, from: lead.id });
      expect(await calledBy(world, worker)).toBe(user.id);
      expect(await world.ledger.read((tx) => tx.agents.listWorkers())).toMatchObject([
        { id: worker.id },
      ]);
    },
  );

  check('rule 55: nobody else calls it back: a message waits, a task is refused', async (world) => {
    const [lead, peer] = [await world.add('lead'), await world.add('peer')];
    const worker = await endedWorker(world, { by: 'task', parent: lead });
    const sent = await world.accept({ to: worker.id, from: peer.id });
    expect(sent).toMatchObject({ outcome: 'accepted', message: { state: 'queued' } });
    expect(sent).not.toHaveProperty('callsBack');
    const task = await world.accept({ to: worker.id, from: peer.id, kind: 'task' });
    expect(task).toEqual({ outcome: 'recipient-exited', detail: 'task done' });
    expect(await calledBy(world, worker)).toBeUndefined();
  });

  check(
    'rule 55: one that a person stopped, or whose process ended by itself, stays down',
    async (world) => {
      for (const by of ['person', undefined] as const) {
        const worker = await endedWorker(world, by === undefined ? {} : { by });
        expect(await world.accept({ to: worker.id })).not.toHaveProperty('callsBack');
        const task = await world.accept({ to: worker.id, kind: 'task' });
        expect(task.outcome).toBe('recipient-exited');
        expect(await calledBy(world, worker)).toBeUndefined();
        await world.ledger.write((tx) => tx.agents.markRemoved(worker.id, world.clock.now(), true));
      }
    },
  );

  check(
    'rule 55: from the mark on, and before its process has ended, the same holds',
    async (world) => {
      const [lead, peer] = [await world.add('lead'), await world.add('peer')];
      const worker = await world.add('worker', { parent: lead });
      await world.ledger.write((tx) => tx.agents.setEnded(worker.id, 'task'));
      const task = { to: worker.id, kind: 'task' } as const;
      expect((await world.accept({ ...task, from: peer.id })).outcome).toBe('recipient-exited');
      expect(await world.accept({ ...task, from: lead.id })).toMatchObject({ callsBack: true });
    },
  );

  check(
    'rule 55: a task brings none back beyond the limit on children; one of the user does',
    async (world) => {
      const lead = await world.add('lead');
      const worker = await endedWorker(world, { by: 'rest', parent: lead });
      const busy = await world.add('busy', { parent: lead });
      await world.ledger.write(async (tx) => {
        const row = await tx.agents.find(busy.id);
        if (!row) throw new Error('it was added');
        await tx.agents.markRemoved(busy.id, world.clock.now(), true);
        const more = { id: 'agt_busy', backend: 'tmux', status: 'processing' } as const;
        await tx.agents.insert({ ...row, ...more });
      });
      const give = async (from: string, breadth: number) => {
        const task = { kind: 'task', from, to: worker.id, body: 'Again' } as const;
        return (await accept(world.ledger, world.clock, [task], { breadth }))[0];
      };
      const refused = await give(lead.id, 1);
      expect(refused).toMatchObject({ outcome: 'no-room', children: [{ id: 'agt_busy' }] });
      expect(await world.inbox(worker)).toEqual([]);
      expect(await give(lead.id, 2)).toMatchObject({ outcome: 'accepted', callsBack: true });
      expect(await give(user.id, 1)).toMatchObject({ outcome: 'accepted', callsBack: true });
    },
  );

  check('rule 55: what keeps a worker is read from the ledger', async (world) => {
    const [lead, other] = [await world.add('lead'), await world.add('other')];
    const worker = await world.add('worker', { parent: lead });
    await world.ledger.write(async (tx) => {
      await tx.agents.setEndsWith(worker.id, 'task');
      const life = { agent: worker.id, epoch: 1, backend: 'tmux', provider: 'generic' };
      const begun = { argv: [], extraArgs: [], tokenHash: 'h', startedAt: world.clock.now() };
      await tx.epochs.insert({ ...life, ...begun });
      await tx.agents.setEpoch(worker.id, 1);
    });
    const facts = () =>
      world.ledger.read((tx) => {
        const look = { status: 'completed', composer: 'empty', watchers: 0 } as const;
        const seen = { ...look, restsMs: 5, isBeside: false };
        return readFacts(tx, world.clock.now(), worker.id, { seen, usualIdleStopMs: 60 });
      });
    expect(await facts()).toMatchObject({ isDone: false, restsMs: 5, idleStopMs: 60, owes: 0 });
    const task = await world.send(worker, { kind: 'task', from: lead.id });
    expect(await facts()).toMatchObject({ isDone: false, owes: 1, mail: true });
    await world.ack(task.id);
    const answer = await world.send(lead, { from: worker.id, replyTo: [task.id] });
    expect(await facts()).toMatchObject({ isDone: true, owes: 0, mail: false, unread: 1 });
    await world.ack(answer.id);
    expect(await facts()).toMatchObject({ unread: 0, owed: 0, children: 0, background: false });
    await world.send(other, { kind: 'task', from: worker.id });
    await world.add('child', { parent: worker });
    await world.ledger.write((tx) => tx.agents.setBackground(worker.id, 2));
    expect(await facts()).toMatchObject({ owed: 1, children: 1, background: true });
    await world.ledger.write((tx) => tx.agents.setEnded(worker.id, 'task'));
    expect(await facts()).toBeUndefined();
  });
});
