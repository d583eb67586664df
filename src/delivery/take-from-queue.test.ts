import { expect, test } from 'vitest';
import { fakeAgentId } from '../../test/fakes/delivery.ts';
import { injected } from '../../test/fakes/injected.ts';
import { type Agent, userAgentId } from '../agents/agent.ts';
import type { AttemptTrace } from '../providers/way-in.ts';
import { type Taking, takeAllFromQueue } from './take-from-queue.ts';

async function held(answer: (trace: AttemptTrace) => Promise<'withdrawn' | 'unknown'>) {
  const { fake, id, parcel, state } = await injected();
  const native = {
    blocked: () => undefined,
    inject: async () => ({ outcome: 'taken' }) as const,
    withdraw: answer,
    close: () => undefined,
  };
  const by = (await fake.ledger.read((tx) => tx.agents.find(userAgentId))) as Agent;
  const ask = async (message: string, epoch = 1): Promise<boolean> => {
    const takings: Taking[] = [];
    const asked = new Promise<boolean>((done, fail) => takings.push({ message, by, done, fail }));
    asked.catch(() => undefined);
    await takeAllFromQueue(fake.parts, fake.recipient({ native, epoch }), takings);
    expect(takings).toEqual([]);
    return asked;
  };
  return { fake, id, parcel, state, ask };
}

test('rule 34: what a CLI holds in its own queue and gives back is withdrawn, and its attempt not landed', async () => {
  const marks: string[] = [];
  const { fake, id, parcel, ask } = await held(async ({ mark }) => {
    marks.push(mark);
    return 'withdrawn';
  });
  expect(await ask(id)).toBe(true);
  expect(marks).toEqual([parcel.claim.mark]);
  expect(await fake.find(id)).toMatchObject({ state: 'dead', reason: 'withdrawn' });
  const [attempt] = await fake.ledger.read((tx) => tx.claims.listAttempts(id));
  expect(attempt?.outcome).toBe('not-landed');
  const states = ['queued', 'claimed', 'injected', 'uncertain'] as const;
  const left = await fake.ledger.read((tx) =>
    tx.messages.list({ to: fakeAgentId, states, limit: 9 }),
  );
  expect(left).toEqual([]);
});

test('rule 34: what it does not give back stays where it is', async () => {
  const answers = [
    async () => 'unknown' as const,
    async () => {
      throw new Error('a bug of the way in');
    },
    () => new Promise<'withdrawn'>(() => undefined),
  ];
  for (const answer of answers) {
    const { id, state, ask } = await held(answer);
    expect(await ask(id)).toBe(false);
    expect(await state()).toBe('injected');
  }
});

test('rule 34: of a life that has ended, and of a message that is not there, nothing is asked', async () => {
  let asked = 0;
  const { id, state, ask } = await held(async () => {
    asked++;
    return 'withdrawn';
  });
  expect(await ask(id, 2)).toBe(false);
  expect(await ask('msg_other')).toBe(false);
  expect([asked, await state()]).toEqual([0, 'injected']);
});

test('rules 2, 34: a message that was read while the CLI was asked is not dead', async () => {
  const { fake, id, ask } = await held(async () => {
    const why = { code: 'acked', cause: 'acked meanwhile' } as const;
    await fake.ledger.write((tx) =>
      tx.messages.move([id], { from: 'injected', to: 'acked', at: fake.clock.now(), ...why }),
    );
    return 'withdrawn';
  });
  expect(await ask(id)).toBe(false);
  expect(await fake.find(id)).toMatchObject({ state: 'acked' });
});

test('a ledger that fails is told to whoever asked', async () => {
  const { fake, id, ask } = await held(async () => 'withdrawn');
  fake.ledger.write = async () => {
    throw new Error('the disk is full');
  };
  await expect(ask(id)).rejects.toThrow('the disk is full');
});
