import { expect, test } from 'vitest';
import { FakeDelivery } from '../../../test/fakes/delivery.ts';
import { FakePen } from '../../../test/fakes/pen.ts';
import type { Carried } from '../carried.ts';
import type { RecipientView } from '../recipient.ts';
import { Paste } from './paste.ts';

/** What a person does, or a program shows, between a look and the write that it allowed. */
const text = 'first line\nsecond line';
const inBrackets = '\x1b[200~first line\rsecond line\x1b[201~';

async function setUp(commands: 'one' | 'two' = 'two') {
  const { parts } = await FakeDelivery.open();
  const pen = new FakePen();
  const steps: string[] = [];
  const view: RecipientView = { status: 'idle', composer: 'empty' };
  const run = async (): Promise<Carried> => {
    const paste = new Paste(parts, pen, () => view, { commands });
    const note = async (step: string): Promise<void> => void steps.push(step);
    const notTaken = await paste.act({ text, begin: async () => true, note });
    return notTaken ?? (await paste.verify());
  };
  return { pen, steps, run };
}

/** Once, at the write of that number. */
function at(write: number, act: () => void): (count: number) => void {
  return (count) => {
    if (count === write) act();
  };
}

test.each(['one', 'two'] as const)(
  'rules 24, 45: a key between the look and the paste stops it, and costs nothing (in %s)',
  async (commands) => {
    const { pen, steps, run } = await setUp(commands);
    pen.onWrite = at(1, () => pen.type('h'));
    expect(await run()).toEqual({ outcome: 'refused', reason: { code: 'person-typed' } });
    expect([pen.written, pen.text, steps, pen.told]).toEqual([[], 'h', [], []]);
  },
);

test.each(['one', 'two'] as const)(
  'rules 24, 45: a dialog between the look and the paste stops it, and costs nothing (in %s)',
  async (commands) => {
    const { pen, steps, run } = await setUp(commands);
    pen.screenGuard = { absent: [{ regex: '^ *1[.] Yes$' }], present: ['a screen'] };
    pen.onWrite = at(1, () => {
      pen.scenery = 'a screen\n  1. Yes'.split('\n')[1] ?? '';
    });
    expect(await run()).toEqual({ outcome: 'refused', reason: { code: 'screen-covered' } });
    expect([pen.written, steps]).toEqual([[], []]);
    // What must be there is asked for, too.
    pen.onWrite = at(2, () => {
      pen.scenery = 'another';
    });
    expect((await run()).outcome).toBe('refused');
    pen.scenery = 'a screen';
    expect(await run()).toEqual({ outcome: 'taken' });
  },
);

test('rules 12, 24: a key between the paste and Enter makes it the person’s: no Enter, no clearing, and they are told', async () => {
  const { pen, steps, run } = await setUp();
  pen.onWrite = at(2, () => pen.type('h'));
  expect(await run()).toEqual({ outcome: 'unknown', reason: { code: 'paste-touched' } });
  expect(pen.written).toEqual([inBrackets]);
  expect([pen.text, pen.submitted]).toEqual([`${text}h`, []]);
  expect(steps).toEqual(['pasted', 'left']);
  // Once more when they pause: a key ends what their terminal shows.
  expect(pen.told).toEqual(['paste-left', 'paste-left']);
});

test('rule 12: somebody who goes on typing is told once, and nobody is told of what is gone', async () => {
  const busy = await setUp();
  busy.pen.onWrite = at(2, () => {
    busy.pen.type('h');
    busy.pen.onLook = () => busy.pen.type('e');
  });
  expect((await busy.run()).outcome).toBe('unknown');
  expect([busy.pen.told, busy.pen.submitted]).toEqual([['paste-left'], []]);
  const sender = await setUp();
  sender.pen.onWrite = at(2, () => sender.pen.type('h\r'));
  expect((await sender.run()).outcome).toBe('unknown');
  expect([sender.pen.told, sender.pen.submitted]).toEqual([['paste-left'], [`${text}h`]]);
});

test('rule 24: a dialog between the paste and Enter gets no Enter, and the text waits for its end', async () => {
  const { pen, steps, run } = await setUp();
  pen.screenGuard = { absent: ['Do you want to proceed?'], present: ['a screen'] };
  pen.onWrite = at(2, () => {
    pen.scenery = 'Do you want to proceed?';
  });
  const reason = { code: 'enter-waits', obstacle: 'screen-covered' };
  expect(await run()).toEqual({ outcome: 'unknown', reason });
  expect([pen.written, steps, pen.told]).toEqual([[inBrackets], ['pasted'], []]);
});

test('rule 24: a second Enter is not pressed once the person has typed, nor once the text has gone', async () => {
  const typed = await setUp();
  typed.pen.swallows = 1;
  typed.pen.onWrite = at(3, () => typed.pen.type('/clear'));
  expect(await typed.run()).toEqual({ outcome: 'unknown', reason: { code: 'paste-touched' } });
  expect(typed.pen.written).toEqual([inBrackets, '\r']);
  expect(typed.steps).toEqual(['pasted', 'entered', 'left']);
  const late = await setUp();
  late.pen.swallows = 1;
  late.pen.onWrite = at(3, () => {
    // The program takes the first one after all.
    late.pen.submitted.push(late.pen.text);
    late.pen.text = '';
  });
  expect(await late.run()).toEqual({ outcome: 'taken' });
  expect(late.pen.written).toEqual([inBrackets, '\r']);
});

test('rule 24: in one command Enter is never pressed again, whatever stands there', async () => {
  const { pen, steps, run } = await setUp('one');
  pen.swallows = 1;
  expect(await run()).toEqual({ outcome: 'unknown', reason: { code: 'enter-without-effect' } });
  expect(pen.written).toEqual([`${inBrackets}\r`]);
  expect([pen.text, steps]).toEqual([text, ['entered']]);
});
