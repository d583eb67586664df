import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import type { OnRecord } from '../../src/delivery/on-record.ts';
import { prove } from '../../src/delivery/prove.ts';
import { insertReminder } from '../../src/delivery/remind-debtor.ts';
import { takeOut } from '../../src/delivery/take-out.ts';
import { endTurn, type TurnStop } from '../../src/fleet/end-turn.ts';
import type { Claim } from '../../src/messages/claim.ts';
import { contract, type World } from './world.ts';

/** What the records say about the task when the person's own turn ends. */
type Records = 'in' | 'out' | 'silent';

/** Whether the CLI tells which marks a turn held. */
const kinds = [
  { kind: 'a CLI that tells what its turns held', tells: true },
  { kind: 'a CLI that does not', tells: false },
] as const;

class Worker {
  readonly world: World;
  readonly child: Agent;
  readonly tells: boolean;

  constructor(world: World, child: Agent, tells: boolean) {
    this.world = world;
    this.child = child;
    this.tells = tells;
  }

  static async open(world: World, tells: boolean): Promise<Worker> {
    return new Worker(world, await world.add('worker'), tells);
  }

  async give(how: 'silent' | 'spoken' = 'silent'): Promise<{ id: string; claim: Claim }> {
    const { id } = await this.world.send(this.child, { kind: 'task' });
    return { id, claim: await this.enter(how) };
  }

  /** All that waits goes in; the model may have said something about it. */
  async enter(how: 'silent' | 'spoken' = 'silent'): Promise<Claim> {
    const { ledger, clock } = this.world;
    const { claim } = await this.world.take(this.child, 'native');
    await ledger.write((tx) => recordInjected(tx, clock.now(), claim.token, 'in'));
    const proof = { mark: claim.mark, evidence: 'a word' };
    if (how === 'spoken') await ledger.write((tx) => prove(tx, clock.now(), proof));
    return claim;
  }

  stop(id: string, outcome: TurnStop['outcome'], claims: readonly Claim[], more = {}) {
    const { ledger, clock } = this.world;
    this.world.clock.pass(1000);
    const held = this.tells ? { held: claims.map(({ mark }) => mark), stop: 1 } : {};
    const text = outcome === 'completed' ? `words of ${id}` : '';
    const turn = { child: this.child.id, epoch: 0, session: 's1', id, outcome, text };
    return endTurn(ledger, clock, { ...turn, ...held, ...more });
  }

  async endOf(id: string): Promise<string | undefined> {
    return (await this.world.ledger.read((tx) => tx.debts.find(id)))?.end;
  }
}

function say(records: Records, ...claims: readonly Claim[]): { readonly onRecord: OnRecord } {
  const tokens = new Set(claims.map(({ token }) => token));
  const none = new Set<number>();
  const onRecord = { in: records === 'in' ? tokens : none, out: records === 'out' ? tokens : none };
  return { onRecord };
}

