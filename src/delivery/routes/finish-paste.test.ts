import { expect, test } from 'vitest';
import { FakeDelivery } from '../../../test/fakes/delivery.ts';
import { FakePen } from '../../../test/fakes/pen.ts';
import { loseSight } from '../claim.ts';
import { begin } from '../deliver.ts';
import { finishPaste } from './finish-paste.ts';

/** We died after this step, with the text in the composer. */
async function diedAfter(
  step: 'begun' | 'pasted' | 'entered' | 'left',
  composer: 'draft' | 'unknown' = 'draft',
) {
  const fake = await FakeDelivery.open();
  const pen = new FakePen();
  const { id } = await fake.send({ body: 'one\n  two | three' });
  const view = () => ({ status: 'idle', composer, atRestSince: 0 }) as const;
  const recipient = fake.recipient({ pen, view });
  const { claim, text } = await fake.pack('paste', recipient);
  await begin(fake.parts, { claim, text, messages: [] });
  const held = await fake.ledger.write(async (tx) => {
    await tx.claims.note(claim.token, { step });
    const now = await tx.claims.find(claim.token);
    if (now)
      await loseSight(tx, fake.clock.now(), now, { code: 'holder-died', cause: 'its holder died' });
    return now;
  });
  if (!held) throw new Error('no claim');
  pen.text = text;
  return { fake, pen, id, finish: () => finishPaste(fake.parts, recipient, held) };
}

const disturbances: readonly (readonly [string, (pen: FakePen) => void])[] = [
  [
    'more than our text',
    (pen) => {
      pen.text += ' and more';
    },
  ],
  [
    'something before our text',
    (pen) => {
      pen.text = `please: ${pen.text}`;
    },
  ],
  [
    'a changed text',
    (pen) => {
      pen.text = pen.text.replace('two', 'too');
    },
  ],
  [
    'a part of it',
    (pen) => {
      pen.text = pen.text.slice(0, 200);
    },
  ],
  [
    'a draft',
    (pen) => {
      pen.text = 'half a thought';
    },
  ],
  [
    'copy mode',
    (pen) => {
      pen.obstacle = 'copy-mode';
    },
  ],
  [
    'a menu',
    (pen) => {
      pen.composer = 'hidden';
    },
  ],
];

test.each(['copy-mode', 'synchronised', 'input-off'] as const)(
  'rules 12, 45: %s keeps Enter back, also where a draft is told from nothing, until it is over',
  async (obstacle) => {
    for (const composer of ['draft', 'unknown'] as const) {
      const { pen, finish } = await diedAfter('pasted', composer);
      pen.obstacle = obstacle;
      expect(await finish()).toEqual({ outcome: 'blocked', obstacle });
      expect(pen.written).toEqual([]);
      pen.obstacle = undefined;
      expect(await finish()).toEqual({ outcome: 'sent' });
      expect(pen.submitted).toHaveLength(1);
    }
  },
);

test('rule 12: what was pasted and not entered is finished with Enter', async () => {
  const { pen, finish } = await diedAfter('pasted');
  expect(await finish()).toEqual({ outcome: 'sent' });
  expect(pen.written).toEqual(['\r']);
  expect(pen.submitted).toHaveLength(1);
});

test('rule 12: also where a draft is not told from anything else; the text itself decides', async () => {
  const { pen, finish } = await diedAfter('pasted', 'unknown');
  pen.composer = 'unknown';
  pen.text += ' and more';
  expect(await finish()).toEqual({ outcome: 'left' });
  expect(pen.written).toEqual([]);
  pen.text = pen.text.slice(0, -' and more'.length);
  expect(await finish()).toEqual({ outcome: 'sent' });
  expect(pen.submitted).toHaveLength(1);
});

test.each(disturbances)('rule 12: %s is a person’s, and nothing is pressed', async (_, disturb) => {
  const { pen, finish } = await diedAfter('pasted');
  disturb(pen);
  await finish();
  expect(pen.written).toEqual([]);
});

test('rule 12: a folded paste of our number of lines is ours, and is finished with Enter', async () => {
  for (const fold of [
    (breaks: number) => `[Pasted Text: ${breaks + 1} lines]`,
    (breaks: number) => `[Pasted text #1 +${breaks} lines]`,
  ]) {
    const { pen, finish } = await diedAfter('pasted');
    pen.text = fold(pen.text.split('\n').length - 1);
    expect(await finish()).toEqual({ outcome: 'sent' });
    expect(pen.written).toEqual(['\r']);
  }
});

test('rule 12: another number of lines, a word beside it or a key since is a person’s', async () => {
  const folded = async () => {
    const died = await diedAfter('pasted');
    died.pen.text = `[Pasted Text: ${died.pen.text.split('\n').length} lines]`;
    return died;
  };
  const other = await folded();
  other.pen.text = '[Pasted Text: 99 lines]';
  const beside = await folded();
  beside.pen.text += ' and more';
  const typed = await folded();
  typed.pen.humanKeyAt = typed.fake.clock.monotonicMs();
  typed.fake.clock.pass(60_000);
  for (const { pen, finish } of [other, beside, typed]) {
    expect(await finish()).toEqual({ outcome: 'left' });
    expect(pen.written).toEqual([]);
  }
});

test('rule 12: what was entered and stands there again was put back: it is the person’s', async () => {
  const { pen, finish } = await diedAfter('entered');
  await finish();
  expect(pen.written).toEqual([]);
});

test('rule 12: what a person typed at before Enter is left to them, also when it is whole and they pause', async () => {
  const { fake, pen, finish } = await diedAfter('left');
  fake.clock.pass(60_000);
  expect(await finish()).toEqual({ outcome: 'left' });
  expect(pen.written).toEqual([]);
});

test('rules 12, 24: a key between the look and Enter leaves a found text to the person', async () => {
  const { pen, finish } = await diedAfter('pasted');
  pen.onWrite = () => pen.type('h');
  expect(await finish()).toEqual({ outcome: 'left' });
  expect([pen.written, pen.told[0]]).toEqual([[], 'paste-left']);
});

test('rules 12, 24: a person who types just now is not disturbed', async () => {
  const { fake, pen, finish } = await diedAfter('pasted');
  pen.humanKeyAt = fake.clock.monotonicMs() - 1000;
  await finish();
  expect(pen.written).toEqual([]);
});

test('rules 12, 24: a person who types while the look is on its way is not disturbed', async () => {
  const { fake, pen, finish } = await diedAfter('pasted');
  pen.onAnswer = async () => {
    pen.onAnswer = async () => undefined;
    await fake.clock.sleep(100);
    pen.text += '!';
    pen.humanKeyAt = fake.clock.monotonicMs();
    await fake.clock.sleep(100);
  };
  expect(await finish()).toEqual({ outcome: 'left' });
  expect(pen.written).toEqual([]);
});

test('rule 2: what was taken by a pull or acked meanwhile is not sent', async () => {
  const { fake, pen, id, finish } = await diedAfter('pasted');
  const move = { from: 'uncertain', to: 'acked', at: 0, code: 'acked', cause: 'acked' } as const;
  await fake.ledger.write((tx) => tx.messages.move([id], move));
  await finish();
  expect(pen.written).toEqual([]);
});
