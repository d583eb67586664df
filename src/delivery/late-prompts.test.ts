import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeAgentId as agent, FakeDelivery } from '../../test/fakes/delivery.ts';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { FakePen } from '../../test/fakes/pen.ts';
import type { HookOffer } from '../providers/way-in.ts';
import { openDelivery } from './open-delivery.ts';
import type { NativeWay, RecipientView, Ways } from './recipient.ts';

/** A prompt of the user that is committed after the look that found a notice alone. */

const hook: HookOffer = {
  ...{ route: 'native', isContinued: false },
  reply: (text) => ({ stdout: text, exitCode: 2 }),
};
const never = new AbortController().signal;

async function open(ways: Partial<Ways>, view: Partial<RecipientView> = {}) {
  const fake = await FakeDelivery.open();
  const clock = new ManualClock();
  const surroundings = { ...fake.parts.surroundings, clock };
  const delivery = openDelivery({ ...fake.parts, surroundings });
  onTestFinished(() => delivery.close());
  const pen = new FakePen();
  const seen = { status: 'idle', composer: 'empty', atRestSince: 0, ...view } as const;
  const recipient = fake.recipient({ ways, pen, view: () => seen });
  const notice = await fake.send({ from: agent, body: 'from a peer' });
  const write = fake.ledger.write.bind(fake.ledger);
  const prompt: { id?: string } = {};
  /** The next write, which claims what the look has found, comes behind the user's. */
  const sayFirst = (): void => {
    vi.spyOn(fake.ledger, 'write').mockImplementationOnce(async (...work) => {
      prompt.id = (await fake.send({ body: 'yes, go ahead', isPrompt: true })).id;
      return write(...work);
    });
  };
  const standings = async () => {
    const [first, later] = [await fake.find(notice.id), await fake.find(prompt.id ?? '')];
    return [first.carriedAs, later.carriedAs];
  };
  const until = async (isSo: () => Promise<boolean>): Promise<void> => {
    for (let steps = 0; steps < 500 && !(await isSo()); steps++) await clock.pass(40);
    expect(await isSo()).toBe(true);
  };
  return { delivery, recipient, pen, sayFirst, standings, until };
}

function takeInto(texts: string[]): NativeWay {
  return {
    blocked: () => undefined,
    inject: async ({ text, begin }) => {
      await begin();
      texts.push(text);
      return { outcome: 'taken' };
    },
    close: () => undefined,
  };
}

test('rule 51: it is no notice because a notice was about to wake the agent', async () => {
  const ways: Partial<Ways> = {
    routes: ['native', 'turn-boundary', 'paste', 'pull'],
    prompts: ['paste'],
    hasWaitingHook: true,
    pastesWithEnter: true,
  };
  const { delivery, recipient, pen, sayFirst, standings, until } = await open(ways);
  const said = delivery.wait(agent, { pid: 7, offer: hook }, never);
  sayFirst();
  delivery.attach(recipient);
  const given = await said;
  if (given === 'dismissed') throw new Error('dismissed');
  expect(given.reply.stdout).toContain('from a peer');
  expect(given.reply.stdout).not.toContain('yes, go ahead');
  await delivery.confirm(given.id);
  await until(async () => pen.submitted.length > 0);
  expect(pen.submitted[0]).toMatch(/^<signalbox 2 mark_\w+>\nyes, go ahead$/);
  expect(await standings()).toEqual(['notice', 'prompt']);
});

test('rule 51: nor where the queue of its CLI takes both', async () => {
  const ways: Partial<Ways> = {
    routes: ['native', 'pull'],
    prompts: ['native'],
    nativeDuring: ['processing'],
  };
  const { delivery, recipient, sayFirst, standings, until } = await open(ways);
  const texts: string[] = [];
  sayFirst();
  delivery.attach({ ...recipient, native: takeInto(texts) });
  await until(async () => texts.length > 0);
  expect(texts[0]).toContain('from a peer');
  expect(texts[0]).not.toContain('yes, go ahead');
  expect(await standings()).toEqual(['notice', undefined]);
});

test('rules 21, 51: a task that a budget holds back makes no prompt of a notice that is free', async () => {
  const fake = await FakeDelivery.open();
  const spent = { used: fake.parts.limits.wakes, since: fake.clock.now() };
  await fake.ledger.write((tx) => tx.turns.setBudget(agent, 'wakes', spent));
  const task = await fake.send({ body: 'count it', from: agent, isPrompt: true });
  const news = await fake.send({ body: 'for your information', isPrompt: false });
  const clock = new ManualClock();
  clock.wallMs = fake.clock.wallMs;
  const surroundings = { ...fake.parts.surroundings, clock };
  const delivery = openDelivery({ ...fake.parts, surroundings });
  onTestFinished(() => delivery.close());
  const texts: string[] = [];
  const ways = { routes: ['native', 'pull'], prompts: ['native'] } as const;
  delivery.attach(fake.recipient({ ways, native: takeInto(texts) }));
  await vi.waitFor(() => expect(texts).toHaveLength(1));
  expect(texts[0]).toContain('from the user');
  expect((await fake.find(news.id)).carriedAs).toBe('notice');
  expect((await fake.find(task.id)).state).toBe('queued');
});

test('rule 51b: nor at a boundary of the turn, which carries nothing then', async () => {
  const ways: Partial<Ways> = {
    routes: ['native', 'turn-boundary', 'paste', 'pull'],
    prompts: ['paste'],
    hasWaitingHook: true,
  };
  const { delivery, recipient, sayFirst, standings } = await open(ways, { status: 'processing' });
  delivery.attach(recipient);
  sayFirst();
  const said = await delivery.ask(agent, { ...hook, route: 'turn-boundary' });
  expect(said?.reply.stdout).toContain('from a peer');
  expect(said?.reply.stdout).not.toContain('yes, go ahead');
  expect(await standings()).toEqual(['notice', undefined]);
});
