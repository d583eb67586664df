import { expect, test } from 'vitest';
import { FakeDelivery } from '../../../test/fakes/delivery.ts';
import { FakePen } from '../../../test/fakes/pen.ts';
import type { PreparedWrite, WriteOptions } from '../../terminals/writing.ts';
import type { Pen, RecipientView } from '../recipient.ts';
import { Paste } from './paste.ts';

const text = 'first line\nsecond line';
const inBrackets = '\x1b[200~first line\rsecond line\x1b[201~';

/** A terminal that stands still, and what is laid beside it. */
async function setUp({ isAble = true, draft = '', inOne = false } = {}) {
  const fake = await FakeDelivery.open();
  const pen = new FakePen();
  pen.text = draft;
  const steps: string[] = [];
  const prepare = (bytes: Buffer, how?: WriteOptions): PreparedWrite => {
    steps.push(`prepared ${JSON.stringify(bytes.toString())}`);
    return {
      write: async () => {
        steps.push('written');
        return pen.write(bytes, how);
      },
      drop: () => void steps.push('dropped'),
    };
  };
  const able: Pen = {
    look: () => pen.look(),
    write: (bytes, how) => pen.write(bytes, how),
    ...(isAble ? { prepare } : {}),
  };
  const emptySince = fake.clock.monotonicMs() - 300;
  const view = (): RecipientView => ({ status: 'idle', composer: 'empty', emptySince });
  const paste = new Paste(fake.parts, able, view, { commands: inOne ? 'one' : 'two' });
  const objection = await paste.look();
  const run = async (said = text) => {
    const order = { text: said, begin: async () => true, note: async () => undefined };
    return (await paste.act(order)) ?? (await paste.verify());
  };
  return { pen, steps, paste, objection, run };
}

const prepared = `prepared ${JSON.stringify(inBrackets)}`;

test('rule 24: what was foreseen is written in its second step, once', async () => {
  const { pen, steps, paste, run } = await setUp();
  paste.prepare(text);
  expect(steps).toEqual([prepared]);
  expect(pen.written).toEqual([]);
  expect(await run()).toEqual({ outcome: 'taken' });
  paste.drop();
  expect(steps).toEqual([prepared, 'written']);
  expect(pen.written).toEqual([inBrackets, '\r']);
});

test('rule 24: what a person’s draft keeps from being written is dropped', async () => {
  const { pen, steps, paste, run, objection } = await setUp({ draft: 'half a thought' });
  expect(objection).toEqual({ code: 'composer-unproven' });
  paste.prepare(text);
  expect((await run()).outcome).toBe('refused');
  paste.drop();
  expect(steps).toEqual([prepared, 'dropped']);
  expect(pen.written).toEqual([]);
});

test('a claim that came to nothing drops what it foresaw', async () => {
  const { pen, steps, paste } = await setUp();
  paste.prepare(text);
  paste.drop();
  paste.drop();
  expect(steps).toEqual([prepared, 'dropped']);
  expect(pen.written).toEqual([]);
});

test('another text than the foreseen one is never written for it', async () => {
  const { pen, steps, paste, run } = await setUp();
  paste.prepare('something else');
  expect(await run()).toEqual({ outcome: 'taken' });
  paste.drop();
  expect(pen.written).toEqual([inBrackets, '\r']);
  expect(steps.slice(1)).toEqual(['dropped']);
});

test('where nothing can be prepared it is written as ever', async () => {
  const { pen, paste, run } = await setUp({ isAble: false });
  paste.prepare(text);
  expect(await run()).toEqual({ outcome: 'taken' });
  expect(pen.written).toEqual([inBrackets, '\r']);
});

test('what was prepared for one command is written with its Enter', async () => {
  const { pen, steps, paste, run } = await setUp({ inOne: true });
  paste.prepare(text);
  expect(await run()).toEqual({ outcome: 'taken' });
  expect(steps).toEqual([prepared, 'written']);
  expect(pen.written).toEqual([`${inBrackets}\r`]);
});
