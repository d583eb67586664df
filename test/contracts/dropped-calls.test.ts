import { expect } from 'vitest';
import { abandonClaim } from '../../src/delivery/abandon-claim.ts';
import { claimFor, loseSight } from '../../src/delivery/claim.ts';
import { handOut } from '../../src/delivery/hand-out.ts';
import { settleHandedOut } from '../../src/delivery/settle-handed-out.ts';
import { loseLines } from '../../src/delivery/untaken.ts';
import type { Message } from '../../src/messages/message.ts';
import { viewStory } from '../../src/protocol/story.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { contract, type World } from './world.ts';

type Agent = Awaited<ReturnType<World['add']>>;

function take(world: World, { id: recipient, epoch, name: by }: Agent, isKept = () => false) {
  const request = { recipient, epoch, by, max: undefined, isInTerminal: true, isKept };
  return handOut(world.ledger, world.here, request);
}

const is = (line: string) => (other: string) => other === line;

const countRows = (world: World, sent: readonly Message[]) =>
  world.ledger.read(async (tx) => {
    const rows = { attempts: 0, history: 0, claims: 0 };
    for (const { id } of sent) {
      rows.attempts += (await tx.claims.listAttempts(id)).length;
      rows.history += (await tx.messages.history(id)).length;
    }
    const newest = (await tx.messages.find(sent[0]?.id ?? ''))?.token ?? 0;
    for (let token = 1; token <= newest; token++) if (await tx.claims.find(token)) rows.claims++;
    return rows;
  });

