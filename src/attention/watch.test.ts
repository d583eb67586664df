import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openAttentionWorld } from '../../test/support/attention-world.ts';
import { signalbox, userAgentId } from '../agents/agent.ts';
import { Fault } from '../shared/fault.ts';

test('rule 48: a question is in the inbox of the user after 30 s, once, and settled when it is gone', async () => {
  const world = await openAttentionWorld();
  const { pass, ask, calm, inbox } = world;
  world.start();
  ask('lead');
  await pass(29_000);
  expect(await inbox()).toEqual([]);
  await pass(2000);
  expect(await inbox()).toMatchObject([
    { kind: 'notice', from: signalbox.id, state: 'queued', isQuiet: true, body: told('lead') },
  ]);
  await pass(60_000);
  expect(await inbox()).toHaveLength(1);
  calm('lead');
  await pass(6000);
  expect((await inbox()).map(({ state }) => state)).toEqual(['superseded']);
  // It asks the same once more: that is another question.
  ask('lead');
  await pass(36_000);
  expect((await inbox()).map(({ state }) => state)).toEqual(['superseded', 'queued']);
  expect(await world.inbox('agt_lead')).toEqual([]);
});

test('rule 48: the next daemon tells nothing again, and settles what its predecessor told', async () => {
  const world = await openAttentionWorld();
  world.start();
  world.ask('lead');
  await world.pass(31_000);
  await world.kill();
  world.start();
  await world.pass(40_000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([1, 1]);
  await world.kill();
  world.calm('lead');
  world.start();
  await world.pass(6000);
  expect((await world.inbox()).map(({ state }) => state)).toEqual(['superseded']);
});

test('rule 48: where the file of what was told is lost, the ledger still knows', async () => {
  const world = await openAttentionWorld();
  world.start();
  world.ask('lead');
  await world.pass(31_000);
  await world.kill();
  writeFileSync(world.bookPath, '{');
  world.start();
  await world.pass(40_000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([1, 1]);
  world.calm('lead');
  await world.pass(6000);
  expect((await world.inbox()).map(({ state }) => state)).toEqual(['superseded']);
});

test('rule 41: a file of what was told that cannot be read is read again, and nothing is told twice', async () => {
  const world = await openAttentionWorld();
  world.start();
  world.ask('lead');
  await world.pass(11_000);
  await world.kill();
  renameSync(world.bookPath, `${world.bookPath}.kept`);
  symlinkSync(world.bookPath, world.bookPath);
  world.start();
  world.ask('worker');
  await world.pass(40_000);
  expect(world.shown()).toBe(1);
  renameSync(`${world.bookPath}.kept`, world.bookPath);
  await world.pass(16_000);
  expect(world.documents().slice(1)).toMatchObject([{ items: [{ agent: { name: 'worker' } }] }]);
  expect(world.said).toEqual(['what was told cannot be found; it is tried again']);
});

test('rule 48: where that file can never be read, the user is told after a minute all the same', async () => {
  const world = await openAttentionWorld();
  symlinkSync(world.bookPath, world.bookPath);
  onTestFinished(() => rmSync(world.bookPath, { force: true }));
  world.start();
  world.ask('lead');
  await world.pass(54_000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([0, 0]);
  await world.pass(10_000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([1, 1]);
  expect(world.said).toEqual([
    'what was told cannot be found; it is tried again',
    'what was told cannot be read; it may be told again',
  ]);
});

test('rule 48: killed between the notice and its note, the next daemon keeps the notice', async () => {
  const world = await openAttentionWorld();
  world.start();
  world.ask('lead');
  await world.pass(11_000);
  await world.kill();
  const before = readFileSync(world.bookPath, 'utf8');
  world.start();
  await world.pass(20_000);
  await world.kill();
  writeFileSync(world.bookPath, before);
  world.start();
  await world.pass(40_000);
  expect(world.shown()).toBe(1);
  expect((await world.inbox()).map(({ state }) => state)).toEqual(['queued']);
});

test('rule 27: whoever was told by a completion of the dialog gets no notice beside it', async () => {
  const world = await openAttentionWorld();
  world.start();
  const since = world.ask('lead');
  await world.pass(29_000);
  const key = `turn:epoch-1/dialog-${since}/1:${userAgentId}`;
  await world.put({ from: 'agt_lead', kind: 'completion', outcome: 'waiting', key, body: 'Waits' });
  await world.pass(36_000);
  expect((await world.inbox()).map(({ kind }) => kind)).toEqual(['completion']);
  // Nor is the user told of the question a second time, as of a message.
  expect(world.documents()).toMatchObject([{ items: [{ kind: 'question' }] }]);
  world.calm('lead');
  await world.pass(6000);
  expect((await world.inbox()).map(({ state }) => state)).toEqual(['superseded']);
});

test('rule 48: an answer is shown once; what lay there before the first daemon is no news', async () => {
  const world = await openAttentionWorld();
  await world.put({ from: 'agt_lead', kind: 'message', body: 'Old' });
  world.start();
  await world.pass(11_000);
  expect(world.shown()).toBe(0);
  await world.put({ from: 'agt_lead', kind: 'completion', body: 'Done.\nMore.' });
  await world.put({ from: signalbox.id, kind: 'notice', body: 'About another' });
  await world.pass(11_000);
  await world.pass(11_000);
  expect(world.documents()).toMatchObject([
    { items: [{ kind: 'unread', agent: { name: 'lead' }, text: 'Done.' }] },
  ]);
  await world.kill();
  world.start();
  await world.pass(11_000);
  expect(world.shown()).toBe(1);
});

test('rule 48: an answer is shown behind any number of notices that nobody has taken', async () => {
  const world = await openAttentionWorld();
  world.start();
  await world.pass(1000);
  for (let n = 0; n < 120; n++) {
    await world.put({ from: signalbox.id, kind: 'notice', body: `About another, ${n}` });
  }
  const [message] = await world.put({ from: 'agt_lead', kind: 'message', body: 'Done.' });
  world.hear(message?.id ?? '');
  await world.pass(6000);
  expect(world.documents()).toMatchObject([{ items: [{ kind: 'unread', text: 'Done.' }] }]);
});

test('rule 48: an answer whose writer was killed before it could say so is shown within 40 s', async () => {
  const world = await openAttentionWorld();
  world.start();
  await world.pass(1000);
  await world.put({ from: 'agt_lead', kind: 'message', body: 'Done.' });
  await world.pass(39_000);
  expect(world.documents()).toMatchObject([{ items: [{ kind: 'unread', text: 'Done.' }] }]);
});

test('rule 48: on a full disk it is shown all the same, and the notice comes when there is room', async () => {
  const world = await openAttentionWorld();
  // A folder in its place: nothing can be written there.
  mkdirSync(`${world.bookPath}.new-${process.pid}`);
  world.start();
  world.ask('lead');
  world.fail(new Fault('ledger-unwritable', 'The disk is full.', 'Free some space.'));
  await world.pass(40_000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([1, 0]);
  world.fail(undefined);
  await world.pass(6000);
  expect([world.shown(), (await world.inbox()).length]).toEqual([1, 1]);
  // Each trouble is told once, however long it lasts.
  expect(world.said).toEqual([
    'what was told cannot be noted; a next daemon may tell it again',
    'what needs a person could not be told; it is tried again',
  ]);
});

test('rule 48: settings that cannot be read leave those from before', async () => {
  const world = await openAttentionWorld();
  world.start();
  world.ask('lead');
  await world.pass(6000);
  world.breakSettings();
  world.ask('worker');
  await world.pass(6000);
  expect(world.shown()).toBe(2);
});

function told(name: string): string {
  return `${name} waits for you: Proceed? → signalbox attach ${name}`;
}
