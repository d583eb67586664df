import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { FakePen } from '../../test/fakes/pen.ts';
import { headOf } from '../../test/support/head-of.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { AgentStatus } from '../agents/agent.ts';
import type { Evidence, Finding, HookOffer, Injected } from '../providers/way-in.ts';
import { acknowledge } from './acknowledge.ts';
import { handOut } from './hand-out.ts';
import { type Delivery, openDelivery } from './open-delivery.ts';
import type { NativeWay } from './recipient.ts';

/** The real engine on a clock whose sleeps never end: everything that happens was triggered. */
async function open() {
  const fake = await FakeDelivery.open();
  const clock = {
    now: () => fake.clock.now(),
    monotonicMs: () => fake.clock.monotonicMs(),
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  };
  const delivery = openDelivery({
    ...fake.parts,
    surroundings: { ...fake.parts.surroundings, clock },
  });
  onTestFinished(() => delivery.close());
  return { fake, delivery };
}

function createNative(answer: Injected): NativeWay & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    blocked: () => undefined,
    inject: async ({ text, begin }) => {
      texts.push(text);
      return (await begin()) ? answer : { outcome: 'refused', reason: 'too late' };
    },
    close: () => undefined,
  };
}

const hook: HookOffer = {
  route: 'native',
  isContinued: false,
  reply: (text) => ({ stdout: text, exitCode: 2 }),
};
const never = new AbortController().signal;

function attach(
  fake: FakeDelivery,
  delivery: Delivery,
  more: Parameters<FakeDelivery['recipient']>[0],
): void {
  delivery.attach(fake.recipient(more));
}

test('rule 23: a hook that comes before its agent is watched waits, and is answered when it is', async () => {
  const { fake, delivery } = await open();
  const sent = await fake.send();
  const { id } = sent;
  const said = delivery.wait(agent, { pid: 7, offer: hook }, never);
  attach(fake, delivery, { ways: { hasWaitingHook: true } });
  const answer = await said;
  if (answer === 'dismissed') throw new Error('dismissed');
  expect(answer.reply.stdout).toContain(headOf(sent));
  expect(await delivery.confirm(answer.id)).toBe(true);
  expect((await fake.find(id)).state).toBe('injected');
});

test('rule 23: a hook stays when the way into its agent changes, and when we end', async () => {
  const { fake, delivery } = await open();
  const settled = vi.fn();
  void delivery.wait(agent, { pid: 7, offer: hook }, never).then(settled);
  attach(fake, delivery, { ways: { hasWaitingHook: true } });
  attach(fake, delivery, { ways: { hasWaitingHook: true } });
  await delivery.detach(agent);
  await delivery.close();
  expect(settled).not.toHaveBeenCalled();
});

test('rule 21: a route that refuses has woken nobody: the wake budget stays as it was', async () => {
  const { fake, delivery } = await open();
  const native = createNative({ outcome: 'refused', reason: 'not connected' });
  const { id } = await fake.send({ from: agent });
  attach(fake, delivery, { native });
  await waitFor(async () =>
    expect(delivery.waitsFor(agent)).toEqual({ code: 'native-refused', why: 'not connected' }),
  );
  expect((await fake.find(id)).state).toBe('queued');
  const budget = await fake.ledger.read((tx) => tx.turns.findBudget(agent, 'wakes'));
  expect(budget?.used).toBe(0);
});

test('rule 21: the status is asked once more immediately before the act', async () => {
  const { fake, delivery } = await open();
  let status: AgentStatus = 'idle';
  const native: NativeWay = {
    ...createNative({ outcome: 'taken' }),
    inject: async ({ begin }) => {
      status = 'waiting';
      return { outcome: 'refused', reason: `begun: ${await begin()}` };
    },
  };
  await fake.send();
  const view = () => ({ status, composer: 'empty', atRestSince: 0 }) as const;
  attach(fake, delivery, { native, view });
  await waitFor(() =>
    expect(delivery.waitsFor(agent)).toEqual({ code: 'native-refused', why: 'begun: false' }),
  );
});

test('rule 21: an Esc between the look at the evidence and the decision does not make a burst two turns', async () => {
  const { fake, delivery } = await open();
  let status: AgentStatus = 'idle';
  const native = createNative({ outcome: 'taken' });
  const isAtRest = () => status === 'idle' || status === 'completed';
  const view = () => {
    const rest = isAtRest() ? { atRestSince: fake.clock.monotonicMs() } : {};
    return { status, composer: 'empty', ...rest } as const;
  };
  const judge = vi.fn(async () => [{ found: 'none', evidence: '' } as const]);
  // The first message is being read, so that nothing holds the second. Then a person interrupts,
  // before the inbox is read.
  const read = fake.ledger.read.bind(fake.ledger);
  vi.spyOn(fake.ledger, 'read').mockImplementation((work) => {
    if (judge.mock.calls.length > 0) status = 'completed';
    return read(work);
  });
  await fake.send();
  attach(fake, delivery, { native, view, evidence: { judge, close: () => undefined } });
  await waitFor(() => expect(native.texts).toHaveLength(1));
  status = 'processing';
  await fake.send();
  for (const looks of [1, 2]) {
    delivery.look(agent);
    await waitFor(() => expect(judge.mock.calls.length).toBeGreaterThanOrEqual(looks));
  }
  await waitFor(() => expect(delivery.waitsFor(agent)).toEqual({ code: 'earlier-on-its-way' }));
  expect(native.texts).toHaveLength(1);
});