contract('calls that are dropped', (check) => {
  check(
    'rule 10: a thousand of them leave as many rows as two, and the numbers are those of all',
    async (world) => {
      const worker = await world.add('worker');
      const sent: Message[] = [];
      for (let i = 0; i < 3; i++) sent.push(await world.send(worker));
      // Each is four commits, and as many fsyncs on a disk.
      const calls = world.ledger instanceof MemoryLedger ? 1000 : 100;
      for (let i = 0; i < calls; i++) {
        const handed = await take(world, worker);
        expect(handed.messages).toHaveLength(3);
        // Cut off while it was written, or reset after its last byte.
        if (i % 2 === 0) await handed.lose('the client went away');
        else {
          await handed.finish(`call_${i}`);
          await loseLines(world.ledger, world.here, worker.id, is(`call_${i}`), 'it was reset');
        }
      }
      // Of 1000, before there was a bound: 3000 attempts, 12003 rows of history, 1000 claims.
      expect(await countRows(world, sent)).toEqual({ attempts: 6, history: 24, claims: 2 });
      const handed = await take(world, worker);
      expect(handed.messages.every(({ mayRepeat }) => mayRepeat)).toBe(true);
      await handed.finish('call_last');
      await settleHandedOut({ ledger: world.ledger, surroundings: world.here }, worker.id);
      const message = await world.message(sent[0]?.id ?? '');
      expect([message.state, message.attempts, message.notLanded]).toEqual(['acked', calls + 1, 0]);
      const { attempts, history } = await world.ledger.read((tx) => viewStory(tx, message));
      expect(attempts).toMatchObject([
        { number: 1, outcome: 'uncertain' },
        { number: calls + 1, outcome: 'acked', folded: calls - 1 },
      ]);
      expect(history.map(({ to }) => to)).toEqual([
        ...['queued', 'claimed', 'injected', 'uncertain'],
        ...['queued', 'claimed', 'injected', 'acked'],
      ]);
      for (const [i, { from }] of history.entries()) expect(from).toBe(history[i - 1]?.to ?? null);
    },
  );

  check(
    'rule 31: what was reserved for a hundred waits that were cancelled leaves as many rows as for two',
    async (world) => {
      const worker = await world.add('worker');
      const sent = [await world.send(worker)];
      const [{ id } = { id: '' }] = sent;
      const reserve = async (i: number) => {
        const since = { sinceMs: world.clock.monotonicMs(), leaseMs: 60_000 };
        const waiter = { id: `wait_${i}`, holder: world.here.host.identity, ...since };
        await world.ledger.write(async (tx) => {
          const message = await tx.messages.find(id);
          if (message) await claimFor(tx, world.clock.now(), waiter, message);
        });
        return (await world.message(id)).token ?? 0;
      };
      const cancel = async (i: number) => {
        const token = await reserve(i);
        const at = world.clock.now();
        await world.ledger.write((tx) =>
          abandonClaim(tx, at, token, { code: 'not-taken', cause: 'the call was cancelled' }),
        );
      };
      for (let i = 0; i < 50; i++) await cancel(i);
      // A call that was dropped with it between them is kept: it may have been read.
      await (await take(world, worker)).lose('gone');
      await (await take(world, worker)).lose('gone');
      await world.ledger.write(async (tx) => {
        const [at, cause] = [world.clock.now(), 'offered once more'];
        await tx.messages.move([id], {
          from: 'uncertain',
          to: 'queued',
          at,
          code: 'offered-once-more',
          cause,
        });
      });
      for (let i = 50; i < 100; i++) await cancel(i);
      await reserve(100);
      const message = await world.message(id);
      const { attempts, history } = await world.ledger.read((tx) => viewStory(tx, message));
      expect(attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
        [1, 'abandoned'],
        [51, 'uncertain'],
        [103, 'claimed'],
      ]);
      expect(attempts.map(({ folded }) => folded ?? 0)).toEqual([0, 49, 51]);
      expect(history.length).toBeLessThan(20);
      for (const [i, { from }] of history.entries()) expect(from).toBe(history[i - 1]?.to ?? null);
    },
  );

  check('rule 10: tries of other lives, routes and turns are kept', async (world) => {
    const worker = await world.add('worker');
    const sent = [await world.send(worker)];
    const [{ id } = { id: '' }] = sent;
    const drop = async (times: number, who = worker) => {
      for (let i = 0; i < times; i++) await (await take(world, who)).lose('gone');
    };
    await drop(5);
    await world.ledger.write(async (tx) => {
      const [entered] = (await tx.claims.listEntered(worker.id, worker.epoch)).slice(-1);
      if (entered) await tx.claims.setTurn([entered], 'turn 1');
    });
    await drop(5);
    const numbers = async () => {
      const message = await world.message(id);
      const { attempts } = await world.ledger.read((tx) => viewStory(tx, message));
      return attempts.map(({ number }) => number);
    };
    expect(await numbers()).toEqual([1, 5, 6, 10]);
    const reborn = { ...worker, epoch: worker.epoch + 1 };
    await drop(3, reborn);
    expect(await numbers()).toEqual([1, 5, 6, 10, 11, 13]);
    await world.ledger.write(async (tx) => {
      const [at, cause] = [world.clock.now(), 'offered once more'];
      await tx.messages.move([id], {
        from: 'uncertain',
        to: 'queued',
        at,
        code: 'offered-once-more',
        cause,
      });
    });
    const { claim } = await world.take(reborn, 'paste', { epoch: reborn.epoch });
    await world.ledger.write((tx) =>
      loseSight(tx, world.clock.now(), claim, { code: 'lost-sight', cause: 'no sight of it' }),
    );
    await drop(3, reborn);
    expect(await numbers()).toEqual([1, 5, 6, 10, 11, 13, 14, 15, 17]);
  });

  check(
    'rule 17: only a call on the same line takes it; the model’s next output takes all',
    async (world) => {
      const worker = await world.add('worker');
      const [first, second] = [await world.send(worker), await world.send(worker, { body: 'b' })];
      const parts = { ledger: world.ledger, surroundings: world.here };
      await (await take(world, worker)).finish('one');
      expect(await settleHandedOut(parts, worker.id, (line) => line === 'two')).toBe(0);
      expect(await settleHandedOut(parts, worker.id, (line) => line === undefined)).toBe(0);
      expect(await world.state(first.id)).toBe('injected');
      // Kept for its own client, it is not offered to this one yet.
      expect((await take(world, worker, () => true)).messages).toEqual([]);
      expect(await settleHandedOut(parts, worker.id)).toBe(2);
      expect(await world.state(second.id)).toBe('acked');
    },
  );

  check('rules 13, 17: the body of a pointer is handed out once more', async (world) => {
    const worker = await world.add('worker');
    const { id } = await world.send(worker, { body: 'x'.repeat(9000) });
    const { claim } = await world.take(worker, 'paste', { provable: false });
    await world.ledger.write(async (tx) => {
      await tx.claims.setPointers([id], claim.token);
      const move = {
        from: 'claimed',
        to: 'injected',
        at: world.clock.now(),
        code: 'put-in',
        cause: 'pasted',
      };
      await tx.messages.move([id], { ...move, token: claim.token } as never);
      await tx.claims.setOutcome([id], claim.token, 'injected');
      await tx.claims.endIfEmpty(claim.token, world.clock.now());
    });
    await (await take(world, worker)).finish('one');
    expect(await loseLines(world.ledger, world.here, worker.id, is('one'), 'it was reset')).toBe(1);
    const again = await take(world, worker);
    expect(again.messages).toMatchObject([{ id, mayRepeat: true }]);
  });
});