contract('a task whose turn a person interrupted', (check) => {
  for (const { kind, tells } of kinds) {
    for (const outcome of ['interrupted', 'failed', 'unknown'] as const) {
      for (const how of ['silent', 'spoken'] as const) {
        for (const records of ['in', 'out', 'silent'] as const) {
          const becomes = records === 'in' ? 'is settled' : 'stays owed';
          check(
            `rules 9, 26, 30: ${kind}, ${outcome}, ${how}, records ${records}: it ${becomes} by the person’s next words`,
            async (world) => {
              const worker = await Worker.open(world, tells);
              const { id, claim } = await worker.give(how);
              await worker.stop('t1', outcome, [claim]);
              await worker.stop('t2', 'completed', [], say(records, claim));
              expect(await worker.endOf(id)).toBe(records === 'in' ? 'answered' : undefined);
            },
          );
        }
      }
    }

    check(
      `rules 9, 26: ${kind}: both tasks of one interrupted turn stay owed, and each is answered by the turn that gets it again`,
      async (world) => {
        const worker = await Worker.open(world, tells);
        const one = await world.send(worker.child, { kind: 'task' });
        const two = await worker.give();
        const { claim } = two;
        await worker.stop('t1', 'interrupted', [claim]);
        const [told] = (await worker.stop('t2', 'completed', [], say('out', claim))).completions;
        expect(told).toBeUndefined();
        const taken = { because: 'interrupted', evidence: 'Esc' } as const;
        await world.ledger.write((tx) => takeOut(tx, world.clock.now(), claim, taken));
        const again = await worker.enter();
        await worker.stop('t3', 'completed', [again], say('in', again));
        expect([await worker.endOf(one.id), await worker.endOf(two.id)]).toEqual([
          'answered',
          'answered',
        ]);
      },
    );

    check(
      `rules 9, 30: ${kind}: its reminder, interrupted in turn, answers nothing either; one that is read does`,
      async (world) => {
        const worker = await Worker.open(world, tells);
        const { id, claim } = await worker.give();
        await worker.stop('t1', 'interrupted', [claim]);
        await world.ledger.write(async (tx) => {
          const debt = await tx.debts.find(id);
          if (debt) await insertReminder(tx, world.clock.now(), debt);
        });
        const reminder = await worker.enter();
        await worker.stop('t2', 'interrupted', [reminder]);
        await worker.stop('t3', 'completed', [], say('out', claim, reminder));
        expect(await worker.endOf(id)).toBeUndefined();
        const taken = { because: 'interrupted', evidence: 'Esc' } as const;
        await world.ledger.write((tx) => takeOut(tx, world.clock.now(), reminder, taken));
        await worker.stop('t4', 'completed', [], say('silent'));
        expect(await worker.endOf(id)).toBeUndefined();
        const again = await worker.enter();
        await worker.stop('t5', 'completed', [again], say('in', again));
        expect(await worker.endOf(id)).toBe('answered');
      },
    );

    check(
      `rules 26, 30: ${kind}: a turn that ended well and waited for others still holds it, whatever the records can tell`,
      async (world) => {
        const worker = await Worker.open(world, tells);
        const below = await world.add('below');
        const { id, claim } = await worker.give();
        const given = await world.send(below, { kind: 'task', from: worker.child.id });
        await worker.stop('t1', 'completed', [claim], say('in', claim));
        expect(await worker.endOf(id)).toBeUndefined();
        await world.send(worker.child, { from: below.id, replyTo: [given.id] });
        const answer = await worker.enter();
        await worker.stop('t2', 'completed', [answer], say('silent'));
        expect(await worker.endOf(id)).toBe('answered');
      },
    );
  }

  check(
    'rules 9, 26: an interruption that nobody heard of: the next words do not answer a task that is on no record any more',
    async (world) => {
      const worker = await Worker.open(world, false);
      const { id, claim } = await worker.give('spoken');
      const { completions } = await worker.stop('t2', 'completed', [], say('out', claim));
      expect(completions.filter(({ replyTo }) => replyTo.includes(id))).toEqual([]);
      expect(await worker.endOf(id)).toBeUndefined();
      // Its end is told after all, and names the task.
      const late = await worker.stop('t1', 'interrupted', [claim]);
      expect(late.completions).toMatchObject([{ outcome: 'interrupted', owes: [id] }]);
    },
  );

  check(
    'rules 9, 26: one that was read, taken out and is on its way again is not answered by a turn in between',
    async (world) => {
      const worker = await Worker.open(world, false);
      const { id, claim } = await worker.give('spoken');
      const taken = { because: 'interrupted', evidence: 'Esc' } as const;
      await world.ledger.write((tx) => takeOut(tx, world.clock.now(), claim, taken));
      await worker.stop('t2', 'completed', [], say('silent'));
      expect(await worker.endOf(id)).toBeUndefined();
    },
  );

  for (const [outcome, end] of [
    ['interrupted', undefined],
    ['unknown', undefined],
    ['failed', 'answered'],
  ] as const) {
    check(
      `rules 8, 30: where no record can be had, the next words ${end ? 'settle' : 'do not settle'} the task of a turn that ended as ${outcome}`,
      async (world) => {
        const worker = await Worker.open(world, false);
        const { id } = await world.send(worker.child, { kind: 'task' });
        const { claim } = await world.take(worker.child, 'native', { provable: false });
        await world.ledger.write((tx) => recordInjected(tx, world.clock.now(), claim.token, 'in'));
        await worker.stop('t1', outcome, []);
        await worker.stop('t2', 'completed', [], say('silent'));
        expect(await worker.endOf(id)).toBe(end);
      },
    );
  }

  check('rules 27, 30: whoever gave it is told that it is still owed', async (world) => {
    const giver = await world.add('giver');
    const child = await world.add('worker', { parent: giver });
    const worker = new Worker(world, child, false);
    const task = await world.send(child, { kind: 'task', from: giver.id });
    const claim = await worker.enter();
    const [broken] = (await worker.stop('t1', 'interrupted', [claim])).completions;
    expect(broken).toMatchObject({ outcome: 'interrupted', owes: [task.id], answersTask: false });
    const [other] = (await worker.stop('t2', 'completed', [], say('out', claim))).completions;
    expect(other).toMatchObject({ outcome: 'completed', owes: [task.id], answersTask: false });
    expect(other?.replyTo).toEqual([]);
  });
});