test('rules 5, 15: one with a time to live waits on our side of a busy CLI, later ones behind it, and expires there', async () => {
  const { fake, delivery } = await open();
  const native = createNative({ outcome: 'taken' });
  const view = () => ({ status: 'processing', composer: 'unknown' }) as const;
  const ways = { nativeDuring: ['processing', 'waiting'] } as const;
  const first = await fake.send({ body: 'lasting' });
  const timed = await fake.send({ body: 'timed', expiresAt: fake.clock.now() + 3_600_000 });
  const last = await fake.send({ body: 'behind it' });
  attach(fake, delivery, { native, view, ways });
  await waitFor(() => expect(native.texts).toHaveLength(1));
  expect(native.texts[0]).toContain('lasting');
  expect(native.texts[0]).not.toContain('timed');
  await fake.ledger.write((tx) =>
    acknowledge(tx, fake.clock.now(), [first.id], { code: 'acked', cause: 'read' }),
  );
  delivery.look(agent);
  await waitFor(() => expect(delivery.waitsFor(agent)?.code).toBe('timed'));
  for (const { id } of [timed, last]) expect((await fake.find(id)).state).toBe('queued');
  fake.clock.pass(3_600_001);
  delivery.look(agent);
  await waitFor(() => expect(native.texts).toHaveLength(2));
  expect(native.texts[1]).toContain('behind it');
  expect(native.texts[1]).not.toContain('timed');
  expect((await fake.find(timed.id)).state).toBe('expired');
});

test('rule 9: what an interruption took out is not queued by that very end of the turn', async () => {
  const { fake, delivery } = await open();
  const finding: Finding = { found: 'removed', because: 'interrupted', evidence: 'a record' };
  const judge = vi.fn(async () => [finding]);
  const evidence: Evidence = { judge, close: () => undefined };
  const { id } = await fake.send();
  attach(fake, delivery, { native: createNative({ outcome: 'taken' }), evidence });
  await waitFor(() => {
    delivery.look(agent);
    expect(judge).toHaveBeenCalled();
  });
  await delivery.turnEnded(agent, 'interrupted');
  expect((await fake.find(id)).state).toBe('injected');
});

test.each([
  ['told', {}, 'acked'],
  ['shown by the screen alone, as an Esc is', { showsTurnEnds: true }, 'injected'],
] as const)(
  'rule 17: the end of a turn that is %s, after it took a message itself',
  async (_, more, state) => {
    const { fake, delivery } = await open();
    const { id } = await fake.send();
    const request = { recipient: agent, epoch: 1, max: undefined, by: 'it', isInTerminal: true };
    await (await handOut(fake.ledger, fake.parts.surroundings, request)).finish();
    attach(fake, delivery, { ways: { routes: ['pull'], provable: [], ...more } });
    await delivery.turnEnded(agent, 'completed');
    expect((await fake.find(id)).state).toBe(state);
  },
);

test('rules 19, 20: a stop hook with nothing to say writes nothing, and a spent budget lets the agent rest', async () => {
  const { fake, delivery } = await open();
  const write = vi.spyOn(fake.ledger, 'write');
  const view = () => ({ status: 'processing', composer: 'unknown' }) as const;
  attach(fake, delivery, { view });
  const stop = { ...hook, route: 'turn-boundary', isContinued: true } as const;
  expect(await delivery.ask(agent, stop)).toBeUndefined();
  await delivery.turnEnded(agent, 'completed');
  expect(write).not.toHaveBeenCalled();
  for (let used = 0; used < 3; used++) {
    await fake.send();
    const said = await delivery.ask(agent, stop);
    expect(said && (await delivery.confirm(said.id))).toBe(true);
  }
  await fake.send();
  expect(await delivery.ask(agent, stop)).toBeUndefined();
  expect(await delivery.ask(agent, { ...stop, isContinued: false })).toBeDefined();
});

test.each(['copy-mode', 'synchronised', 'input-off'] as const)(
  'rule 45: %s costs no attempt, however often somebody looks',
  async (obstacle) => {
    const { fake, delivery } = await open();
    const pen = new FakePen();
    pen.obstacle = obstacle;
    const { id } = await fake.send();
    const view = () => ({ status: 'idle', composer: 'empty', emptySince: -1000 }) as const;
    attach(fake, delivery, { pen, view, ways: { routes: ['paste', 'pull'], provable: [] } });
    await waitFor(() => expect(delivery.waitsFor(agent)).toEqual({ code: obstacle }));
    let looks = 0;
    pen.onLook = () => void looks++;
    while (looks < 5) {
      delivery.look(agent);
      await new Promise(setImmediate);
    }
    expect(delivery.waitsFor(agent)).toEqual({ code: obstacle });
    expect(delivery.obstacle(agent)).toBe(delivery.waitsFor(agent));
    expect(await fake.find(id)).toMatchObject({ state: 'queued', attempts: 0 });
  },
);

test('rules 26, 27: a text that is just going in is waited for until what came of it is on disk', async () => {
  const { fake, delivery } = await open();
  const { id } = await fake.send();
  let take = (): void => undefined;
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  let hasBegun = false;
  const native: NativeWay = {
    blocked: () => undefined,
    inject: async ({ begin }) => {
      hasBegun = await begin();
      await taken;
      return { outcome: 'taken' };
    },
    close: () => undefined,
  };
  await delivery.whenCarried(agent);
  attach(fake, delivery, { native });
  await waitFor(() => expect(hasBegun).toBe(true));
  expect((await fake.find(id)).state).toBe('claimed');
  const carried = delivery.whenCarried(agent);
  take();
  await carried;
  expect((await fake.find(id)).state).toBe('injected');
});
