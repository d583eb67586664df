import { expect } from 'vitest';
import { recordInjected } from '../../src/delivery/claim.ts';
import { prove } from '../../src/delivery/prove.ts';
import { resolve } from '../../src/delivery/resolve.ts';
import { endTurn, endTurnIn } from '../../src/fleet/end-turn.ts';
import { beginEpoch, endEpoch } from '../../src/fleet/epochs.ts';
import { findOwedReceipts } from '../../src/fleet/owed-receipts.ts';
import { reopenUnread } from '../../src/fleet/unread-tasks.ts';
import { contract } from './world.ts';

contract('tasks of a restarted agent', (check) => {
  check(
    'rules 10, 27, 30, 37: a task that stood unread in a conversation when its agent was restarted is answered by the turn that reads it',
    async (world) => {
      const { ledger, clock } = world;
      const child = await world.add('worker');
      await ledger.write((tx) => beginEpoch(tx, child.id));
      const task = await world.send(child, { kind: 'task' });
      const { claim } = await world.take(child, 'native', { epoch: 1 });
      await ledger.write((tx) => recordInjected(tx, clock.now(), claim.token, 'in'));
      // `restart` in mid-turn, before the model's first word: as fleet/end-life.ts does it.
      await ledger.write(async (tx) => {
        await endEpoch(tx, clock.now(), child.id);
        await endTurnIn(tx, clock.now(), {
          ...{
            child: child.id,
            epoch: 1,
            session: 'epoch-1',
            id: 'exit',
            stop: 1,
            outcome: 'exited',
          },
          ...{ text: 'Its process ended in the middle of a turn: restarted.', ends: [] },
        });
        await beginEpoch(tx, child.id);
      });
      // The resumed conversation holds it (rule 10), a reminder asks for it, and the model reads
      // and answers it.
      const message = await world.message(task.id);
      await ledger.write((tx) => resolve(tx, clock.now(), message, 'held', 'user message 1'));
      await ledger.write((tx) => prove(tx, clock.now(), { mark: claim.mark, evidence: 'a word' }));
      expect(await world.state(task.id)).toBe('seen');
      await endTurn(ledger, clock, {
        ...{
          child: child.id,
          epoch: 2,
          session: 's',
          id: 't2',
          outcome: 'completed',
          text: 'The answer.',
        },
      });
      expect((await ledger.read((tx) => tx.debts.find(task.id)))?.end).toBe('answered');
    },
  );

  for (const [records, becomes] of [
    ['show it there', 'is answered'],
    ['show that it was taken out', 'stays owed'],
    ['tell nothing', 'stays owed'],
  ] as const) {
    check(
      `rules 26, 27, 30, 37: a turn after the restart ends before its answer is on record, and the records ${records}: the task ${becomes}`,
      async (world) => {
        const { ledger, clock } = world;
        const child = await world.add('worker');
        await ledger.write((tx) => beginEpoch(tx, child.id));
        const task = await world.send(child, { kind: 'task' });
        const { claim } = await world.take(child, 'native', { epoch: 1 });
        await ledger.write((tx) => recordInjected(tx, clock.now(), claim.token, 'in'));
        await ledger.write(async (tx) => {
          await endEpoch(tx, clock.now(), child.id);
          await beginEpoch(tx, child.id);
        });
        const message = await world.message(task.id);
        await ledger.write((tx) => resolve(tx, clock.now(), message, 'held', 'user record 1'));
        expect(await world.state(task.id)).toBe('injected');
        const tokens = new Set([claim.token]);
        const none = new Set<number>();
        const onRecord = {
          in: records === 'show it there' ? tokens : none,
          out: records === 'show that it was taken out' ? tokens : none,
        };
        const turn = { child: child.id, epoch: 2, session: 's', id: 't2', text: 'The answer.' };
        const end = { ...turn, onRecord, outcome: 'completed' } as const;
        const { completions } = await endTurn(ledger, clock, end);
        const isAnswered = becomes === 'is answered';
        const debt = await ledger.read((tx) => tx.debts.find(task.id));
        expect(debt?.end).toBe(isAnswered ? 'answered' : undefined);
        expect(completions).toMatchObject(
          isAnswered ? [{ body: 'The answer.', replyTo: [task.id], answersTask: true }] : [],
        );
        // The proof comes after it, and changes nothing.
        await ledger.write((tx) => prove(tx, clock.now(), { mark: claim.mark, evidence: 'late' }));
        expect(await world.state(task.id)).toBe(isAnswered ? 'acked' : 'seen');
      },
    );
  }

  check(
    'rule 26: a daemon that begins to watch an agent knows in which conversations it took the tasks that it owes',
    async (world) => {
      const { ledger, clock } = world;
      const child = await world.add('worker');
      const receipts = (epoch: number): Promise<readonly string[]> =>
        ledger.read((tx) => findOwedReceipts(tx, { agent: child.id, epoch }));
      await ledger.write((tx) => beginEpoch(tx, child.id));
      await world.send(child, { kind: 'task' });
      expect(await receipts(1)).toEqual([]);
      const { claim } = await world.take(child, 'native', { epoch: 1 });
      await ledger.write((tx) => tx.claims.note(claim.token, { receipt: 'ses_a/msg_1' }));
      await ledger.write((tx) => recordInjected(tx, clock.now(), claim.token, 'in'));
      expect(await receipts(1)).toEqual(['ses_a/msg_1']);
      // What an earlier life took says nothing about the next one's conversations.
      expect(await receipts(2)).toEqual([]);
      await ledger.write((tx) => prove(tx, clock.now(), { mark: claim.mark, evidence: 'a word' }));
      const turn = { child: child.id, epoch: 1, session: 'ses_a', id: 't1', text: 'The answer.' };
      await endTurn(ledger, clock, { ...turn, outcome: 'completed' });
      expect(await receipts(1)).toEqual([]);
    },
  );

  check(
    'rules 30, 31: what was unread when its agent ended is owed again in its next life, and nothing else is',
    async (world) => {
      const { ledger, clock } = world;
      const [child, lead] = [await world.add('worker'), await world.add('lead')];
      const given = { kind: 'task', from: lead.id } as const;
      const read = await world.send(child, given);
      const { claim } = await world.take(child, 'native', { epoch: 1 });
      await ledger.write((tx) => recordInjected(tx, clock.now(), claim.token, 'in'));
      await ledger.write((tx) => prove(tx, clock.now(), { mark: claim.mark, evidence: 'a word' }));
      const [unread, answered] = [await world.send(child, given), await world.send(child, given)];
      await ledger.write(async (tx) => {
        for (const { id } of [read, unread]) {
          await tx.debts.setReminded(id, 1);
          await tx.debts.end(id, 'exited', 'msg_told', clock.now());
        }
        await tx.debts.end(answered.id, 'answered', 'msg_reply', clock.now());
        await reopenUnread(tx, child.id);
      });
      const open = await ledger.read((tx) => tx.debts.listOpen());
      const { debtor, creditor } = { debtor: child.id, creditor: lead.id };
      const givenAt = open[0]?.givenAt;
      expect(open).toEqual([{ task: unread.id, debtor, creditor, givenAt }]);
    },
  );
});
