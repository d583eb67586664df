import { expect, test } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import { systemClock } from '../shared/clock.ts';
import { Bus, type BusOptions } from './bus.ts';
import { type Delivery, isGap } from './mailbox.ts';
import type { SignalEvent } from './topics.ts';

test('E1: subscribers run outside the publisher, in order, and get what matches alone', async () => {
  const { bus } = createBus();
  const seen: string[] = [];
  bus.on('a', ['agent.*.exited'], (delivery) => void seen.push(topic(delivery)));
  bus.publish(exited('agt_1'));
  bus.publish(message('msg_1'));
  bus.publish(exited('agt_2'));
  expect(seen).toEqual([]);
  await waitFor(() => expect(seen).toEqual(['agent.agt_1.exited', 'agent.agt_2.exited']));
});

test('E1: a subscriber that throws is reported and goes on; the others notice nothing', async () => {
  const { bus, errors } = createBus();
  const seen: string[] = [];
  bus.on('broken', ['agent.*.*'], (delivery) => {
    seen.push(`broken ${topic(delivery)}`);
    throw new Error('broken');
  });
  bus.on('rejecting', ['agent.*.*'], () => Promise.reject(new Error('rejected')));
  bus.on('sound', ['agent.*.*'], (delivery) => void seen.push(`sound ${topic(delivery)}`));
  bus.publish(exited('agt_1'));
  bus.publish(exited('agt_2'));
  await waitFor(() => expect(errors).toHaveLength(4));
  expect(errors.toSorted()).toEqual([
    'broken: broken',
    'broken: broken',
    'rejecting: rejected',
    'rejecting: rejected',
  ]);
  expect(seen.filter((line) => line.startsWith('sound'))).toHaveLength(2);
});

test('E1: whoever is told of errors may throw himself', async () => {
  const seen: string[] = [];
  const bus = new Bus({
    ...options(),
    onError: () => {
      throw new Error('no log');
    },
  });
  bus.on('broken', ['agent.*.*'], (delivery) => {
    seen.push(topic(delivery));
    throw new Error('broken');
  });
  bus.publish(exited('agt_1'));
  bus.publish(exited('agt_2'));
  await waitFor(() => expect(seen).toHaveLength(2));
});

test('E1: a subscriber that never comes back holds a bounded queue, and the others get everything', async () => {
  const { bus } = createBus({ mailboxLimit: 10 });
  const stuck = bus.subscribe(['message.*.*']);
  let taken = 0;
  bus.on('quick', ['message.*.*'], () => void taken++);
  for (let i = 0; i < 100; i++) {
    bus.publish(message(`msg_${i}`));
    const want = i + 1;
    await waitFor(() => expect(taken).toBe(want));
  }
  expect(stuck.waiting).toBe(11);
  const deliveries: Delivery[] = [];
  while (stuck.waiting > 0) deliveries.push((await stuck.next()) as Delivery);
  expect(deliveries.slice(0, 10).map(topic)).toEqual(
    Array.from({ length: 10 }, (_, i) => `message.msg_${i}.queued`),
  );
  expect(deliveries[10]).toEqual({ lost: 90 });
});

test('E1: a subscriber may publish to itself without end and starves nobody', async () => {
  const { bus } = createBus();
  let rounds = 0;
  const stop = bus.on('loop', ['agent.*.exited'], () => {
    rounds++;
    bus.publish(exited('agt_1'));
  });
  bus.publish(exited('agt_1'));
  // A timer fires all the same.
  await systemClock.sleep(5);
  await waitFor(() => expect(rounds).toBeGreaterThan(3));
  stop();
  expect(bus.subscribers).toBe(0);
});

test('E1: who comes back with the id of the last event gets all that followed, once', async () => {
  const { bus } = createBus();
  for (let i = 0; i < 5; i++) bus.publish(message(`msg_${i}`));
  const second = bus.recent([])[1]?.id ?? '';
  const missed = bus.since(second, []);
  expect(missed).not.toBe('unknown');
  expect(ids(missed)).toEqual(['boot1-3', 'boot1-4', 'boot1-5']);
  expect(bus.since(bus.tip, [])).toEqual([]);
  expect(ids(bus.since('boot1-0', ['message.msg_4.*']))).toEqual(['boot1-5']);
});

test('E1: an id of another daemon, one too old, one from the future and a wrong one are unknown', () => {
  const { bus } = createBus({ replayLimit: 4 });
  for (let i = 0; i < 50; i++) bus.publish(message(`msg_${i}`));
  for (const id of ['boot0-3', 'boot1-1', 'boot1-51', 'boot1-', 'x', '', 'boot1-1e1']) {
    expect(bus.since(id, []), id).toBe('unknown');
  }
  expect(bus.since('boot1-50', [])).toEqual([]);
  expect(bus.recent([]).length).toBeLessThanOrEqual(5);
});

test('output is not kept for replay and has no id', async () => {
  const { bus } = createBus();
  const subscription = bus.subscribe(['terminal.*.output']);
  bus.publish({ kind: 'output', agent: 'agt_1', data: { bytes: 7 } });
  const delivery = await subscription.next();
  expect(delivery).toMatchObject({ topic: 'terminal.agt_1.output', event: { data: { bytes: 7 } } });
  expect(delivery).not.toHaveProperty('id');
  expect(bus.recent(['*.*.*'])).toEqual([]);
});

test('closing ends every subscription; nothing is delivered after that', async () => {
  const { bus } = createBus();
  const subscription = bus.subscribe([]);
  const next = subscription.next();
  bus.close();
  expect(await next).toBeUndefined();
  bus.publish(exited('agt_1'));
  expect(bus.subscribers).toBe(0);
  expect(await bus.subscribe([]).next()).toBeUndefined();
});

function createBus(more: Partial<BusOptions> = {}) {
  const errors: string[] = [];
  const onError = (error: unknown, subscriber: string) =>
    void errors.push(`${subscriber}: ${(error as Error).message}`);
  return { bus: new Bus({ ...options(), onError, ...more }), errors };
}

function options(): Omit<BusOptions, 'onError'> {
  return { clock: systemClock, boot: 'boot1' };
}

function exited(agent: string): SignalEvent {
  const who = { name: agent, session: 'default', epoch: 1 };
  return { kind: 'exited', agent, data: { ...who, cause: 'exit', exitCode: 0 } };
}

function message(id: string): SignalEvent {
  return {
    kind: 'message',
    message: id,
    data: { state: 'queued', from: 'agt_user', to: 'agt_1' },
  };
}

function topic(delivery: Delivery): string {
  return isGap(delivery) ? 'gap' : delivery.topic;
}

function ids(events: ReturnType<Bus['since']>): readonly (string | undefined)[] {
  return events === 'unknown' ? [] : events.map(({ id }) => id);
}
