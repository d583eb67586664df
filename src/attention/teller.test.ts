import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { systemClock } from '../shared/clock.ts';
import { endTree, listTree } from '../shared/process-tree.ts';
import { isAlive } from '../shared/processes.ts';
import type { Cause } from './cause.ts';
import { endLeftOver } from './run-briefly.ts';
import { Teller } from './teller.ts';

let count = 0;

const cause: Cause = {
  ...{ kind: 'question', agent: { id: 'agt_a', name: 'a' }, epoch: 1, since: 0 },
  ...{ text: 'Proceed?', isKnown: true, next: 'signalbox attach a' },
};

/** A teller with real programs; what they leave running ends with the test. */
function open() {
  const folder = tempHome();
  const own = `SIGNALBOX_TEST_TELLER=${process.pid}-${count++}`;
  const over = new AbortController();
  const noted: (readonly string[])[] = [];
  const [name = '', value = ''] = own.split('=');
  const quiet = (): void => undefined;
  const teller: Teller = new Teller(
    {
      ...{ clock: systemClock, over: over.signal, markName: 'SIGNALBOX_TEST_MARK' },
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      env: { PATH: process.env['PATH'] ?? '', FOLDER: folder, [name]: value },
    },
    () => noted.push(teller.running),
  );
  const left = () => listTree(undefined, [own]);
  onTestFinished(async () => {
    over.abort();
    await teller.ended();
    await endTree(left, systemClock, 500);
  });
  const run = (command: string): void =>
    teller.tell('command', [cause], { desktop: 'off', command });
  const file = (named: string): string => join(folder, named);
  return { teller, run, over, noted, file };
}

/** Opens a program that stays, as a person's own command may: a browser, a window with a shell. */
const opens = 'setsid sleep 600 & echo $! > "$FOLDER/opened"';
const hangs = ': > "$FOLDER/hangs"; sleep 601';

function readPid(path: string): number {
  return Number(readFileSync(path, 'utf8'));
}

test('rule 48: what an earlier command has left running outlives one that is ended', async () => {
  const { teller, run, over, file } = open();
  run(opens);
  await teller.ended();
  const opened = readPid(file('opened'));
  run(hangs);
  await waitUntil('the second one', () => existsSync(file('hangs')));
  over.abort();
  await teller.ended();
  expect(isAlive(opened)).toBe(true);
});

test('rule 48: noted is the command that runs, so that the next daemon ends no other', async () => {
  const { teller, run, noted, file } = open();
  run(opens);
  await teller.ended();
  const opened = readPid(file('opened'));
  expect(noted).toEqual([[expect.any(String)], []]);
  expect(await endLeftOver(systemClock, noted.flat())).toBe(1);
  await waitUntil('its end', () => !isAlive(opened));
  run(hangs);
  await waitUntil('the second one', () => existsSync(file('hangs')));
  expect(noted.at(-1)).toHaveLength(1);
  expect(noted.at(-1)).not.toEqual(noted.at(0));
  // As its successor does, once it was killed.
  expect(await endLeftOver(systemClock, teller.running)).toBeGreaterThan(0);
  await teller.ended();
  expect(teller.running).toEqual([]);
});
