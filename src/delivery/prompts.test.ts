import { expect, onTestFinished, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { FakePen } from '../../test/fakes/pen.ts';
import type { Message } from '../messages/message.ts';
import { findPastedMark } from '../messages/prompt.ts';
import type { Evidence, Finding, HookOffer } from '../providers/way-in.ts';
import { pack, record } from './deliver.ts';
import { createEvidenceMemory } from './evidence-memory.ts';
import { followEvidence } from './follow-evidence.ts';
import { type Delivery, openDelivery } from './open-delivery.ts';
import type { Recipient, RecipientView, Ways } from './recipient.ts';

/** A CLI in which only a paste is a prompt, with a hook that waits: Claude Code. */
const claude: Partial<Ways> = {
  routes: ['native', 'turn-boundary', 'mid-turn', 'paste', 'pull'],
  prompts: ['paste'],
  hasWaitingHook: true,
  pastesWithEnter: true,
};
const hook: HookOffer = {
  ...{ route: 'native', isContinued: false },
  reply: (text) => ({ stdout: text, exitCode: 2 }),
};
const stop: HookOffer = { ...hook, route: 'turn-boundary' };

async function open(view: Partial<RecipientView> = {}, more: Partial<Recipient> = {}) {
  const fake = await FakeDelivery.open();
  const clock = new ManualClock();
  clock.wallMs = fake.clock.wallMs;
  clock.bootMs = fake.clock.bootMs;
  const parts = { ...fake.parts, surroundings: { ...fake.parts.surroundings, clock } };
  const delivery = openDelivery(parts);
  onTestFinished(() => delivery.close());
  /** Lets time pass until it is so. */
  const until = async (isSo: () => boolean): Promise<void> => {
    for (let steps = 0; steps < 5000 && !isSo(); steps++) await clock.pass(40);
    expect(isSo()).toBe(true);
  };
  const pen = new FakePen();
  const seen = { status: 'idle', composer: 'empty', atRestSince: 0, ...view } as const;
  const recipient = fake.recipient({ ways: claude, pen, view: () => seen, ...more });
  const say = (body: string, draft: Partial<Message> = {}) =>
    fake.send({ body, isPrompt: true, ...draft });
  return { fake, parts, clock, delivery, pen, recipient, say, until };
}

async function isCarriedAs(fake: FakeDelivery, id: string, as: string | undefined): Promise<void> {
  expect((await fake.find(id)).carriedAs).toBe(as);
}

/** What a hook that waits is given; undefined while it waits. */
function wait(delivery: Delivery): { text?: string } {
  const given: { text?: string } = {};
  void delivery.wait(agent, { pid: 7, offer: hook }, new AbortController().signal).then((said) => {
    if (said !== 'dismissed') given.text = said.reply.stdout ?? '';
  });
  return given;
}

test('rules 15, 51a, 51b: prompts go first, as one, in one command with Enter; the notice follows', async () => {
  const { fake, delivery, pen, recipient, say, until } = await open();
  const notice = await fake.send({ from: agent, body: 'from a peer' });
  const [first, second] = [await say('test it'), await say('then deploy')];
  const given = wait(delivery);
  delivery.attach(recipient);
  await until(() => pen.submitted.length === 1);
  expect(pen.written).toHaveLength(1);
  expect(pen.submitted[0]).toMatch(
    /^<signalbox 2 mark_\w+>\ntest it\n\n<signalbox 3>\nthen deploy$/,
  );
  await isCarriedAs(fake, first.id, 'prompt');
  await isCarriedAs(fake, second.id, 'prompt');
  await isCarriedAs(fake, notice.id, undefined);
  expect(given.text).toBeUndefined();
});

test('rule 51b: while a prompt waits the stop hook carries nothing, and its rest is waited for', async () => {
  const { fake, delivery, pen, recipient, say } = await open({
    status: 'processing',
  });
  await fake.send({ from: agent, body: 'from a peer' });
  await say('test it');
  delivery.attach(recipient);
  expect(await delivery.ask(agent, stop)).toBeUndefined();
  expect(pen.written).toEqual([]);
});

test('rule 51b: with a draft in the composer for a minute of rest it goes as a notice of the user', async () => {
  const { fake, clock, delivery, pen, recipient, say, until } = await open({ composer: 'draft' });
  const { id } = await say('yes, go ahead');
  const given = wait(delivery);
  const from = clock.monotonicMs();
  delivery.attach(recipient);
  await until(() => given.text?.includes('yes, go ahead') === true);
  expect(given.text).toContain('from the user');
  expect(clock.monotonicMs() - from).toBeGreaterThanOrEqual(60_000);
  expect(pen.written).toEqual([]);
  await isCarriedAs(fake, id, 'notice');
});

test('rule 51b: where nothing can be pasted it is a notice at once', async () => {
  const blocked = { code: 'backend-blind', backend: 'herdr', lacks: 'both' } as const;
  const { clock, delivery, recipient, say, until } = await open({}, { pen: blocked });
  await say('yes, go ahead');
  const given = wait(delivery);
  const from = clock.monotonicMs();
  delivery.attach(recipient);
  await until(() => given.text?.includes('yes, go ahead') === true);
  expect(clock.monotonicMs() - from).toBeLessThan(60_000);
});

test('rule 51: a copy that may be a repeat is a notice', async () => {
  const { fake, delivery, pen, recipient, say, until } = await open();
  const { id } = await say('yes, go ahead');
  await fake.ledger.write(async (tx) => {
    const why = { code: 'claimed', cause: 'by a test' } as const;
    await tx.messages.move([id], { from: 'queued', to: 'claimed', at: 0, ...why });
    const set = { mayRepeat: true };
    await tx.messages.move([id], { from: 'claimed', to: 'queued', at: 0, ...why, set });
  });
  const given = wait(delivery);
  delivery.attach(recipient);
  await until(() => given.text?.includes('MAY BE A REPEAT') === true);
  expect(pen.written).toEqual([]);
});

test('rule 51a: Enter is pressed once, whatever the program makes of it', async () => {
  const { clock, delivery, pen, recipient, say, until } = await open();
  pen.swallows = 1;
  await say('yes, go ahead');
  delivery.attach(recipient);
  await until(() => pen.text.includes('yes, go ahead'));
  for (let i = 0; i < 500; i++) await clock.pass(40);
  expect(pen.written.join('').match(/\r$/g)).toHaveLength(1);
  expect(pen.submitted).toEqual([]);
});

/** A prompt that was pasted and entered, and what the records say of it then. */
async function pasted(finding: Finding, view: Partial<RecipientView>) {
  const evidence: Evidence = { judge: async () => [finding], close: () => undefined };
  const opened = await open(view, { evidence });
  const { parts, fake, recipient, say } = opened;
  const { id } = await say('yes, go ahead');
  const parcel = await pack(parts, recipient, { route: 'paste', standing: 'prompt' });
  const token = parcel?.claim.token ?? 0;
  await fake.ledger.write(async (tx) => {
    await tx.claims.note(token, { step: 'entered' });
    const why = { code: 'put-in', cause: 'pasted' } as const;
    await tx.messages.move([id], { from: 'claimed', to: 'injected', at: 0, ...why });
  });
  const memory = createEvidenceMemory();
  const follow = () => followEvidence(parts, recipient, memory);
  await follow();
  return { ...opened, id, follow };
}

const landed: Finding = { found: 'landed', evidence: 'a record', isTakenBackByEsc: true };

test('rule 51d: interrupted before any output, and out of the composer, it is withdrawn in silence', async () => {
  const { fake, clock, id, follow } = await pasted(landed, { humanKeyAt: Number.MAX_SAFE_INTEGER });
  expect((await fake.find(id)).state).toBe('injected');
  await clock.pass(6000);
  await follow();
  const dead = await fake.find(id);
  expect([dead.state, dead.reason]).toEqual(['dead', 'withdrawn']);
  expect(dead.discardedAt).toBeDefined();
  const bounces = await fake.ledger.read((tx) =>
    tx.messages.list({ party: 'agt_user', states: ['queued'], limit: 10 }),
  );
  expect(bounces).toEqual([]);
});

test('rule 51d: while it may stand in the composer, and where nobody typed, it is not', async () => {
  const typed = { humanKeyAt: Number.MAX_SAFE_INTEGER };
  for (const view of [
    { ...typed, composer: 'draft' } as const,
    {},
    { ...typed, status: 'error' } as const,
  ]) {
    const { fake, clock, id, follow } = await pasted(landed, view);
    await clock.pass(6000);
    await follow();
    expect((await fake.find(id)).state).toBe('injected');
  }
});

test('rule 51d: where the CLI keeps an interrupted prompt in its conversation, it stays there', async () => {
  const kept: Finding = { found: 'landed', evidence: 'a record', isInterrupted: true };
  const { fake, clock, id, follow } = await pasted(kept, { humanKeyAt: Number.MAX_SAFE_INTEGER });
  await clock.pass(600_000);
  await follow();
  expect((await fake.find(id)).state).toBe('injected');
});

test('rules 9, 51d: what records show as taken out by a person is withdrawn, not queued again', async () => {
  const removed: Finding = { found: 'removed', because: 'interrupted', evidence: 'a record' };
  const { fake, id } = await pasted(removed, {});
  expect((await fake.find(id)).reason).toBe('withdrawn');
});

test('rule 51: a prompt holds words of the user alone; a task of an agent is one by itself, fenced', async () => {
  const fake = await FakeDelivery.open();
  await fake.send({ body: 'test it', isPrompt: true });
  await fake.send({ body: 'count it', isPrompt: true, from: agent });
  await fake.send({ body: 'then deploy', isPrompt: true });
  const texts: string[] = [];
  for (let n = 0; n < 3; n++) {
    const wish = { route: 'paste', standing: 'prompt' } as const;
    const parcel = await pack(fake.parts, fake.recipient({ ways: claude }), wish);
    if (!parcel) throw new Error('nothing was packed');
    await record(fake.parts, parcel, { outcome: 'taken' }, { cause: 'pasted' });
    texts.push(parcel.text);
    // By this the records of Claude Code prove it, the fenced one too (rule 6).
    expect(findPastedMark(parcel.text)).toBe(parcel.claim.mark);
  }
  expect(texts[0]).toMatch(/^<signalbox 1 mark_\w+>\ntest it$/);
  expect(texts[1]).toMatch(/^<signalbox mark_\w+>\nMail,.*\n.* 2 message from .*\ncount it\n---/);
  expect(texts[2]).toMatch(/^<signalbox 3 mark_\w+>\nthen deploy$/);
});

test('rule 51: a prompt tells its age after a turn, another conversation or another life, and after 10 s in any case', async () => {
  const age = async (
    ageMs: number,
    change?: (fake: FakeDelivery) => Promise<void>,
  ): Promise<string> => {
    const fake = await FakeDelivery.open();
    await begin(fake, 1);
    await fake.send({ isPrompt: true });
    fake.clock.wallMs += 1000;
    await change?.(fake);
    fake.clock.wallMs += ageMs - 1000;
    const epoch = (await fake.ledger.read((tx) => tx.agents.find(agent)))?.epoch ?? 0;
    const recipient = { ...fake.recipient({ ways: claude }), epoch };
    const parcel = await pack(fake.parts, recipient, { route: 'paste', standing: 'prompt' });
    return parcel?.text.split('\n')[0]?.replace(/mark_\w+/, 'mark') ?? '';
  };
  const fresh = '<signalbox 1 mark>';
  const aged = '<signalbox 1 mark · written 7s ago>';
  expect(await age(7000)).toBe(fresh);
  // The first conversation that becomes known is no other one.
  expect(await age(7000, (fake) => learn(fake, 'one'))).toBe(fresh);
  expect(await age(7000, (fake) => learn(fake, 'two', fake.clock.wallMs))).toBe(aged);
  expect(await age(7000, (fake) => begin(fake, 2))).toBe(aged);
  expect(await age(7000, endTurn)).toBe(aged);
  // Not every end of a turn is on record.
  expect(await age(9999)).toBe(fresh);
  expect(await age(10_000)).toBe('<signalbox 1 mark · written 10s ago>');
  expect(await age(14 * 60_000)).toBe('<signalbox 1 mark · written 14m ago>');
});

function learn(fake: FakeDelivery, conversation: string, at?: number): Promise<void> {
  return fake.ledger.write((tx) => tx.epochs.setConversation(agent, 1, conversation, at));
}

function endTurn(fake: FakeDelivery): Promise<void> {
  const at = fake.clock.wallMs;
  const stop = { session: 's', turn: 't', n: 1, digest: 'd', at, isStandIn: false };
  return fake.ledger.write((tx) => tx.turns.addStop(agent, stop));
}

async function begin(fake: FakeDelivery, epoch: number): Promise<void> {
  await fake.ledger.write(async (tx) => {
    await tx.epochs.insert({
      ...{ agent, epoch, backend: 'tmux', provider: 'claude-code', argv: [], extraArgs: [] },
      ...{ tokenHash: `hash-${epoch}`, startedAt: fake.clock.wallMs },
    });
    await tx.agents.setEpoch(agent, epoch);
  });
}
