import { expect, test } from 'vitest';
import { FakeDelivery } from '../../../test/fakes/delivery.ts';
import { FakePen } from '../../../test/fakes/pen.ts';
import { Paste, type PasteManner } from './paste.ts';

const text = 'first line\nsecond line';

/** One paste in two commands; `shown` is what its program makes of it. */
async function paste(manner: PasteManner, shown = text, breaks = 0) {
  const { parts, clock } = await FakeDelivery.open();
  const pen = new FakePen();
  pen.breaks = breaks;
  const at: number[] = [];
  pen.onWrite = () => void at.push(clock.monotonicMs());
  const one = new Paste(parts, pen, () => ({ status: 'idle', composer: 'empty' }), manner);
  await one.act({ text, begin: async () => true, note: async () => undefined });
  pen.text = shown;
  expect((await one.verify()).outcome).toBe('taken');
  const [pastedAt = Number.NaN, ...enters] = at;
  return { pen, enters: enters.map((enteredAt) => enteredAt - pastedAt) };
}

test('rule 24: Enter follows soon where the provider says so and the whole text is seen, else after 300 ms', async () => {
  expect((await paste({ soonMs: 40 })).enters).toEqual([80]);
  expect((await paste({})).enters[0]).toBeGreaterThanOrEqual(300);
  // Half a screen, or a fold that is not known.
  expect((await paste({ soonMs: 40 }, 'first li')).enters[0]).toBeGreaterThanOrEqual(300);
});

test('rule 24: an Enter that came too soon, and was a new line, is repeated a moment later', async () => {
  const { pen, enters } = await paste({ soonMs: 40 }, text, 1);
  // Not after the 1.5 s in which an Enter that shows nothing may still take effect.
  expect(enters).toEqual([80, 330]);
  expect(pen.submitted).toEqual([`${text}\n`]);
});
