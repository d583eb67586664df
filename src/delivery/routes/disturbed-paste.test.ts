import { expect, test } from 'vitest';
import { FakeDelivery } from '../../../test/fakes/delivery.ts';
import { FakePen } from '../../../test/fakes/pen.ts';
import type { Carried } from '../carried.ts';
import type { RecipientView } from '../recipient.ts';
import { Paste } from './paste.ts';

/** What a person does between the paste and Enter without typing into the text. */
const text = 'first line\nsecond line';

async function setUp(disturb: (pen: FakePen) => void) {
  const { parts } = await FakeDelivery.open();
  const pen = new FakePen();
  const steps: string[] = [];
  const view: RecipientView = { status: 'idle', composer: 'empty' };
  pen.onWrite = (count) => {
    if (count === 2) disturb(pen);
  };
  const run = async (): Promise<Carried> => {
    const paste = new Paste(parts, pen, () => view);
    const note = async (step: string): Promise<void> => void steps.push(step);
    const notTaken = await paste.act({ text, begin: async () => true, note });
    return notTaken ?? (await paste.verify());
  };
  return { pen, steps, run };
}

/** The terminal's activity moves, and nothing reaches the program. */
const attach = (pen: FakePen): void => pen.type('');

test('rules 12, 24: somebody attaches between the paste and Enter: the text is sent when they have paused', async () => {
  const { pen, steps, run } = await setUp(attach);
  expect(await run()).toEqual({ outcome: 'taken' });
  expect([pen.submitted, pen.told]).toEqual([[text], []]);
  expect(steps).toEqual(['pasted', 'entered']);
});

test('rule 12: the same for a long text, which the program shows folded', async () => {
  const { pen, run } = await setUp((found) => {
    found.text = '[Pasted text #1 +1 lines]';
    attach(found);
  });
  expect(await run()).toEqual({ outcome: 'taken' });
  expect(pen.submitted).toHaveLength(1);
});

test.each(['h', '\nbelow it'])(
  'rule 12: somebody who attaches and then types %j makes it theirs: no Enter, and they are told',
  async (keys) => {
    const { pen, steps, run } = await setUp((found) => {
      attach(found);
      let looks = 0;
      found.onLook = () => {
        if (++looks === 3) found.type(keys);
      };
    });
    expect(await run()).toEqual({ outcome: 'unknown', reason: { code: 'paste-touched' } });
    expect([pen.text, pen.submitted]).toEqual([`${text}${keys}`, []]);
    expect(steps).toEqual(['pasted', 'left']);
    expect(pen.told).not.toEqual([]);
  },
);

test('rules 12, 45: somebody goes into copy mode between the paste and Enter: it waits for its end, and is not theirs', async () => {
  const { pen, steps, run } = await setUp((found) => {
    attach(found);
    found.obstacle = 'copy-mode';
    found.answers.push('typed', 'copy-mode');
  });
  const reason = { code: 'enter-waits', obstacle: 'copy-mode' };
  expect(await run()).toEqual({ outcome: 'unknown', reason });
  expect([pen.submitted, pen.told, steps]).toEqual([[], [], ['pasted']]);
});

test('rule 12: while somebody goes on at the terminal nothing is pressed, and the text is not theirs', async () => {
  const { pen, steps, run } = await setUp((found) => {
    attach(found);
    found.onLook = () => attach(found);
  });
  const reason = { code: 'enter-waits', obstacle: 'person-typing' };
  expect(await run()).toEqual({ outcome: 'unknown', reason });
  expect([pen.text, pen.submitted, steps]).toEqual([text, [], ['pasted']]);
});

test('rule 12: a draft below our text, which was sent and stands in the conversation, is a person’s', async () => {
  const { pen, run } = await setUp((found) => {
    found.scenery = `> ${found.text}\n`;
    found.text = '';
    found.type('half a thought');
  });
  expect((await run()).outcome).toBe('unknown');
  expect([pen.text, pen.submitted]).toEqual(['half a thought', []]);
});

test('rules 12, 24: a draft that a person begins after an Enter of ours gets no second one', async () => {
  const { pen, run } = await setUp(() => undefined);
  pen.onWrite = (count) => {
    if (count !== 2) return;
    // Our text is sent, and they write at once.
    pen.answers.push('written');
    pen.swallows = 1;
    pen.onLook = () => {
      pen.scenery = `> ${text}\n`;
      pen.text = 'half a thought';
      pen.type('');
      pen.humanKeyAt = Number.POSITIVE_INFINITY;
      pen.onLook = () => undefined;
    };
  };
  expect((await run()).outcome).toBe('unknown');
  expect([pen.text, pen.submitted]).toEqual(['half a thought', []]);
});
