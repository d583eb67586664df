import { expect, test } from 'vitest';
import { FakeDelivery } from '../../../test/fakes/delivery.ts';
import { FakePen } from '../../../test/fakes/pen.ts';
import type { RecipientView } from '../recipient.ts';
import { Paste } from './paste.ts';

const text = 'first line\nsecond line';
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

test('rule 12: a found text is not entered without a look that allows it', async () => {
  for (const isLookedAt of [false, true]) {
    const { parts, clock, pen, view } = await setUp('draft');
    pen.text = isLookedAt ? 'half a thought' : text;
    const found = { text, since: clock.monotonicMs(), note: async () => undefined };
    const paste = Paste.found(parts, pen, view, found);
    if (isLookedAt) expect(await paste.look()).toBe('its composer may hold what a person typed');
    expect((await paste.verify()).outcome).toBe('unknown');
    expect(pen.written).toEqual([]);
  }
});
