import { expect, test } from 'vitest';
import { FakeDelivery } from '../../../test/fakes/delivery.ts';
import { FakePen } from '../../../test/fakes/pen.ts';
import { Fault } from '../../shared/fault.ts';
import type { Carried } from '../carried.ts';
import type { RecipientView } from '../recipient.ts';
import { Paste } from './paste.ts';

const text = 'first line\nsecond line';

async function setUp() {
  const fake = await FakeDelivery.open();
  const pen = new FakePen();
  const steps: string[] = [];
  const view: RecipientView = { status: 'idle', composer: 'empty' };
  let mayBegin = true;
  const slow = { atBegin: async (): Promise<void> => undefined };
  const open = (more: Partial<RecipientView> = {}): Paste =>
    new Paste(fake.parts, pen, () => ({ ...view, ...more }));
  const run = async (more: Partial<RecipientView> = {}): Promise<Carried> => {
    const paste = open(more);
    const notTaken = await paste.act({
      text,
      begin: async () => {
        steps.push('begin');
        await slow.atBegin();
        return mayBegin;
      },
      note: async (step) => void steps.push(step),
    });
    return notTaken ?? (await paste.verify());
  };
  const refuseBegin = (): void => {
    mayBegin = false;
  };
  return { fake, pen, steps, open, run, refuseBegin, slow };
}

const disturbances: readonly (readonly [string, (pen: FakePen) => void])[] = [
  [
    'a draft',
    (pen) => {
      pen.text = 'half a thought';
    },
  ],
  [
    'a menu over the composer',
    (pen) => {
      pen.composer = 'hidden';
    },
  ],
  [
    'a composer that nobody can read',
    (pen) => {
      pen.composer = 'unknown';
    },
  ],
  [
    'a window in which its composer cannot be read',
    (pen) => {
      pen.composer = 'unknown';
      pen.tooSmall = { has: { columns: 30, rows: 8 }, needs: { columns: 40, rows: 12 } };
    },
  ],
  [
    'a dialog',
    (pen) => {
      pen.status = 'waiting';
    },
  ],
  [
    'a turn',
    (pen) => {
      pen.status = 'processing';
    },
  ],
  [
    'copy mode',
    (pen) => {
      pen.obstacle = 'copy-mode';
    },
  ],
  [
    'a window whose panes are synchronised',
    (pen) => {
      pen.obstacle = 'synchronised';
    },
  ],
  [
    'an input that is off',
    (pen) => {
      pen.obstacle = 'input-off';
    },
  ],
  [
    'no terminal',
    (pen) => {
      pen.isGone = true;
    },
  ],
];

test('rule 24: an empty composer gets one bracketed paste and one Enter, each step on disk before the next', async () => {
  const { pen, steps, run } = await setUp();
  expect(await run()).toEqual({ outcome: 'taken' });
  expect(pen.written).toEqual(['\x1b[200~first line\rsecond line\x1b[201~', '\r']);
  expect(pen.submitted).toEqual([text]);
  expect(steps).toEqual(['begin', 'pasted', 'entered']);
});

test.each(disturbances)('rule 24: nothing is typed into %s', async (_, disturb) => {
  const { pen, steps, run } = await setUp();
  disturb(pen);
  expect((await run()).outcome).toBe('refused');
  expect(pen.written).toEqual([]);
  expect(steps).toEqual([]);
});

test('rule 24: nothing is typed within 3 s of a person’s key', async () => {
  const { fake, pen, run } = await setUp();
  pen.humanKeyAt = fake.clock.monotonicMs() - 2600;
  expect((await run()).outcome).toBe('refused');
  pen.humanKeyAt = fake.clock.monotonicMs() - 3000;
  expect((await run()).outcome).toBe('taken');
});

test('rule 24: a look that is long on its way says nothing about the keys since it was asked for', async () => {
  const { fake, pen, open, run } = await setUp();
  const emptySince = fake.clock.monotonicMs() - 300;
  pen.humanKeyAt = fake.clock.monotonicMs() - 2900;
  pen.onAnswer = () => fake.clock.sleep(257);
  const refusal = { outcome: 'refused', reason: { code: 'person-typing' } };
  expect(await run({ emptySince })).toEqual(refusal);
  pen.humanKeyAt = fake.clock.monotonicMs() - 2900;
  expect(await open().look()).toEqual(refusal.reason);
  expect(pen.written).toEqual([]);
});

test('rule 24: two equal looks are needed; the monitor’s may be the earlier', async () => {
  const { fake, pen, run } = await setUp();
  pen.onLook = (count) => {
    pen.scenery = `frame ${count}`;
  };
  expect(await run()).toEqual({ outcome: 'refused', reason: { code: 'screen-unsteady' } });
  const emptySince = fake.clock.monotonicMs() - 300;
  expect((await run({ emptySince })).outcome).toBe('taken');
});

test('rule 24: what a person begins to type while the ledger keeps us waiting stops the paste', async () => {
  const { fake, pen, steps, run, slow } = await setUp();
  slow.atBegin = async () => {
    await fake.clock.sleep(60);
    pen.text = 'half a thought';
  };
  expect((await run()).outcome).toBe('refused');
  expect(steps).toEqual(['begin']);
  expect(pen.written).toEqual([]);
});

