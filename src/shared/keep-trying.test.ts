import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { Fault } from './fault.ts';
import { KeepTrying } from './keep-trying.ts';

function open() {
  const clock = new ManualClock();
  const told: string[] = [];
  const state = { tries: 0, isFull: true };
  const keep = (_: object, text: string): void => void told.push(text);
  const trying = new KeepTrying({
    clock,
    log: { info: keep, warn: keep },
    what: 'settling it',
    work: async () => {
      state.tries++;
      if (state.isFull) throw new Fault('ledger-unwritable', 'The disk is full.', 'Make room.');
    },
  });
  onTestFinished(() => trying.close());
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) await clock.pass(1000);
  };
  return { trying, state, told, pass };
}

test('what fails at a start is told once, and tried again ever more seldom until it is done', async () => {
  const { trying, state, told, pass } = open();
  await trying.start();
  expect([state.tries, told]).toEqual([1, ['settling it failed; it is tried again']]);
  await pass(1);
  expect(state.tries).toBe(2);
  await pass(600);
  expect(state.tries).toBeGreaterThan(10);
  expect(state.tries).toBeLessThan(20);
  expect(told).toHaveLength(1);
  state.isFull = false;
  await pass(60);
  expect(told).toEqual([expect.anything(), 'settling it is done now']);
  const { tries } = state;
  await pass(600);
  await trying.done();
  expect(state.tries).toBe(tries);
});

test('whoever needs it to be done tries at once, and hears what that came to', async () => {
  const { trying, state, pass } = open();
  await trying.start();
  await expect(trying.done()).rejects.toMatchObject({ code: 'ledger-unwritable' });
  state.isFull = false;
  await Promise.all([trying.done(), trying.done()]);
  expect(state.tries).toBe(3);
  await pass(600);
  expect(state.tries).toBe(3);
});

test('one that has ended tries no more', async () => {
  const { trying, state, pass } = open();
  await trying.start();
  await trying.close();
  await pass(600);
  expect(state.tries).toBe(1);
});
