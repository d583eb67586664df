import { expect, test } from 'vitest';
import { FakeDelivery } from '../../../test/fakes/delivery.ts';
import { FakePen } from '../../../test/fakes/pen.ts';
import type { RecipientView } from '../recipient.ts';
import { Paste } from './paste.ts';

const text = 'first line\nsecond line';
const inBrackets = '\x1b[200~first line\rsecond line\x1b[201~';
const order = { text, begin: async () => true, note: async () => undefined };

async function setUp(composer: RecipientView['composer'] = 'empty') {
  const { parts, clock } = await FakeDelivery.open();
  const pen = new FakePen();
  const view = (): RecipientView => ({ status: 'idle', composer });
  return { parts, clock, pen, view };
}

test('a phase that is not due is a bug, and types nothing', async () => {
  const { parts, pen, view } = await setUp();
  const early = new Paste(parts, pen, view);
  await expect(early.verify()).rejects.toThrow('a paste that is open');
  early.drop();
  await expect(early.look()).rejects.toThrow('a paste that is over');
  expect(() => early.prepare(text)).toThrow('a paste that is over');
  await expect(early.act(order)).rejects.toThrow('a paste that is over');
  expect(pen.written).toEqual([]);
  const late = new Paste(parts, pen, view);
  expect(await late.act(order)).toBeUndefined();
  await expect(late.act(order)).rejects.toThrow('a paste that is pasted');
  expect(() => late.prepare(text)).toThrow('a paste that is pasted');
  expect(await late.verify()).toEqual({ outcome: 'taken' });
  await expect(late.verify()).rejects.toThrow('a paste that is over');
  expect(pen.submitted).toEqual([text]);
});

async function inOne(disturb: (pen: FakePen) => void = () => undefined) {
  const { parts, pen, view } = await setUp();
  disturb(pen);
  const steps: string[] = [];
  const note = async (step: string): Promise<void> => void steps.push(step);
  const paste = new Paste(parts, pen, view, { commands: 'one' });
  const notTaken = await paste.act({ ...order, note });
  return { pen, steps, result: notTaken ?? (await paste.verify()) };
}

test('rules 12, 24: in one command the text and its Enter are one write and one step on disk', async () => {
  const { pen, steps, result } = await inOne();
  expect(result).toEqual({ outcome: 'taken' });
  expect(pen.written).toEqual([`${inBrackets}\r`]);
  expect([pen.submitted, steps]).toEqual([[text], ['entered']]);
});

test.each(['gone', 'copy-mode', 'synchronised', 'input-off', 'unsent', 'refused'] as const)(
  'rule 24: one command that was not written (%s) has reached nobody',
  async (answer) => {
    const { pen, steps, result } = await inOne((its) => its.answers.push(answer));
    expect(result).toMatchObject({ outcome: 'refused' });
    expect([pen.written, steps]).toEqual([[], []]);
  },
);

test('a terminal that cannot do both in one command is told apart from one that takes no typing', async () => {
  const { result } = await inOne((pen) => pen.answers.push('refused'));
  const reason = { code: 'one-command-refused' };
  expect(result).toEqual({ outcome: 'refused', reason });
});

test('rule 24: one command whose connection was lost leaves nobody sure, and no step on disk', async () => {
  const { steps, result } = await inOne((pen) => pen.answers.push('unknown-done'));
  expect([result.outcome, steps]).toEqual(['unknown', []]);
});

test('rule 24: an empty composer alone does not prove that one command was taken', async () => {
  const { result } = await inOne((pen) => {
    pen.isDeaf = true;
  });
  const reason = { code: 'paste-unshown' };
  expect(result).toEqual({ outcome: 'unknown', reason });
});

test('rule 24: another screen with an empty composer does', async () => {
  const { result } = await inOne((pen) => {
    pen.isDeaf = true;
    pen.onLook = () => {
      if (pen.written.length > 0) pen.scenery = '> first line';
    };
  });
  expect(result).toEqual({ outcome: 'taken' });
});

test('rule 12: a found text is not entered without a look that allows it', async () => {
  for (const isLookedAt of [false, true]) {
    const { parts, clock, pen, view } = await setUp('draft');
    pen.text = isLookedAt ? 'half a thought' : text;
    const found = { text, since: clock.monotonicMs(), note: async () => undefined };
    const paste = Paste.found(parts, pen, view, found);
    if (isLookedAt) expect(await paste.look()).toEqual({ code: 'composer-not-ours' });
    expect((await paste.verify()).outcome).toBe('unknown');
    expect(pen.written).toEqual([]);
  }
});
