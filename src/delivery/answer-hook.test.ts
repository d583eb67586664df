import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { headOf } from '../../test/support/head-of.ts';
import type { Evidence, Finding, HookOffer } from '../providers/way-in.ts';
import { openDelivery } from './open-delivery.ts';

const reply: HookOffer['reply'] = (text) => ({ stdout: text, exitCode: 2 });
const boundary: HookOffer = { route: 'turn-boundary', isContinued: false, reply };
const never = new AbortController().signal;

/**
 * An agent whose waiting hook has the first message, and a second one behind it. No time passes by
 * itself.
 */
async function woken() {
  const fake = await FakeDelivery.open();
  const clock = new ManualClock();
  const surroundings = { ...fake.parts.surroundings, clock };
  const delivery = openDelivery({ ...fake.parts, surroundings });
  onTestFinished(() => delivery.close());
  let found: Finding['found'] = 'none';
  const evidence: Evidence = {
    judge: async (attempts) => attempts.map(() => ({ found, evidence: 'a record' })),
    close: () => undefined,
  };
  await fake.send({ body: 'first' });
  const said = delivery.wait(agent, { pid: 7, offer: { ...boundary, route: 'native' } }, never);
  const recipient = fake.recipient({ ways: { hasWaitingHook: true }, evidence });
  delivery.attach(recipient);
  const given = await said;
  if (given === 'dismissed') throw new Error('dismissed');
  const second = await fake.send({ body: 'second' });
  return {
    ...{ fake, delivery, recipient, second },
    confirm: () => delivery.confirm(given.id),
    record: (next: Finding['found']) => {
      found = next;
    },
    /** Of a turn that a person began in the moment of the wake, or of the wake's own. */
    ask: async () => (await delivery.ask(agent, boundary))?.reply.stdout,
  };
}

test('rule 15: nothing overtakes at a boundary what a waiting hook was given just now and the CLI has not recorded', async () => {
  const { confirm, ask, fake, second } = await woken();
  expect(await confirm()).toBe(true);
  expect(await ask()).toBeUndefined();
  expect((await fake.find(second.id)).state).toBe('queued');
});

test('rule 15: nor when the way into the agent has changed in between', async () => {
  const { confirm, ask, delivery, recipient } = await woken();
  await confirm();
  delivery.attach({ ...recipient });
  expect(await ask()).toBeUndefined();
});

test('rule 15: nor when the hook confirms while the boundary is being answered', async () => {
  const { confirm, ask, fake, second } = await woken();
  const write = fake.ledger.write.bind(fake.ledger);
  vi.spyOn(fake.ledger, 'write').mockImplementationOnce(async (...work) => {
    expect(await confirm()).toBe(true);
    return write(...work);
  });
  expect(await ask()).toBeUndefined();
  expect((await fake.find(second.id)).state).toBe('queued');
});

test.each(['landed', 'seen'] as const)(
  'the boundary of the woken turn itself, which is on record (%s), takes what follows at once',
  async (found) => {
    const { confirm, record, ask, second } = await woken();
    await confirm();
    record(found);
    expect(await ask()).toContain(headOf(second));
  },
);

test.each(['turn-boundary', 'mid-turn'] as const)(
  'rules 16, 19: nothing is claimed for a hook that left while its %s was being answered',
  async (route) => {
    const { confirm, record, delivery, fake } = await woken();
    await confirm();
    record('seen');
    const { id } = await fake.send({ body: 'urgent', urgent: true });
    const gone = new AbortController();
    const write = fake.ledger.write.bind(fake.ledger);
    vi.spyOn(fake.ledger, 'write').mockImplementationOnce(async (...work) => {
      gone.abort();
      return write(...work);
    });
    expect(await delivery.ask(agent, { ...boundary, route }, gone.signal)).toBeUndefined();
    expect(gone.signal.aborted).toBe(true);
    expect(await fake.find(id)).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await delivery.ask(agent, { ...boundary, route })).toBeDefined();
  },
);
