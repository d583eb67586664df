import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { FakePen } from '../../test/fakes/pen.ts';
import { headOf } from '../../test/support/head-of.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { type AgentStatus, createPuller } from '../agents/agent.ts';
import type { HookOffer, Injected } from '../providers/way-in.ts';
import { type Delivery, openDelivery } from './open-delivery.ts';
import type { DeliveryParts } from './parts.ts';
import type { NativeWay, RecipientView } from './recipient.ts';

/** The real engine, and time that passes only when a test says so. */
async function open() {
  const fake = await FakeDelivery.open();
  const clock = new ManualClock();
  clock.wallMs = fake.clock.wallMs;
  clock.bootMs = fake.clock.bootMs;
  const parts: DeliveryParts = {
    ...fake.parts,
    surroundings: { ...fake.parts.surroundings, clock },
  };
  const start = (): Delivery => {
    const delivery = openDelivery(parts);
    onTestFinished(() => delivery.close());
    return delivery;
  };
  return { fake, clock, start, delivery: start() };
}

function nativeThat(inject: NativeWay['inject']): NativeWay {
  return { blocked: () => undefined, inject, close: () => undefined };
}

/** Takes everything, and keeps it. */
function taker(texts: string[]): NativeWay {
  return nativeThat(async ({ text, begin }): Promise<Injected> => {
    if (!(await begin())) return { outcome: 'refused', reason: 'too late' };
    texts.push(text);
    return { outcome: 'taken' };
  });
}

/** Unproven routes, so that nothing holds back what follows. */
const unproven = { provable: [] } as const;

test('D1, rule 1: claimed before it is sent: whatever our own typing triggers meanwhile delivers nothing again', async () => {
  const { fake, delivery } = await open();
  const { id } = await fake.send();
  let answer = (_: Injected): void => undefined;
  const inject = vi.fn(async ({ begin }: Parameters<NativeWay['inject']>[0]) => {
    await begin();
    return new Promise<Injected>((resolve) => {
      answer = resolve;
    });
  });
  const recipient = fake.recipient({ native: nativeThat(inject), ways: unproven });
  delivery.attach(recipient);
  await waitFor(() => expect(inject).toHaveBeenCalledTimes(1));
  expect((await fake.find(id)).state).toBe('claimed');
  for (let i = 0; i < 50; i++) delivery.look(agent);
  const stop = { route: 'turn-boundary', isContinued: false, reply: say } as const;
  expect(await delivery.ask(agent, stop)).toBeUndefined();
  answer({ outcome: 'taken' });
  await waitFor(async () => expect((await fake.find(id)).state).toBe('injected'));
  delivery.look(agent);
  await delivery.detach(agent);
  expect(inject).toHaveBeenCalledTimes(1);
});

test.each([
  ['its terminal cannot be found right now', { isGone: true, answers: [], last: undefined }],
  ['there is no connection to it', { isGone: false, answers: ['unsent'], last: 'not-taken' }],
  ['it is gone at the very write', { isGone: false, answers: ['gone'], last: 'not-taken' }],
] as const)(
  'D3, D4: %s: queued with its reason, and carried when it can be',
  async (_, trouble) => {
    const { fake, clock, delivery } = await open();
    const pen = new FakePen();
    pen.isGone = trouble.isGone;
    pen.answers.push(...trouble.answers);
    const { id } = await fake.send();
    const ways = { ...unproven, routes: ['paste'] } as const;
    const view = (): RecipientView => ({ status: pen.status, composer: 'empty', atRestSince: 0 });
    delivery.attach(fake.recipient({ pen, ways, view }));
    await turns(clock, async () => expect(delivery.waitsFor(agent)?.code).toMatch(/^terminal-/));
    const refused = await fake.find(id);
    expect([refused.state, refused.notLanded, pen.submitted]).toEqual(['queued', 0, []]);
    const history = await fake.ledger.read((tx) => tx.messages.history(id));
    expect(history.at(-1)?.code).toBe(trouble.last);
    pen.isGone = false;
    await turns(clock, async () => expect((await fake.find(id)).state).toBe('injected'));
    expect(pen.submitted).toHaveLength(1);
  },
);

test('D5: an agent that rests and never prints another byte gets it at once', async () => {
  const { fake, delivery } = await open();
  const texts: string[] = [];
  delivery.attach(fake.recipient({ native: taker(texts), ways: unproven }));
  await fake.send();
  delivery.look(agent);
  await waitFor(() => expect(texts).toHaveLength(1));
});

test('rule 25, D6: what nobody was told of is found by the sweep; one agent’s failure harms no other', async () => {
  const { fake, clock, delivery } = await open();
  const other = await addOther(fake);
  const broken = (): never => {
    throw new Error('no view');
  };
  delivery.attach(fake.recipient({ view: broken }));
  const texts: string[] = [];
  delivery.attach(fake.recipient({ agent: other, native: taker(texts), ways: unproven }));
  await settled();
  // The wall clock goes wrong meanwhile: it counts for nothing here.
  clock.wallMs -= 3_600_000;
  await fake.send();
  const { id } = await fake.send({ to: other });
  await clock.pass(29_999);
  await settled();
  expect((await fake.find(id)).state).toBe('queued');
  await clock.pass(1);
  await waitFor(() => expect(texts).toHaveLength(1));
  expect(fake.warnings).toContain('a look of delivery failed');
});

