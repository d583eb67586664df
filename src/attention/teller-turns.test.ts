import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import type { Cause } from './cause.ts';
import { Teller } from './teller.ts';

const cause: Cause = {
  kind: 'question',
  ...{ agent: { id: 'agt_a', name: 'a' }, epoch: 1, since: 5, text: 'Proceed?', isKnown: true },
  next: 'signalbox attach a',
};
// Where none can be shown the log says so, once for each that was to be shown.
const settings = { desktop: 'on', command: '' };

function open() {
  let shown = 0;
  let told = 0;
  const over = new AbortController();
  const nothing = (): void => undefined;
  const warn = (): void => void shown++;
  const log = { debug: nothing, info: nothing, error: nothing, warn };
  const markName = 'SIGNALBOX_TEST_TELLER';
  const parts = { clock: new ManualClock(), log, env: {}, markName, over: over.signal };
  const teller = new Teller(parts, () => void told++);
  return { teller, over, shown: () => shown, told: () => told };
}

test('rule 48: nothing is left behind that comes in the moment in which a path falls idle', async () => {
  for (let moment = 0; moment < 40; moment++) {
    const { teller, shown } = open();
    teller.tell('desktop', [cause], settings);
    for (let turn = 0; turn < moment; turn++) await Promise.resolve();
    teller.tell('desktop', [cause], settings);
    await teller.ended();
    expect([moment, shown()]).toEqual([moment, 2]);
  }
});

test('whatever comes while one is shown goes into the next one', async () => {
  const { teller, shown, told } = open();
  for (let n = 0; n < 5; n++) teller.tell('desktop', [cause], settings);
  expect(teller.running).toHaveLength(1);
  await teller.ended();
  expect([shown(), told(), teller.running]).toEqual([2, 4, []]);
});

test('after the end nothing is shown, and nobody is told', async () => {
  const { teller, over, shown, told } = open();
  over.abort();
  teller.tell('desktop', [cause], settings);
  await teller.ended();
  expect([shown(), told(), teller.running]).toEqual([0, 0, []]);
});
