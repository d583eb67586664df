import { expect, test } from 'vitest';
import { FakeDelivery } from '../../test/fakes/delivery.ts';
import { injected } from '../../test/fakes/injected.ts';
import { commit } from './deliver.ts';
import { createEvidenceMemory } from './evidence-memory.ts';
import { followEvidence } from './follow-evidence.ts';

test('rule 15: what is on its way in holds the rest; in the conversation, or uncertain, it does not (rule 10)', async () => {
  const { look, say, lose } = await injected();
  expect((await look()).heldOn).toBe('native');
  say('held');
  expect((await look()).heldOn).toBe('native');
  say('landed');
  expect((await look()).heldOn).toBeUndefined();
  say('none');
  await lose();
  expect((await look()).heldOn).toBeUndefined();
});

test('rule 42: an agent that rests without a trace of it keeps later messages back for 5 s, not for a minute', async () => {
  for (const found of ['none', 'unknown'] as const) {
    const { fake, look, say } = await injected();
    say(found);
    expect((await look()).heldOn).toBe('native');
    fake.clock.pass(4999);
    expect((await look()).heldOn).toBe('native');
    fake.clock.pass(1);
    expect((await look()).heldOn).toBeUndefined();
  }
});

test('rule 10: a restarted CLI that cannot answer yet is asked again every 2 s, though nothing else happens', async () => {
  const { look, say, lose, restart } = await injected();
  await lose();
  restart();
  say('unknown');
  expect((await look()).againInMs).toBe(2000);
});

test('rules 10, 42c: what the end of its process broke off was interrupted by nobody: the next life is told to go on', async () => {
  const { fake, id, look, find, lose, restart, memory } = await injected();
  await lose();
  restart();
  // OpenCode 1.18.33 writes the same for SIGTERM as for Esc.
  find({ found: 'landed', isInterrupted: true });
  await look();
  fake.clock.pass(60_000);
  await look();
  expect(memory.places.get(id)).toEqual({ code: 'landed' });
  const waiting = await fake.ledger.read((tx) =>
    tx.messages.list({ states: ['queued'], limit: 10 }),
  );
  expect(waiting).toMatchObject([
    { kind: 'notice', body: expect.stringContaining(`${id} (1), further up`) },
  ]);
});

test('rule 42c: what a person interrupted is told as such, is not offered again and reminds nobody', async () => {
  const { fake, id, look, find, memory, state } = await injected();
  find({ found: 'landed', isInterrupted: true });
  for (let minute = 0; minute < 10; minute++) {
    expect((await look()).heldOn).toBeUndefined();
    fake.clock.pass(60_000);
  }
  expect(await state()).toBe('injected');
  expect(memory.places.get(id)).toEqual({ code: 'landed-interrupted' });
  expect(
    await fake.ledger.read((tx) => tx.messages.list({ states: ['queued', 'injected'], limit: 10 })),
  ).toHaveLength(1);
});

test('rule 15: work that begins after a wake is the wake’s, but not where a hook had waited: it may be a person’s', async () => {
  const woken = await injected();
  woken.work();
  expect((await woken.look()).heldOn).toBeUndefined();
  const { look, say, work } = await injected('native', { hasWaitingHook: true });
  work();
  expect((await look()).heldOn).toBe('native');
  say('landed');
  expect((await look()).heldOn).toBeUndefined();
});

test('rules 4, 10: 60 s of rest without proof, then uncertain, and at once one marked re-offer; then dead', async () => {
  const { fake, id, look, state, lose } = await injected();
  await look();
  fake.clock.pass(60_000);
  await look();
  expect(await state()).toBe('uncertain');
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: true, reoffered: true });
  await commit(fake.parts, await fake.pack('native'), 'in again');
  await lose();
  await look();
  fake.clock.pass(120_000);
  await look();
  await look();
  fake.clock.pass(60_000);
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'dead', reason: 'attempts_exhausted' });
});

test('rules 7, 36: proof of an attempt that was given up counts, before the second copy goes and after the end', async () => {
  const { fake, look, say, state } = await injected();
  for (const ms of [0, 60_000, 0, 60_000]) {
    fake.clock.pass(ms);
    await look();
  }
  expect(await state()).toBe('queued');
  say('seen');
  await look();
  expect(await state()).toBe('seen');
});

