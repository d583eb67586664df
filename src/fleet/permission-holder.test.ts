import { expect, test } from 'vitest';
import { addRunning } from '../../test/support/mail.ts';
import { TestServer } from '../../test/support/server.ts';
import { findHolder } from './permission-holder.ts';

const providers = {
  find: async () => {
    throw new Error('it is described no longer');
  },
};

test('an agent whose arguments cannot be read counts as one that only reads', async () => {
  const server = new TestServer();
  const { id } = await addRunning(server, 'worker');
  const sound = { ledger: server.ledger, providers };
  expect(await findHolder(sound, id)).toMatchObject({ permission: 'ask', isStated: false });
  const { read } = server.ledger;
  const spoilt: typeof server.ledger.read = (work) =>
    read.call(server.ledger, (tx) =>
      work({
        ...tx,
        agents: tx.agents,
        epochs: Object.assign(Object.create(tx.epochs), {
          find: async (...of: Parameters<typeof tx.epochs.find>) => {
            const epoch = await tx.epochs.find(...of);
            return epoch && { ...epoch, damaged: ['epochs.extra_args'] };
          },
        }),
      }),
    ) as never;
  const ledger = Object.assign(Object.create(server.ledger), { read: spoilt });
  expect(await findHolder({ ledger, providers }, id)).toMatchObject({
    permission: 'read-only',
    isStated: true,
  });
});
