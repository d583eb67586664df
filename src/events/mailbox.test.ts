import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Delivery, isGap, Mailbox, type Published } from './mailbox.ts';

type Step = 'take' | { readonly agent: number } | 'message';
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant('take' as const),
  fc.record({ agent: fc.nat(4) }),
  fc.constant('message' as const),
);

test('E1: whatever is published and taken, in any order: the latest status of each agent arrives, ids grow, every loss is told, and the rest is bounded', () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), play), {
    numRuns: 500,
  });
});

function play(steps: readonly Step[], limit: number): void {
  const mailbox = new Mailbox(limit);
  const latest = new Map<string, string>();
  const arrived = new Map<string, string>();
  const seen: number[] = [];
  let [messages, messagesSeen, lost, n] = [0, 0, 0, 0];
  const take = (): boolean => {
    const delivery: Delivery | undefined = mailbox.take();
    if (delivery === undefined) return false;
    if (isGap(delivery)) lost += delivery.lost;
    else {
      seen.push(Number(delivery.id));
      if (delivery.event.kind === 'status') arrived.set(delivery.event.agent, delivery.id ?? '');
      else messagesSeen++;
    }
    return true;
  };
  for (const one of steps) {
    if (one === 'take') take();
    else {
      const published = one === 'message' ? message(++n) : status(++n, one.agent);
      if (one === 'message') messages++;
      else latest.set(`agt_${one.agent}`, String(n));
      mailbox.put(published);
    }
    // Five agents, `limit` others, one gap.
    expect(mailbox.size).toBeLessThanOrEqual(limit + 5 + 1);
  }
  while (take());
  expect(arrived).toEqual(latest);
  expect(messagesSeen + lost).toBe(messages);
  expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
}

function status(n: number, agent: number): Published {
  const data = {
    name: 'a',
    session: 'default',
    status: 'idle',
    source: 'screen',
    since: 0,
    composer: 'unknown',
  } as const;
  const event = { kind: 'status', agent: `agt_${agent}`, data } as const;
  return { id: String(n), topic: '', at: 0, event };
}

function message(n: number): Published {
  const data = { state: 'queued', from: 'agt_a', to: 'agt_b' } as const;
  return { id: String(n), topic: '', at: 0, event: { kind: 'message', message: `msg_${n}`, data } };
}
