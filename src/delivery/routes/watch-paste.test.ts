import { expect, test } from 'vitest';
import { setUpPaste, text } from '../../../test/fakes/paste.ts';
import { Fault } from '../../shared/fault.ts';

const lost = new Fault('backend-lost', 'There is no connection to tmux.', 'Wait.');

test.each(['copy-mode', 'synchronised', 'input-off'] as const)(
  'rule 45: %s between the paste and Enter: nothing is pressed, what was pasted stands, and it says so',
  async (obstacle) => {
    const { pen, steps, run } = await setUpPaste();
    pen.answers.push('written', obstacle);
    expect(await run()).toEqual({
      outcome: 'unknown',
      reason: { code: 'enter-waits', obstacle },
    });
    expect(steps).toEqual(['begin', 'pasted']);
    expect([pen.text, pen.submitted]).toEqual([text, []]);
  },
);

test('rule 24: a connection lost in the paste, or at Enter, leaves nobody sure', async () => {
  const first = await setUpPaste();
  first.pen.answers.push('unknown-done');
  expect((await first.run()).outcome).toBe('unknown');
  expect(first.steps).toEqual(['begin']);
  const second = await setUpPaste();
  second.pen.answers.push('written', 'unknown-done');
  expect((await second.run()).outcome).toBe('unknown');
  expect(second.steps).toEqual(['begin', 'pasted']);
});

test('rule 24: a swallowed Enter is repeated while the text is provably still there, and not for ever', async () => {
  const { pen, run } = await setUpPaste();
  pen.swallows = 2;
  expect((await run()).outcome).toBe('taken');
  expect(pen.submitted).toEqual([text]);
  const deaf = await setUpPaste();
  deaf.pen.swallows = 100;
  expect((await deaf.run()).outcome).toBe('unknown');
  expect(deaf.pen.written.filter((bytes) => bytes === '\r')).toHaveLength(3);
});

test('rule 24: a person who types into what was pasted is left alone with it', async () => {
  const { fake, pen, run } = await setUpPaste();
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
    const { pen, steps, run } = await setUpPaste();
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
  const { pen, steps, run } = await setUpPaste();
  pen.composer = 'empty';
  expect((await run()).outcome).toBe('unknown');
  expect(steps).toEqual(['begin', 'pasted']);
  expect(pen.written).toHaveLength(1);
});

test('rule 24: a connection that is made anew while the text stands there costs no attempt', async () => {
  const { pen, run } = await setUpPaste();
  let blind = 3;
  pen.onLook = () => {
    if (pen.text !== '' && blind-- > 0) throw lost;
  };
  expect((await run()).outcome).toBe('taken');
  expect(pen.submitted).toEqual([text]);
});
