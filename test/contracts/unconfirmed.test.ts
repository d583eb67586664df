import { expect, test } from 'vitest';
import { tellStory } from '../../src/cli/story-text.ts';
import { recordInjected } from '../../src/delivery/claim.ts';
import { findUnconfirmed, leaveUnconfirmed } from '../../src/delivery/leave-unconfirmed.ts';
import { beginEpoch, endEpoch } from '../../src/fleet/epochs.ts';
import { addRunning, inject, send } from '../support/mail.ts';
import { read, TestServer } from '../support/server.ts';
import { contract } from './world.ts';

contract('unconfirmed', (check) => {
  check(
    'rules 8, 50: what records could not tell of stays injected after its life, and is not offered again',
    async (world) => {
      const worker = await world.add('worker');
      const { id } = await world.send(worker);
      const { claim } = await world.take(worker, 'native', { provable: true, epoch: worker.epoch });
      const now = world.clock.now();
      await world.ledger.write((tx) => recordInjected(tx, now, claim.token, 'taken'));
      const unproven = () => world.ledger.read((tx) => tx.claims.listUnproven(worker.id));
      expect(await unproven()).toHaveLength(1);
      const why = 'records of 2.1.240 not recognised';
      await world.ledger.write((tx) => leaveUnconfirmed(tx, now, claim, why));
      expect(await unproven()).toEqual([]);
      expect(await world.state(id)).toBe('injected');
      const { epoch } = worker;
      expect(await world.ledger.read((tx) => findUnconfirmed(tx, worker))).toBe(why);
      expect(await world.ledger.write((tx) => endEpoch(tx, now, worker.id))).toBe(0);
      await world.ledger.write((tx) => beginEpoch(tx, worker.id));
      await world.settle(worker);
      expect(await world.state(id)).toBe('injected');
      const next = { id: worker.id, epoch: epoch + 1 };
      expect(await world.ledger.read((tx) => findUnconfirmed(tx, next))).toBeUndefined();
    },
  );
});

test('rule 50: status, explain and a wait for seen say that no record of it is recognised', async () => {
  const server = new TestServer();
  const worker = await addRunning(server, 'worker');
  const id = await send(server, 'worker');
  await inject(server, worker, 'native', true);
  const why = 'records of 2.1.240 not recognised';
  await server.ledger.write(async (tx) => {
    const { token = 0 } = (await tx.messages.find(id)) ?? {};
    const claim = await tx.claims.find(token);
    if (claim) await leaveUnconfirmed(tx, Date.now(), claim, why);
  });
  const { notes } = await read(await server.ask('/agents/worker'));
  expect(notes).toContain(`unconfirmed: ${why}`);
  const story = await read(await server.ask(`/messages/${id}`));
  expect(story.attempts).toMatchObject([{ outcome: 'injected', unconfirmed: true }]);
  const told = tellStory(story, (id) => id);
  expect(told).toContain(`Sent, unconfirmed: ${why}; this is the end of it.`);
  const waited = await server.ask(`/messages/${id}/wait?state=seen&timeoutMs=0`);
  expect((await read(waited)).error.message).toContain(`sent, unconfirmed: ${why}`);
});
