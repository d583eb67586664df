import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { settleDue } from '../../src/delivery/settle-due.ts';
import { completeTurn, type TurnEnd } from '../../src/fleet/complete-turn.ts';
import { remove } from '../../src/fleet/remove.ts';
import { mostReports, type Waiter } from '../../src/messages/debt.ts';
import type { Message } from '../../src/messages/message.ts';
import { contract, user, type World } from './world.ts';

let turns = 0;

/** A turn that read these and ended. */
function end(world: World, child: Agent, entered: readonly Message[], more: Partial<TurnEnd> = {}) {
  return completeTurn(world.ledger, world.clock, {
    child: child.id,
    turn: { session: 's1', id: `t${turns++}`, stop: 1 },
    outcome: 'completed',
    summary: 'the answer',
    entered: entered.map(({ id }) => id),
    ...more,
  });
}

async function team(world: World): Promise<{ lead: Agent; worker: Agent; task: Message }> {
  const lead = await world.add('lead');
  const worker = await world.add('worker', { parent: lead });
  return { lead, worker, task: await world.send(worker, { kind: 'task', from: lead.id }) };
}

const find = (world: World, { id }: Message) => world.ledger.read((tx) => tx.debts.find(id));

async function waitFor(
  world: World,
  { id }: Message,
  as = world.here,
  more: Partial<Waiter> = {},
): Promise<void> {
  const waiter = {
    id: 'wait_1',
    holder: as.host.identity,
    sinceMs: world.clock.monotonicMs(),
    leaseMs: 100_000,
    ...more,
  };
  await world.ledger.write((tx) => tx.debts.setWaiter(id, waiter));
}

