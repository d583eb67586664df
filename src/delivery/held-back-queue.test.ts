import { expect, onTestFinished, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { type Delivery, openDelivery } from './open-delivery.ts';
import type { RecipientView } from './recipient.ts';

interface Held {
  readonly fake: FakeDelivery;
  readonly delivery: Delivery;
  readonly texts: readonly string[];
  show(view: RecipientView): void;
}

/** The real engine and a CLI like Qwen Code 0.24.4, on a clock that the test alone moves. */
async function open(): Promise<Held> {
  const fake = await FakeDelivery.open();
  const sleep = (_: number, signal?: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const { clock: real } = fake;
  const clock = { now: () => real.now(), monotonicMs: () => real.monotonicMs(), sleep };
  const surroundings = { ...fake.parts.surroundings, clock };
  const delivery = openDelivery({ ...fake.parts, surroundings });
  onTestFinished(() => delivery.close());
  const texts: string[] = [];
  let view: RecipientView = { status: 'processing', composer: 'unknown' };
  delivery.attach(
    fake.recipient({
      ways: { routes: ['native', 'pull'], nativeDuring: ['processing'], queueOnEsc: 'returned' },
      view: () => view,
      native: {
        blocked: () => undefined,
        inject: async ({ text, begin }) => {
          if (!(await begin())) return { outcome: 'refused', reason: 'too late' };
          texts.push(text);
          return { outcome: 'taken' };
        },
        close: () => undefined,
      },
    }),
  );
  const show = (now: RecipientView): void => {
    view = now;
    delivery.look(agent);
  };
  return { fake, delivery, texts, show };
}

test('rules 15, 22: what comes while such a CLI works or asks is claimed at rest alone, in order and as one batch', async () => {
  const { fake, delivery, texts, show } = await open();
  const first = await fake.send({ body: 'the first' });
  const urgent = await fake.send({ body: 'the urgent one', urgent: true });
  delivery.look(agent);
  await waitFor(() => expect(delivery.waitsFor(agent)?.code).toBe('works-until-rest'));
  show({ status: 'waiting', composer: 'hidden', detail: 'permission' });
  await waitFor(() => expect(delivery.waitsFor(agent)?.code).toBe('question'));
  for (const { id } of [first, urgent]) expect((await fake.find(id)).attempts).toBe(0);
  show({ status: 'completed', composer: 'empty', atRestSince: fake.clock.monotonicMs() });
  await waitFor(() => expect(texts).toHaveLength(1));
  expect(texts[0]).toContain('the first');
  expect(texts[0]).toContain('the urgent one');
});

test('rule 22: after an Esc nothing is claimed until the person has been quiet for 3 s, and a prompt of theirs goes first', async () => {
  const { fake, delivery, texts, show } = await open();
  const { id } = await fake.send();
  const escAt = fake.clock.monotonicMs();
  const rest = {
    status: 'idle',
    composer: 'empty',
    atRestSince: escAt,
    brokenOffAt: escAt,
  } as const;
  show(rest);
  await waitFor(() => expect(delivery.waitsFor(agent)?.code).toBe('just-broken-off'));
  // A second Esc.
  fake.clock.pass(2000);
  show({ ...rest, humanKeyAt: fake.clock.monotonicMs() });
  fake.clock.pass(2000);
  delivery.look(agent);
  await waitFor(() => expect(delivery.waitsFor(agent)?.code).toBe('just-broken-off'));
  show({ status: 'processing', composer: 'unknown' });
  await waitFor(() => expect(delivery.waitsFor(agent)?.code).toBe('works-until-rest'));
  expect([texts.length, (await fake.find(id)).state]).toEqual([0, 'queued']);
  // Their turn has ended by itself.
  show({ status: 'completed', composer: 'empty', atRestSince: fake.clock.monotonicMs() });
  await waitFor(() => expect(texts).toHaveLength(1));
});