test('rule 24: after a while a look still counts if nothing was printed since, and not if something was', async () => {
  const { fake, pen, run, slow } = await setUp();
  let looks = 0;
  pen.onLook = () => {
    if (pen.written.length === 0) looks++;
  };
  const now = { emptySince: fake.clock.monotonicMs() - 300 };
  slow.atBegin = async () => fake.clock.sleep(60);
  expect((await run(now)).outcome).toBe('taken');
  expect(looks).toBe(1);
  pen.status = 'idle';
  slow.atBegin = async () => {
    await fake.clock.sleep(60);
    now.emptySince += 60;
    pen.text = 'half a thought';
  };
  expect((await run(now)).outcome).toBe('refused');
  expect(pen.text).toBe('half a thought');
});

test('rule 24: a draft that the look beside the ledger shows stops the paste', async () => {
  const { pen, steps, run } = await setUp();
  pen.onLook = (count) => {
    if (count === 3) pen.text = 'half a thought';
  };
  expect((await run()).outcome).toBe('refused');
  expect(steps).toEqual([]);
  expect(pen.written).toEqual([]);
});

test.each(['copy-mode', 'synchronised', 'input-off'] as const)(
  'rule 45: %s between the paste and Enter: nothing is pressed, what was pasted stands, and it says so',
  async (obstacle) => {
    const { pen, steps, run } = await setUp();
    pen.answers.push('written', obstacle);
    expect(await run()).toEqual({
      outcome: 'unknown',
      reason: { code: 'enter-waits', obstacle },
    });
    expect(steps).toEqual(['begin', 'pasted']);
    expect([pen.text, pen.submitted]).toEqual([text, []]);
  },
);

test('rule 2: a claim that no longer holds types nothing', async () => {
  const { pen, run, refuseBegin } = await setUp();
  refuseBegin();
  expect((await run()).outcome).toBe('refused');
  expect(pen.written).toEqual([]);
});

test.each(['gone', 'copy-mode', 'synchronised', 'input-off', 'unsent'] as const)(
  'rule 24: a paste that was not written (%s) has reached nobody',
  async (answer) => {
    const { pen, steps, run } = await setUp();
    pen.answers.push(answer);
    expect((await run()).outcome).toBe('refused');
    expect(steps).toEqual(['begin']);
  },
);

test('rule 24: a connection lost in the paste, or at Enter, leaves nobody sure', async () => {
  const first = await setUp();
  first.pen.answers.push('unknown-done');
  expect((await first.run()).outcome).toBe('unknown');
  expect(first.steps).toEqual(['begin']);
  const second = await setUp();
  second.pen.answers.push('written', 'unknown-done');
  expect((await second.run()).outcome).toBe('unknown');
  expect(second.steps).toEqual(['begin', 'pasted']);
});

test('rule 24: a swallowed Enter is repeated while the text is provably still there, and not for ever', async () => {
  const { pen, run } = await setUp();
  pen.swallows = 2;
  expect((await run()).outcome).toBe('taken');
  expect(pen.submitted).toEqual([text]);
  const deaf = await setUp();
  deaf.pen.swallows = 100;
  expect((await deaf.run()).outcome).toBe('unknown');
  expect(deaf.pen.written.filter((bytes) => bytes === '\r')).toHaveLength(3);
});

test('rule 24: a person who types into what was pasted is left alone with it', async () => {
  const { fake, pen, run } = await setUp();
  pen.onLook = () => {
    if (pen.text === '') return;
    pen.text += '!';
    pen.humanKeyAt = fake.clock.monotonicMs();
  };
  expect((await run()).outcome).toBe('unknown');
  expect(pen.submitted).toEqual([]);
});

test('rule 24: Enter is never pressed into a dialog that came over the text, nor claimed for what vanished', async () => {
  for (const [composer, status] of [
    ['hidden', 'waiting'],
    ['hidden', 'idle'],
    ['empty', 'idle'],
  ] as const) {
    const { pen, steps, run } = await setUp();
    let looks = 0;
    pen.onLook = () => {
      if (pen.text === '' || ++looks < 2) return;
      pen.composer = composer;
      pen.status = status;
    };
    expect((await run()).outcome).toBe('unknown');
    expect(pen.written).toHaveLength(1);
    expect(steps).toEqual(['begin', 'pasted']);
  }
});

test('rule 24: text that never shows is not entered', async () => {
  const { pen, steps, run } = await setUp();
  pen.composer = 'empty';
  expect((await run()).outcome).toBe('unknown');
  expect(steps).toEqual(['begin', 'pasted']);
  expect(pen.written).toHaveLength(1);
});

const lost = new Fault('backend-lost', 'There is no connection to tmux.', 'Wait.');

test('rules 10, 24: a look that cannot be had before the paste has touched nothing, and makes nobody unsure', async () => {
  for (const blind of [1, 2, 3]) {
    const { pen, run } = await setUp();
    pen.onLook = (count) => {
      if (count === blind) throw lost;
    };
    expect(await run()).toEqual({
      outcome: 'refused',
      reason: { code: 'terminal-unconnected' },
    });
    expect(pen.written).toEqual([]);
  }
});

test('rule 24: a connection that is made anew while the text stands there costs no attempt', async () => {
  const { pen, run } = await setUp();
  let blind = 3;
  pen.onLook = () => {
    if (pen.text !== '' && blind-- > 0) throw lost;
  };
  expect((await run()).outcome).toBe('taken');
  expect(pen.submitted).toEqual([text]);
});
