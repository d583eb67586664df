import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fakes/manual-clock.ts';
import { tempHome } from '../../test/support/home.ts';
import { keepBugs } from '../shared/report-bug.ts';
import { watchGround } from './watch-ground.ts';

test('a look that throws is reported, and the ground is watched on all the same', async () => {
  const path = join(tempHome(), 'ledger.db');
  writeFileSync(path, '');
  const places: string[] = [];
  const forget = keepBugs(({ place }) => places.push(place));
  const clock = new ManualClock();
  const lost: string[] = [];
  const end = watchGround(
    [path],
    clock,
    (gone) => lost.push(gone),
    () => {
      throw new TypeError('x is not a function');
    },
  );
  await clock.pass(60_000);
  expect(places).toEqual(['watching the files that a daemon stands on']);
  rmSync(path);
  await clock.pass(60_000);
  expect(lost).toEqual([path]);
  end();
  forget();
});