contract('debts', (check) => {
  check('rule 30: a task is owed until the turn that held it ends with text', async (world) => {
    const { lead, worker, task } = await team(world);
    expect(await find(world, task)).toMatchObject({ debtor: worker.id, creditor: lead.id });
    const [answer] = await end(world, worker, [task]);
    expect(answer).toMatchObject({ to: lead.id, replyTo: [task.id], answersTask: true });
    expect(answer).not.toHaveProperty('owes');
    expect(await find(world, task)).toMatchObject({ end: 'answered', endedBy: answer?.id });
  });

  for (const [why, more] of [
    ['without text', { summary: ' \n' }],
    ['by an interruption', { outcome: 'interrupted' }],
    ['in a failure', { outcome: 'failed' }],
    ['in a dialog', { outcome: 'waiting' }],
  ] as const) {
    check(`rule 30: a turn that ended ${why} leaves it open`, async (world) => {
      const { worker, task } = await team(world);
      const [told] = await end(world, worker, [task], more);
      expect(told).toMatchObject({ answersTask: false, owes: [task.id] });
      const stored = await world.ledger.read((tx) => tx.messages.find(told?.id ?? ''));
      expect(stored?.owes).toEqual([task.id]);
      expect((await find(world, task))?.endedAt).toBeUndefined();
    });
  }

  check(
    'rule 30: a turn of a worker that waits for its own workers answers nothing',
    async (world) => {
      const { worker, task } = await team(world);
      const helper = await world.add('helper', { parent: worker });
      const below = await world.send(helper, { kind: 'task', from: worker.id });
      await end(world, worker, [task], { summary: 'I have asked the helper.' });
      expect((await find(world, task))?.endedAt).toBeUndefined();
      await end(world, helper, [below]);
      const [answer] = await end(world, worker, [task]);
      expect(answer).toMatchObject({ replyTo: [task.id], answersTask: true });
    },
  );

  check(
    'rule 21: a worker whose API keeps failing wakes its supervisor once, and again when that is over',
    async (world) => {
      const { lead, worker, task } = await team(world);
      const fail = (entered: readonly Message[]) =>
        end(world, worker, entered, { outcome: 'failed', summary: '429 slow down' });
      const [first] = await fail([task]);
      // Nobody has read of it yet: the next one takes its place, and wakes as well.
      const [second] = await fail([]);
      expect([first?.isQuiet, second?.isQuiet]).toEqual([false, false]);
      expect(await world.inbox(lead)).toMatchObject([{ id: second?.id }]);
      await world.ack(second?.id ?? '');
      for (const _ of [1, 2, 3]) expect(await fail([])).toMatchObject([{ isQuiet: true }]);
      const another = await world.send(worker, { kind: 'task', from: lead.id });
      const [news] = await fail([another]);
      expect(news).toMatchObject({ isQuiet: false, replyTo: [another.id] });
      await world.ack(news?.id ?? '');
      const [over] = await end(world, worker, []);
      expect(over).toMatchObject({ isQuiet: false, outcome: 'completed' });
    },
  );

  check('rule 27: whoever gave the task is told, beside the parent', async (world) => {
    const { lead, worker } = await team(world);
    const task = await world.send(worker, { kind: 'task' });
    const told = await end(world, worker, [task]);
    expect(told.map(({ to, answersTask }) => [to, answersTask])).toEqual([
      [lead.id, false],
      [user.id, true],
    ]);
  });

  check(
    "rule 30: the worker's own reply settles it, and its turn's end wakes nobody",
    async (world) => {
      const { lead, worker, task } = await team(world);
      const reply = await world.send(lead, { from: worker.id, replyTo: [task.id], body: '42' });
      expect(await find(world, task)).toMatchObject({ end: 'answered', endedBy: reply.id });
      const [after] = await end(world, worker, [task]);
      expect(after).toMatchObject({ isQuiet: true, answersTask: false });
      const outline = () =>
        world.ledger.read((tx) => tx.messages.outline(lead.id, world.clock.now()));
      expect(await outline()).toMatchObject({ queued: true, waking: true });
      await world.ledger.write((tx) =>
        tx.messages.move([reply.id], {
          ...({
            from: 'queued',
            to: 'acked',
            at: world.clock.now(),
            code: 'acked',
            cause: 'read',
          } as const),
        }),
      );
      expect(await outline()).toMatchObject({ queued: true, waking: false });
    },
  );

  check('rule 30: a question back settles nothing', async (world) => {
    const { lead, worker, task } = await team(world);
    await world.send(lead, { from: worker.id, replyTo: [task.id], isQuestion: true });
    expect((await find(world, task))?.endedAt).toBeUndefined();
    // Nor does a turn that ends with words about it, until the other side has spoken.
    await end(world, worker, [task], { summary: 'I have asked and wait.' });
    expect((await find(world, task))?.endedAt).toBeUndefined();
    await world.send(worker, { from: lead.id, body: 'blue' });
    const [answer] = await end(world, worker, [task]);
    expect(await find(world, task)).toMatchObject({ end: 'answered', endedBy: answer?.id });
  });

  check('rule 30: a new task is no answer to a question about an older one', async (world) => {
    const { lead, worker, task } = await team(world);
    const ask = { from: worker.id, replyTo: [task.id], isQuestion: true };
    const question = await world.send(lead, ask);
    await end(world, worker, [task], { summary: 'I have asked and wait.' });
    const newer = await world.send(worker, { kind: 'task', from: lead.id });
    const [answer] = await end(world, worker, [task, newer], { summary: 'the newer' });
    expect(answer).toMatchObject({ answersTask: true, owes: [task.id] });
    expect(await find(world, newer)).toMatchObject({ end: 'answered' });
    expect((await find(world, task))?.endedAt).toBeUndefined();
    // Nor is a word about something else.
    await world.send(worker, { from: lead.id, replyTo: [answer?.id ?? ''], body: 'thanks' });
    await end(world, worker, [task], { summary: 'You are welcome.' });
    expect((await find(world, task))?.endedAt).toBeUndefined();
    const reply = await world.send(worker, { from: lead.id, replyTo: [question.id], body: 'blue' });
    const [late] = await end(world, worker, [task, reply], { summary: 'blue it is' });
    expect(await find(world, task)).toMatchObject({ end: 'answered', endedBy: late?.id });
  });

  check('rule 30: a word that replies to nothing answers what was asked last', async (world) => {
    const { lead, worker, task: older } = await team(world);
    const newer = await world.send(worker, { kind: 'task', from: lead.id });
    for (const { id } of [older, newer]) {
      await world.send(lead, { from: worker.id, replyTo: [id], isQuestion: true });
    }
    await world.send(worker, { from: lead.id, body: 'blue' });
    await end(world, worker, [older, newer]);
    expect(await find(world, newer)).toMatchObject({ end: 'answered' });
    expect((await find(world, older))?.endedAt).toBeUndefined();
    // The worker may say so itself.
    await world.send(lead, { from: worker.id, replyTo: [older.id], body: 'done without' });
    expect(await find(world, older)).toMatchObject({ end: 'answered' });
  });

  check('rule 30: nobody settles the debt of another', async (world) => {
    const { lead, task } = await team(world);
    const other = await world.add('other', { parent: lead });
    expect((await world.accept({ to: lead.id, from: other.id, replyTo: [task.id] })).outcome).toBe(
      'reply-not-yours',
    );
    expect((await find(world, task))?.endedAt).toBeUndefined();
  });

  check(
    'rule 31: what settles it is claimed for whoever waits, in the same transaction',
    async (world) => {
      const { lead, worker, task } = await team(world);
      await waitFor(world, task);
      const [answer] = await end(world, worker, [task]);
      expect(await world.state(answer?.id ?? '')).toBe('claimed');
      // Nobody else can carry it.
      expect((await world.claim(lead, 'native')).outcome).toBe('empty');
      expect((await world.drain(lead)).messages).toEqual([]);
    },
  );

  check(
    'rules 30, 31: what the debtor tells beside its answer is named by the completion, for every engine',
    async (world) => {
      const { lead, worker, task } = await team(world);
      const report = { from: worker.id, body: 'on the way' };
      const first = await world.send(lead, report);
      const second = await world.send(lead, report);
      await world.accept({ ...report, to: user.id });
      expect(await find(world, task)).toMatchObject({ reports: [first.id, second.id] });
      const [completion] = await end(world, worker, [task], { summary: 'Done.' });
      const stored = await world.ledger.read((tx) => tx.messages.find(completion?.id ?? ''));
      expect(stored?.reports).toEqual([first.id, second.id]);
      expect(await world.state(first.id)).toBe('queued');
    },
  );

  check(
    'rule 31: a report is kept for whoever takes it with the answer; its death makes it uncertain',
    async (world) => {
      const { lead, worker, task } = await team(world);
      await waitFor(world, task);
      const plain = await world.send(lead, { from: worker.id });
      // A waiter of the command line prints the answer alone.
      expect(await world.state(plain.id)).toBe('queued');
      const process = world.hosts.start();
      await waitFor(world, task, world.process(process), { takesReports: true });
      const kept = await world.send(lead, { from: worker.id });
      const urgent = await world.send(lead, { from: worker.id, urgent: true });
      expect(await world.state(kept.id)).toBe('claimed');
      expect(await world.state(urgent.id)).toBe('queued');
      world.hosts.kill(process.pid);
      await world.ledger.write((tx) => settleDue(tx, world.here, lead.id));
      expect(await world.state(kept.id)).toBe('uncertain');
    },
  );

  check('the reports on one task are bounded; the others are messages like any', async (world) => {
    const { lead, worker, task } = await team(world);
    await waitFor(world, task, world.here, { takesReports: true });
    for (let n = 0; n < mostReports; n++) await world.send(lead, { from: worker.id });
    const last = await world.send(lead, { from: worker.id });
    expect((await find(world, task))?.reports).toHaveLength(mostReports);
    expect(await world.state(last.id)).toBe('queued');
  });

  check('rule 31: it is delivered again only if that claim ends uncertain', async (world) => {
    const { lead, worker, task } = await team(world);
    const process = world.hosts.start();
    await waitFor(world, task, world.process(process));
    const [answer] = await end(world, worker, [task]);
    world.hosts.kill(process.pid);
    await world.ledger.write((tx) => settleDue(tx, world.here, lead.id));
    expect(await world.state(answer?.id ?? '')).toBe('uncertain');
    const { messages } = await world.drain(lead);
    expect(messages).toMatchObject([{ id: answer?.id, mayRepeat: true }]);
  });

  check(
    'rules 27, 35: removing the worker tells whoever waits, once for each task',
    async (world) => {
      const { lead, worker, task: unread } = await team(world);
      const read = await world.send(worker, { kind: 'task', from: lead.id });
      await world.ledger.write((tx) =>
        tx.messages.move([read.id], {
          ...({
            from: 'queued',
            to: 'acked',
            at: world.clock.now(),
            code: 'acked',
            cause: 'read',
          } as const),
        }),
      );
      await remove(world.ledger, world.here, worker.id);
      expect(await find(world, unread)).toMatchObject({ end: 'removed' });
      expect(await find(world, read)).toMatchObject({ end: 'removed' });
      const told = (await world.inbox(lead)).map(({ kind, replyTo }) => [kind, replyTo]);
      expect(told).toEqual([
        ['completion', [read.id]],
        ['bounce', [unread.id]],
      ]);
    },
  );
});
