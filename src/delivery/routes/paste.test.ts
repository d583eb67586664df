import { expect, test } from 'vitest';
import { setUpPaste, text } from '../../../test/fakes/paste.ts';
import type { FakePen } from '../../../test/fakes/pen.ts';
import { Fault } from '../../shared/fault.ts';

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
  const { pen, steps, run } = await setUpPaste();
  expect(await run()).toEqual({ outcome: 'taken' });
  expect(pen.written).toEqual(['\x1b[200~first line\rsecond line\x1b[201~', '\r']);
  expect(pen.submitted).toEqual([text]);
  expect(steps).toEqual(['begin', 'pasted', 'entered']);
});

test.each(disturbances)('rule 24: nothing is typed into %s', async (_, disturb) => {
  const { pen, steps, run } = await setUpPaste();
  disturb(pen);
  expect((await run()).outcome).toBe('refused');
  expect(pen.written).toEqual([]);
  expect(steps).toEqual([]);
});

test('rule 24: nothing is typed within 3 s of a person’s key', async () => {
  const { fake, pen, run } = await setUpPaste();
  pen.humanKeyAt = fake.clock.monotonicMs() - 2600;
  expect((await run()).outcome).toBe('refused');
  pen.humanKeyAt = fake.clock.monotonicMs() - 3000;
  expect((await run()).outcome).toBe('taken');
});

test('rule 24: a look that is long on its way says nothing about the keys since it was asked for', async () => {
  const { fake, pen, open, run } = await setUpPaste();
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
  const { fake, pen, run } = await setUpPaste();
  pen.onLook = (count) => {
    pen.scenery = `frame ${count}`;
  };
  expect(await run()).toEqual({ outcome: 'refused', reason: { code: 'screen-unsteady' } });
  const emptySince = fake.clock.monotonicMs() - 300;
  expect((await run({ emptySince })).outcome).toBe('taken');
});

test('rule 24: what a person begins to type while the ledger keeps us waiting stops the paste', async () => {
  const { fake, pen, steps, run, slow } = await setUpPaste();
  slow.atBegin = async () => {
    await fake.clock.sleep(60);
    pen.text = 'half a thought';
  };
  expect((await run()).outcome).toBe('refused');
  expect(steps).toEqual(['begin']);
  expect(pen.written).toEqual([]);
});

test('rule 24: after a while a look still counts if nothing was printed since, and not if something was', async () => {
  const { fake, pen, run, slow } = await setUpPaste();
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
  const { pen, steps, run } = await setUpPaste();
  pen.onLook = (count) => {
    if (count === 3) pen.text = 'half a thought';
  };
  expect((await run()).outcome).toBe('refused');
  expect(steps).toEqual([]);
  expect(pen.written).toEqual([]);
});

test('rule 2: a claim that no longer holds types nothing', async () => {
  const { pen, run, refuseBegin } = await setUpPaste();
  refuseBegin();
  expect((await run()).outcome).toBe('refused');
  expect(pen.written).toEqual([]);
});

test.each(['gone', 'copy-mode', 'synchronised', 'input-off', 'unsent'] as const)(
  'rule 24: a paste that was not written (%s) has reached nobody',
  async (answer) => {
    const { pen, steps, run } = await setUpPaste();
    pen.answers.push(answer);
    expect((await run()).outcome).toBe('refused');
    expect(steps).toEqual(['begin']);
  },
);

const lost = new Fault('backend-lost', 'There is no connection to tmux.', 'Wait.');

test('rules 10, 24: a look that cannot be had before the paste has touched nothing, and makes nobody unsure', async () => {
  for (const blind of [1, 2, 3]) {
    const { pen, run } = await setUpPaste();
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
