import { expect, test } from 'vitest';
import { FakeDelivery } from '../../test/fakes/delivery.ts';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { headOf } from '../../test/support/head-of.ts';
import type { HookOffer } from '../providers/way-in.ts';
import type { Clock } from '../shared/clock.ts';
import { Spoken } from './spoken.ts';
import { Waiters } from './waiters.ts';

const offer: HookOffer = {
  route: 'turn-boundary',
  isContinued: false,
  reply: (text) => ({ stdout: text, exitCode: 0 }),
};

/** Sleeps until the test says that the time is over. */
function holdSleep(fake: FakeDelivery): { readonly parts: FakeDelivery['parts']; wake(): void } {
  let wake = (): void => undefined;
  const clock: Clock = {
    now: () => fake.clock.now(),
    monotonicMs: () => fake.clock.monotonicMs(),
    sleep: (_, signal) =>
      new Promise((resolve, reject) => {
        wake = resolve;
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  };
  const surroundings = { ...fake.parts.surroundings, clock };
  return { parts: { ...fake.parts, surroundings }, wake: () => wake() };
}

test('rule 16: what is said is claimed, and injected once it is confirmed; only once', async () => {
  const fake = await FakeDelivery.open();
  const { parts } = holdSleep(fake);
  const sent = await fake.send();
  const { id } = sent;
  const spoken = new Spoken(parts);
  const { said, confirmed } = spoken.say(await fake.pack('turn-boundary'), offer);
  expect(said.reply.stdout).toContain(headOf(sent));
  expect((await fake.find(id)).state).toBe('claimed');
  expect(await spoken.confirm(said.id)).toBe(true);
  expect(await confirmed).toBe(true);
  expect((await fake.find(id)).state).toBe('injected');
  expect(await spoken.confirm(said.id)).toBe(false);
  expect(await spoken.confirm('say_unknown')).toBe(false);
});

test('rule 16: a client that does not confirm in time has printed nothing, and may not any more', async () => {
  const fake = await FakeDelivery.open();
  const { parts, wake } = holdSleep(fake);
  const { id } = await fake.send();
  const spoken = new Spoken(parts);
  const { said, confirmed } = spoken.say(await fake.pack('turn-boundary'), offer);
  wake();
  expect(await confirmed).toBe(false);
  expect((await fake.find(id)).state).toBe('queued');
  expect(await spoken.confirm(said.id)).toBe(false);
});

test('a line for the person alone is printed once, in time, and moves no message', async () => {
  const fake = await FakeDelivery.open();
  const { parts, wake } = holdSleep(fake);
  const { id } = await fake.send();
  const spoken = new Spoken(parts);
  const said = spoken.show({ stdout: 'from lead: look', exitCode: 0 });
  expect(said.reply.stdout).toBe('from lead: look');
  expect(await spoken.confirm(said.id)).toBe(true);
  expect(await spoken.confirm(said.id)).toBe(false);
  const late = spoken.show({ stdout: 'from lead: look', exitCode: 0 });
  wake();
  await Promise.resolve();
  await Promise.resolve();
  expect(await spoken.confirm(late.id)).toBe(false);
  expect((await fake.find(id)).state).toBe('queued');
});

test('rule 16: a confirmation whose claim was lost meanwhile is refused', async () => {
  const fake = await FakeDelivery.open();
  const { parts } = holdSleep(fake);
  const { id } = await fake.send();
  const spoken = new Spoken(parts);
  const { said } = spoken.say(await fake.pack('turn-boundary'), offer);
  fake.clock.pass(16_000);
  expect(await spoken.confirm(said.id)).toBe(false);
  expect((await fake.find(id)).state).toBe('queued');
});

test('rule 16: on the way out nothing is confirmed any more, and the claim is left to its lease', async () => {
  const fake = await FakeDelivery.open();
  const { parts } = holdSleep(fake);
  const { id } = await fake.send();
  const spoken = new Spoken(parts);
  const { said, confirmed } = spoken.say(await fake.pack('turn-boundary'), offer);
  spoken.close();
  expect(await confirmed).toBe(false);
  expect(await spoken.confirm(said.id)).toBe(false);
  expect((await fake.find(id)).state).toBe('claimed');
});

const waiter = (pid: number) => ({ pid, offer: { ...offer, route: 'native' } as const });
const never = new AbortController().signal;
const quiet = { clock: new ManualClock() };

test('rule 22: the newest waiting hook stays, the older one is dismissed', async () => {
  const waiters = new Waiters({ isAlive: () => true, surroundings: quiet }, () => undefined);
  expect(waiters.blocked()).toEqual({ code: 'hook-missing' });
  const first = waiters.wait(waiter(7), never);
  void waiters.wait(waiter(7), never);
  expect(await first).toBe('dismissed');
  expect(waiters.blocked()).toBeUndefined();
});

test('rule 23: an orphan is never answered, and takes nobody else’s place', async () => {
  const dead = new Set<number>();
  const waiters = new Waiters(
    { isAlive: (pid) => !dead.has(pid), surroundings: quiet },
    () => undefined,
  );
  void waiters.wait(waiter(7), never);
  dead.add(8);
  expect(await waiters.wait(waiter(8), never)).toBe('dismissed');
  expect(waiters.blocked()).toBeUndefined();
  dead.add(7);
  expect(waiters.blocked()).toEqual({ code: 'hook-orphaned' });
});

test('rule 23: a client that went away waits no longer', async () => {
  const waiters = new Waiters({ isAlive: () => true, surroundings: quiet }, () => undefined);
  const gone = new AbortController();
  const waiting = waiters.wait(waiter(7), gone.signal);
  gone.abort();
  expect(await waiting).toBe('dismissed');
  expect(waiters.blocked()).toEqual({ code: 'hook-missing' });
});

test('rules 16, 22: a parcel goes to the hook that waits, and counts when that has confirmed it', async () => {
  const fake = await FakeDelivery.open();
  const { parts, wake } = holdSleep(fake);
  const { id } = await fake.send();
  const spoken = new Spoken(parts);
  const waiters = new Waiters(parts, () => undefined);
  expect((await waiters.inject(await fake.pack('native'), spoken)).outcome).toBe('refused');
  await fake.ledger.write((tx) =>
    tx.messages.move([id], {
      from: 'claimed',
      to: 'queued',
      at: 0,
      code: 'not-taken',
      cause: 'test',
    }),
  );
  await fake.ledger.write(async (tx) => tx.claims.endIfEmpty(1, 0));

  const waiting = waiters.wait(waiter(7), never);
  const taking = waiters.inject(await fake.pack('native'), spoken);
  const said = await waiting;
  if (said === 'dismissed') throw new Error('dismissed');
  expect(await spoken.confirm(said.id)).toBe(true);
  expect(await taking).toEqual({ outcome: 'taken' });

  await fake.send();
  void waiters.wait(waiter(7), never);
  const refused = waiters.inject(await fake.pack('native'), spoken);
  wake();
  expect((await refused).outcome).toBe('refused');
});