test('rule 9: what a failure took out is queued at once; after an interruption at the next boundary', async () => {
  const failed = await injected();
  failed.say('removed', 'failed');
  await failed.look();
  expect(await failed.state()).toBe('queued');
  const { look, say, pass, state } = await injected();
  say('removed', 'interrupted');
  await look();
  expect(await state()).toBe('injected');
  expect(await pass()).toBe(true);
  expect(await state()).toBe('queued');
});

test('rule 9: seen goes back once, marked, when the turn that held it was cancelled', async () => {
  const { fake, id, look, say, pass, state } = await injected();
  say('seen');
  await look();
  say('removed', 'interrupted');
  await look();
  expect(await state()).toBe('seen');
  await pass();
  expect(await fake.find(id)).toMatchObject({
    state: 'queued',
    wasTakenBack: true,
    mayRepeat: true,
  });
});

test('rule 12: put back and sent by the person, its mark proves it, and no boundary takes that back', async () => {
  const { look, say, pass, state } = await injected('paste');
  say('removed', 'interrupted');
  await look();
  say('seen');
  await look();
  expect(await state()).toBe('seen');
  expect(await pass()).toBe(false);
  expect(await state()).toBe('seen');
});

test('rule 12: no re-offer while the text stands in the composer; sent after all, its mark proves it', async () => {
  const { look, say, pass, compose, state } = await injected('paste');
  say('removed', 'interrupted');
  compose('draft');
  await look();
  expect(await pass()).toBe(false);
  expect(await state()).toBe('injected');
  compose('empty');
  expect(await pass()).toBe(true);
  expect(await state()).toBe('queued');
  say('seen');
  await look();
  expect(await state()).toBe('seen');
});

test('rule 22: a queue that an interruption paused is released after 10 s of quiet, and not over a person', async () => {
  const { fake, look, say, type, releases } = await injected();
  say('held');
  expect((await look()).againInMs).toBe(10_000);
  fake.clock.pass(9000);
  type();
  fake.clock.pass(2000);
  await look();
  expect(releases()).toBe(0);
  fake.clock.pass(8000);
  await look();
  await look();
  expect(releases()).toBe(1);
});

test('rule 22: a queue that went on and was paused again is released again after 10 s', async () => {
  const { fake, look, say, rest, releases } = await injected();
  say('held');
  fake.clock.pass(10_000);
  await look();
  expect(releases()).toBe(1);
  // Its queue went on, and a person has interrupted that, too.
  fake.clock.pass(1000);
  rest();
  expect((await look()).againInMs).toBe(10_000);
  fake.clock.pass(10_000);
  await look();
  expect(releases()).toBe(2);
  // A queue that did not start is not asked again at once.
  fake.clock.pass(29_000);
  await look();
  expect(releases()).toBe(2);
});

test('rule 22: what comes after a release does not wait for the next one: the terminal has been quiet', async () => {
  const { fake, look, say, type, releases } = await injected();
  say('held');
  fake.clock.pass(10_000);
  await look();
  expect(releases()).toBe(1);
  fake.clock.pass(5000);
  await fake.send();
  await commit(fake.parts, await fake.pack('native'), 'in');
  await look();
  expect(releases()).toBe(2);
  // And not over a person who has typed since.
  fake.clock.pass(5000);
  type();
  await fake.send();
  await commit(fake.parts, await fake.pack('native'), 'in');
  await look();
  expect(releases()).toBe(2);
  fake.clock.pass(10_000);
  await look();
  expect(releases()).toBe(3);
});

test('rule 42c: what a person broke off is not begun again by a release, however long they are gone', async () => {
  const { fake, look, find, releases } = await injected();
  find({ found: 'landed', isInterrupted: true });
  for (let minute = 0; minute < 3; minute++) {
    fake.clock.pass(60_000);
    await look();
  }
  expect(releases()).toBe(0);
  // What waits behind it is.
  const behind = await injected();
  behind.find({ found: 'landed' });
  behind.fake.clock.pass(10_000);
  await behind.look();
  expect(behind.releases()).toBe(1);
});

test('rule 20: with nothing on its way in the evidence is not even asked', async () => {
  const fake = await FakeDelivery.open();
  const judge = (): never => {
    throw new Error('asked');
  };
  const recipient = fake.recipient({ evidence: { judge, close: () => undefined } });
  const standing = await followEvidence(fake.parts, recipient, createEvidenceMemory());
  expect(standing).toEqual({ heldOn: undefined, againInMs: undefined });
});
