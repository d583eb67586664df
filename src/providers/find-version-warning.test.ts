import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { findFolders } from '../config/folders.ts';
import { findVersionWarning, readBuiltInTested } from './find-version-warning.ts';
import { openProviderShelf } from './registry.ts';

const folders = () => findFolders({ SIGNALBOX_HOME: tempHome() });

test('E11: the tested version is read from the rules as the parser reads it, for every CLI', async () => {
  const shelf = openProviderShelf(folders());
  const clis = shelf.names.filter((name) => name !== 'generic');
  const parsed = clis.map(async (name) => (await shelf.loadDetector(name)).detector.tested);
  expect(clis.map(readBuiltInTested)).toEqual(await Promise.all(parsed));
  expect(clis.length).toBeGreaterThan(5);
});

test('E11: only a version that the lab has not tried is warned of, and one in which not all holds', async () => {
  const warn = (version: string) => findVersionWarning(folders(), 'codex', version);
  expect(await warn('0.166.0')).toBeUndefined();
  expect(await warn('0.160.0')).toBeUndefined();
  expect(await warn('0.999.0')).toEqual({
    what: 'Codex 0.999.0 has not been tried with signalbox; 0.166.0 has.',
    next: 'Watch its first messages with `signalbox explain`, or install 0.166.0.',
  });
  expect((await warn('0.140.0'))?.what).toMatch(/^Codex 0\.140\.0 was tried on .*: 1 of 7 cases/);
});

test('E11: a program that is no CLI of ours, and a version that is not known, say nothing', async () => {
  for (const provider of ['generic', 'none', 'mine', '../codex', 'constructor']) {
    expect(await findVersionWarning(folders(), provider, '9.9.9')).toBeUndefined();
  }
  expect(await findVersionWarning(folders(), 'codex', undefined)).toBeUndefined();
});

test('E11: a version that the user’s own file names as tested is not warned of, from then on', async () => {
  const place = folders();
  expect(await findVersionWarning(place, 'codex', '0.999.0')).toBeDefined();
  mkdirSync(join(place.config, 'detectors'));
  writeFileSync(join(place.config, 'detectors', 'codex.yaml'), 'tested: "0.999.0"\n');
  expect(await findVersionWarning(place, 'codex', '0.999.0')).toBeUndefined();
});

test('E11: a detector file that cannot be looked at changes nothing, and fails nothing', async () => {
  const file = folders();
  writeFileSync(join(file.config, 'detectors'), '');
  const circle = folders();
  symlinkSync('detectors', join(circle.config, 'detectors'));
  for (const place of [file, circle]) {
    expect(await findVersionWarning(place, 'codex', '0.166.0')).toBeUndefined();
    expect((await findVersionWarning(place, 'codex', '0.999.0'))?.what).toMatch(/not been tried/);
  }
});
