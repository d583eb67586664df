import { expect, test } from 'vitest';
import { injected } from '../../test/fakes/injected.ts';
import { hasReached } from './reach.ts';

test('rule 42b: what waits in the queue of a left conversation is taken out of it, and its next copy is a first one', async () => {
  const { fake, id, look, find, withdraws } = await injected();
  withdraws(() => 'withdrawn');
  find({ found: 'held', isLeft: true });
  expect((await look()).heldOn).toBeUndefined();
  fake.clock.pass(2000);
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: false, notLanded: 1 });
});

test('rule 42b: what cannot be taken out of it is offered again, marked: a later /resume may deliver the old copy', async () => {
  const answers = [
    () => 'unknown' as const,
    () => {
      throw new Error('a bug of the way in');
    },
  ];
  for (const answer of answers) {
    const { fake, id, look, find, withdraws } = await injected();
    withdraws(answer);
    find({ found: 'held', isLeft: true });
    await look();
    fake.clock.pass(2000);
    await look();
    expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: true, notLanded: 0 });
  }
});

test('rule 42b: a CLI that gives no answer for 5 s has not taken it back', async () => {
  const { fake, id, look, find, withdraws } = await injected();
  withdraws(() => new Promise(() => undefined) as never);
  find({ found: 'held', isLeft: true });
  await look();
  fake.clock.pass(2000);
  // Its sleep passes at once; an answer never comes.
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: true });
});

test('rule 42b: what was read in a left conversation, without an answer, is offered again, marked, and late proof still counts', async () => {
  const { fake, id, look, find, say } = await injected();
  find({ found: 'landed', isLeft: true });
  await look();
  fake.clock.pass(2000);
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: true });
  say('seen');
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'seen' });
});

test('rule 42b: a conversation that is shown again before it was given up is followed on', async () => {
  const { fake, look, find, state } = await injected();
  find({ found: 'landed', isLeft: true });
  await look();
  fake.clock.pass(1999);
  find({ found: 'landed' });
  await look();
  find({ found: 'landed', isLeft: true });
  fake.clock.pass(1);
  await look();
  expect(await state()).toBe('injected');
});

test('rule 51d: a prompt that a person broke off and left behind by /clear is not said for them again', async () => {
  const { fake, id, look, find, work, rest, type } = await injected('paste', {}, 'prompt');
  find({ found: 'landed', isTakenBackByEsc: true });
  work();
  await look();
  fake.clock.pass(1000);
  type();
  rest();
  await look();
  // Claude Code 2.1.325 counts as working while it clears.
  work();
  await look();
  rest();
  find({ found: 'landed', isLeft: true });
  await look();
  fake.clock.pass(2000);
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'dead', reason: 'withdrawn' });
  const message = await fake.find(id);
  await expect(fake.ledger.read((tx) => hasReached(tx, message, 'seen'))).rejects.toThrow(
    'is dead and will not be seen: it was taken back at the terminal',
  );
});

test('rule 51d: nor is one whose interruption stands in the conversation that was left', async () => {
  const { fake, id, look, find } = await injected('paste', {}, 'prompt');
  find({ found: 'landed', isLeft: true, isInterrupted: true });
  await look();
  fake.clock.pass(2000);
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'dead', reason: 'withdrawn' });
});

test('rules 42b, 51d: one that nobody broke off, or that was answered after all, is no such prompt', async () => {
  const { fake, id, look, find, work, rest, type, say } = await injected('paste', {}, 'prompt');
  find({ found: 'landed', isTakenBackByEsc: true });
  // Nobody has pressed a key when it rests, nor does it rest when they do.
  fake.clock.pass(1000);
  rest();
  await look();
  work();
  type();
  await look();
  find({ found: 'landed', isLeft: true });
  await look();
  fake.clock.pass(2000);
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: true });
  say('seen');
  await look();
  expect((await fake.find(id)).state).toBe('seen');
});

test('rule 42c: a notice that a person broke off in a conversation that was left is offered again', async () => {
  const { fake, id, look, find } = await injected('paste');
  find({ found: 'landed', isLeft: true, isInterrupted: true });
  await look();
  fake.clock.pass(2000);
  await look();
  expect(await fake.find(id)).toMatchObject({ state: 'queued', mayRepeat: true });
});