test('rules 5, 25: the sweep ends times to live also for agents that do not run; one inbox that fails stops no other', async () => {
  const { fake, clock } = await open();
  const other = await addOther(fake);
  const expiresAt = clock.now() + 10_000;
  const { id: failing } = await fake.send({ expiresAt });
  const { id } = await fake.send({ to: other, expiresAt });
  const { id: later } = await fake.send({ to: other, expiresAt: clock.now() + 60_000 });
  vi.spyOn(fake.ledger, 'write').mockRejectedValueOnce(new Error('disk full'));
  await clock.pass(30_000);
  await waitFor(async () => expect((await fake.find(id)).state).toBe('expired'));
  expect(fake.warnings).toEqual(['an inbox could not be settled']);
  expect((await fake.find(failing)).state).toBe('queued');
  expect((await fake.find(later)).state).toBe('queued');
  await settled();
  await clock.pass(30_000);
  await waitFor(async () => expect((await fake.find(failing)).state).toBe('expired'));
});

test.each(['waiting', 'unknown', 'starting', 'processing'] as const)(
  'D7: into an agent that is %s nothing is typed; when it rests, it is',
  async (status) => {
    const { fake, clock, delivery } = await open();
    const pen = new FakePen();
    let now: AgentStatus = status;
    pen.status = status;
    const view = (): RecipientView =>
      now === 'idle'
        ? { status: now, composer: 'empty', atRestSince: 0 }
        : { status: now, composer: 'empty' };
    await fake.send();
    const ways = { ...unproven, routes: ['paste'] } as const;
    delivery.attach(fake.recipient({ pen, ways, view }));
    for (let i = 0; i < 20; i++) await clock.pass(30_000);
    expect(pen.written).toEqual([]);
    now = 'idle';
    pen.status = 'idle';
    delivery.look(agent);
    await turns(clock, async () => expect(pen.submitted).toHaveLength(1));
  },
);

test('E8, O10, rule 21: the first is not delayed, and the burst behind it is one wake with all of them, in order', async () => {
  const { fake, clock, delivery } = await open();
  const texts: string[] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const native = nativeThat(async ({ text, begin }) => {
    await begin();
    texts.push(text);
    if (texts.length === 1) await gate;
    return { outcome: 'taken' };
  });
  delivery.attach(fake.recipient({ native, ways: unproven }));
  await fake.send({ body: 'first', isScript: true });
  delivery.look(agent);
  await waitFor(() => expect(texts).toHaveLength(1));
  const heads: string[] = [];
  for (let i = 0; i < 5; i++) {
    heads.push(headOf(await fake.send({ isScript: true })));
    delivery.look(agent);
  }
  release();
  await turns(clock, async () => expect(texts).toHaveLength(2));
  const places = heads.map((head) => texts[1]?.indexOf(head) ?? -1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(Math.min(...places)).toBeGreaterThan(0);
  const budget = await fake.ledger.read((tx) => tx.turns.findBudget(agent, 'scripts'));
  expect(budget?.used).toBe(2);
});

test('O10: a way in that never answers is given up, and its message is uncertain, not lost', async () => {
  const { fake, clock, delivery } = await open();
  const { id } = await fake.send();
  const native = nativeThat(async ({ begin }) => {
    await begin();
    return new Promise(() => undefined);
  });
  delivery.attach(fake.recipient({ native }));
  await turns(clock, async () => expect((await fake.find(id)).state).toBe('uncertain'));
});

test('O7, rule 19: blocks are counted across daemons; a spent budget takes nothing; rest resets it', async () => {
  const { fake, clock, delivery, start } = await open();
  let view: RecipientView = { status: 'processing', composer: 'unknown' };
  const recipient = fake.recipient({
    view: () => view,
    ways: { ...unproven, routes: ['turn-boundary'] },
  });
  const stop: HookOffer = { route: 'turn-boundary', isContinued: true, reply: say };
  let desk = delivery;
  for (let used = 0; used < 3; used++) {
    await desk.close();
    desk = start();
    desk.attach(recipient);
    await fake.send();
    const said = await desk.ask(agent, stop);
    expect(said && (await desk.confirm(said.id))).toBe(true);
  }
  const { id } = await fake.send();
  expect(await desk.ask(agent, stop)).toBeUndefined();
  expect((await fake.find(id)).state).toBe('queued');
  await clock.pass(5000);
  view = { status: 'idle', composer: 'empty', atRestSince: clock.monotonicMs() };
  desk.look(agent);
  await settled();
  expect(await desk.ask(agent, stop)).toBeDefined();
});

test('O16: an agent with an empty inbox is never given a word, however long it rests', async () => {
  const { fake, clock, delivery } = await open();
  const pen = new FakePen();
  const texts: string[] = [];
  for (const pastes of ['message', 'notice'] as const) {
    delivery.attach(fake.recipient({ pen, native: taker(texts), ways: { pastes } }));
    for (let hours = 0; hours < 24; hours++) {
      await clock.pass(3_600_000);
      await delivery.turnEnded(agent, 'completed');
    }
  }
  const stop: HookOffer = { route: 'turn-boundary', isContinued: false, reply: say };
  expect(await delivery.ask(agent, stop)).toBeUndefined();
  expect([texts, pen.written]).toEqual([[], []]);
});

async function addOther({ ledger, clock }: FakeDelivery): Promise<string> {
  const id = 'agt_2';
  const row = { ...createPuller(id, clock.now()), name: 'b', session: 's', cwd: '/srv/app' };
  await ledger.write((tx) => tx.agents.insert({ ...row, notify: false }));
  return id;
}

function say(text: string) {
  return { stdout: text, exitCode: 0 } as const;
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
}

/** Lets time pass, in small steps, until it is so. */
async function turns(clock: ManualClock, check: () => Promise<void>): Promise<void> {
  for (let left = 2000; ; left--) {
    try {
      return await check();
    } catch (error) {
      if (left === 0) throw error;
    }
    await clock.pass(50);
    await settled();
  }
}
