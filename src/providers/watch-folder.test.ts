import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { FolderWatch, type FolderWatchParts } from './watch-folder.ts';

const never = 1_000_000;

test('a change of a file that matters is told, in the folder that is followed now', async () => {
  const [old, now] = [tempHome(), tempHome()];
  let told = 0;
  const watch = open({ onChange: () => told++, isOurs: (name) => name === 'a', pollMs: never });
  watch.follow(old);
  watch.follow(now);
  // Witnesses of the changes that must not be told: Node hands each event to all watches of a
  // folder in one go, so what they have heard our watch has heard as well.
  let [heardOld, heardOther] = [0, 0];
  const inOld = open({ onChange: () => heardOld++, pollMs: never });
  const inNow = open({ onChange: () => heardOther++, pollMs: never });
  inOld.follow(old);
  inNow.follow(now);
  writeFileSync(join(old, 'a'), 'x');
  writeFileSync(join(now, 'b'), 'x');
  await waitUntil('the other changes are heard', () => heardOld > 0 && heardOther > 0);
  expect(told).toBe(0);
  writeFileSync(join(now, 'a'), 'x');
  await waitUntil('the change is told', () => told > 0);
});

test('what no watch tells is looked at by time: a folder that is not there yet', async () => {
  const folder = join(tempHome(), 'later');
  let told = 0;
  const watch = open({ onChange: () => told++, pollMs: 5 });
  watch.follow(folder);
  await waitUntil('it is polled', () => told > 1);
  mkdirSync(folder);
  await waitUntil('it is polled on', () => told > 3);
});

test('without a watch to be had (inotify’s limit) time alone drives it, and nothing is thrown', async () => {
  let told = 0;
  const watch = open({
    onChange: () => told++,
    pollMs: 5,
    watchFolder: () => {
      throw Object.assign(new Error('no more watches'), { code: 'ENOSPC' });
    },
  });
  watch.follow(tempHome());
  await waitUntil('it is polled', () => told > 1);
});

test('who follows nothing is told nothing', async () => {
  const folder = tempHome();
  let told = 0;
  let other = 0;
  const watch = open({ onChange: () => told++, pollMs: 5 });
  watch.follow(folder);
  watch.follow(undefined);
  const witness = open({ onChange: () => other++, pollMs: 5 });
  witness.follow(folder);
  const before = told;
  await waitUntil('others are told', () => other > 3);
  expect(told).toBe(before);
  watch.close();
  watch.follow(folder);
  const after = other;
  await waitUntil('others are told again', () => other > after + 3);
  expect(told).toBe(before);
});

function open(parts: FolderWatchParts): FolderWatch {
  const watch = new FolderWatch(parts);
  onTestFinished(() => watch.close());
  return watch;
}
