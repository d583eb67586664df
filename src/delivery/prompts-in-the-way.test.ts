import { expect, onTestFinished, test } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { FakePen } from '../../test/fakes/pen.ts';
import type { HookOffer } from '../providers/way-in.ts';
import { openDelivery } from './open-delivery.ts';
import type { Ways } from './recipient.ts';

const hook: HookOffer = {
  ...{ route: 'native', isContinued: false },
  reply: (text) => ({ stdout: text, exitCode: 2 }),
};
const never = new AbortController().signal;
const ways: Partial<Ways> = {
  routes: ['native', 'turn-boundary', 'paste', 'pull'],
  prompts: ['paste'],
  hasWaitingHook: true,
  pastesWithEnter: true,
};

async function open() {
  const fake = await FakeDelivery.open();
  const clock = new ManualClock();
  const surroundings = { ...fake.parts.surroundings, clock };
  const delivery = openDelivery({ ...fake.parts, surroundings });
  onTestFinished(() => delivery.close());
  const pen = new FakePen();
  const view = { status: 'idle', composer: 'empty', atRestSince: 0 } as const;
  const recipient = fake.recipient({ ways, pen, view: () => view });
  const said: string[] = [];
  const given = delivery.wait(agent, { pid: 7, offer: hook }, never).then(async (one) => {
    if (one === 'dismissed') return;
    said.push(one.reply.stdout ?? '');
    await delivery.confirm(one.id);
  });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms && said.length === 0; passed += 100) await clock.pass(100);
  };
  return { fake, delivery, recipient, pen, said, given, pass };
}

test('rules 45, 51b: a prompt that a person who scrolls keeps waiting is a notice after a minute', async () => {
  const { fake, delivery, recipient, pen, said, given, pass } = await open();
  pen.obstacle = 'copy-mode';
  const { id } = await fake.send({ body: 'yes, go ahead', isPrompt: true });
  delivery.attach(recipient);
  await pass(55_000);
  expect(said).toEqual([]);
  expect((await fake.find(id)).state).toBe('queued');
  await pass(10_000);
  await given;
  expect(said[0]).toContain('message from the user');
  expect(said[0]).toContain('yes, go ahead');
  expect(pen.written).toEqual([]);
  expect((await fake.find(id)).carriedAs).toBe('notice');
});

test('rules 24, 51b: so is one for which the screen is never twice the same', async () => {
  const { fake, delivery, recipient, pen, said, given, pass } = await open();
  pen.onLook = (count) => {
    pen.scenery = `a screen that moves ${count}`;
  };
  const { id } = await fake.send({ body: 'yes, go ahead', isPrompt: true });
  delivery.attach(recipient);
  await pass(65_000);
  await given;
  expect(said[0]).toContain('yes, go ahead');
  expect(pen.written).toEqual([]);
  expect((await fake.find(id)).carriedAs).toBe('notice');
});

test('rule 51b: one that can be pasted again before that is a prompt', async () => {
  const { fake, delivery, recipient, pen, said, pass } = await open();
  pen.obstacle = 'copy-mode';
  const { id } = await fake.send({ body: 'yes, go ahead', isPrompt: true });
  delivery.attach(recipient);
  await pass(58_000);
  pen.obstacle = undefined;
  await pass(6_000);
  expect(said).toEqual([]);
  expect(pen.submitted[0]).toMatch(/^<signalbox 1 mark_\w+[^>]*>\nyes, go ahead$/);
  expect((await fake.find(id)).carriedAs).toBe('prompt');
});
