import { expect } from 'vitest';
import { accept } from '../../src/delivery/accept.ts';
import { remove } from '../../src/fleet/remove.ts';
import { contract, user } from './world.ts';

contract('accepting messages', (check) => {
  check('an accepted message is queued, with its first history row', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker, { body: 'Build the API', urgent: true });
    expect(await world.message(message.id)).toEqual(message);
    expect(message).toMatchObject({ state: 'queued', from: user.id, to: worker.id, urgent: true });
    const history = await world.ledger.read((tx) => tx.messages.history(message.id));
    expect(history).toEqual([
      { at: world.clock.now(), from: null, to: 'queued', cause: 'accepted' },
    ]);
  });

  check('rule 33: the same key from the same sender is accepted once', async (world) => {
    const worker = await world.add('worker');
    const first = await world.send(worker, { key: 'k', body: 'one' });
    const again = await world.accept({ to: worker.id, key: 'k', body: 'one' });
    expect(again).toEqual({ outcome: 'duplicate', message: first });
    expect(await world.inbox(worker)).toHaveLength(1);
  });

  check('rule 33: the same key with another recipient or body is refused', async (world) => {
    const [worker, other] = [await world.add('worker'), await world.add('other')];
    await world.send(worker, { key: 'k', body: 'one' });
    expect(await world.accept({ to: worker.id, key: 'k', body: 'two' })).toMatchObject({
      outcome: 'key-conflict',
    });
    expect(await world.accept({ to: other.id, key: 'k', body: 'one' })).toMatchObject({
      outcome: 'key-conflict',
    });
    expect(await world.inbox(other)).toEqual([]);
  });

  check('rule 33: keys belong to their sender', async (world) => {
    const [worker, other] = [await world.add('worker'), await world.add('other')];
    await world.send(worker, { key: 'k', body: 'one' });
    await world.send(worker, { key: 'k', body: 'mine', from: other.id });
    expect(await world.inbox(worker)).toHaveLength(2);
  });

  check('rule 33: a key is remembered after its message was settled', async (world) => {
    const worker = await world.add('worker');
    const message = await world.send(worker, { key: 'k' });
    await world.ack(message.id);
    expect(await world.accept({ to: worker.id, key: 'k' })).toMatchObject({ outcome: 'duplicate' });
  });

  check(
    'rules 31, 48: a task for an agent that has exited is refused, a message is kept',
    async (world) => {
      const worker = await world.add('worker');
      await world.ledger.write((tx) =>
        tx.agents.setStatus(worker.id, {
          ...{ status: 'exited', detail: 'SIGKILL', source: 'process', since: world.clock.now() },
        }),
      );
      const refused = { outcome: 'recipient-exited', detail: 'SIGKILL' };
      expect(await world.accept({ to: worker.id, kind: 'task' })).toEqual(refused);
      expect(await world.ledger.read((tx) => tx.debts.listOwedBy(worker.id))).toEqual([]);
      expect(await world.accept({ to: worker.id })).toMatchObject({ outcome: 'accepted' });
    },
  );

  check('rule 33: an unknown or removed recipient or sender is refused', async (world) => {
    const [worker, gone] = [await world.add('worker'), await world.add('gone')];
    await remove(world.ledger, world.here, gone.id);
    expect(await world.accept({ to: gone.id })).toEqual({ outcome: 'recipient-gone' });
    expect(await world.accept({ to: 'agt_nobody' })).toEqual({ outcome: 'recipient-gone' });
    expect(await world.accept({ to: worker.id, from: gone.id })).toEqual({
      outcome: 'sender-gone',
    });
    expect(await world.inbox(worker)).toEqual([]);
  });

  check(
    'several at once keep their order, and one refusal does not stop the others',
    async (world) => {
      const worker = await world.add('worker');
      const draft = { kind: 'message', from: user.id, to: worker.id } as const;
      const outcomes = await accept(world.ledger, world.clock, [
        { ...draft, body: 'a' },
        { ...draft, body: 'b', to: 'agt_nobody' },
        { ...draft, body: 'c' },
      ]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual([
        'accepted',
        'recipient-gone',
        'accepted',
      ]);
      expect((await world.inbox(worker)).map(({ body }) => body)).toEqual(['a', 'c']);
    },
  );

  check('an answer acks what it answers, in the same transaction', async (world) => {
    const worker = await world.add('worker');
    const question = await world.send(worker, { kind: 'task' });
    const answer = await world.accept({
      from: worker.id,
      to: user.id,
      replyTo: [question.id],
    });
    expect(answer).toMatchObject({ outcome: 'accepted', message: { answersTask: true } });
    expect(await world.state(question.id)).toBe('acked');
  });

  check('a reply to an unknown message, or between other agents, is refused', async (world) => {
    const [worker, other] = [await world.add('worker'), await world.add('other')];
    const message = await world.send(worker);
    expect(await world.accept({ to: worker.id, replyTo: ['msg_none'] })).toMatchObject({
      outcome: 'reply-unknown',
    });
    expect(
      await world.accept({ from: other.id, to: worker.id, replyTo: [message.id] }),
    ).toMatchObject({ outcome: 'reply-not-yours' });
    expect(await world.state(message.id)).toBe('queued');
  });

  check(
    'rule 5: order is the sequence of the ledger, whatever the wall clock says',
    async (world) => {
      const worker = await world.add('worker');
      const first = await world.send(worker, { body: 'first' });
      world.clock.setWall(world.clock.now() - 86_400_000);
      const second = await world.send(worker, { body: 'second' });
      world.clock.setWall(world.clock.now() + 10 * 86_400_000);
      const third = await world.send(worker, { body: 'third' });
      const { messages } = await world.drain(worker);
      expect(messages.map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
      expect(first.seq < second.seq && second.seq < third.seq).toBe(true);
    },
  );

  check('a transaction that fails leaves nothing behind', async (world) => {
    const worker = await world.add('worker');
    const kept = await world.send(worker);
    const failing = world.ledger.write(async (tx) => {
      await tx.messages.move([kept.id], {
        from: 'queued',
        to: 'acked',
        at: 1,
        code: 'acked',
        cause: 'never happened',
      });
      throw new Error('cut short');
    });
    await expect(failing).rejects.toThrow('cut short');
    expect(await world.path(kept.id)).toEqual(['queued']);
    expect(await world.inbox(worker)).toHaveLength(1);
  });
});
