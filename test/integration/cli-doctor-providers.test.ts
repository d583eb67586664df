import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { tempHome } from '../support/home.ts';
import { openBox } from './fixtures/box.ts';

/** A CLI as npm installs one: only its package.json is read. */
function installCodex(version: string): string {
  const folder = join(tempHome(), 'codex');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: '@openai/codex', version }));
  writeFileSync(join(folder, 'bin', 'codex'), '#!/bin/sh\n');
  chmodSync(join(folder, 'bin', 'codex'), 0o755);
  return join(folder, 'bin');
}

function withOnPath(folder: string) {
  return { env: { PATH: [folder, process.env['PATH']].join(delimiter) } };
}

test('E11: doctor says what an installed CLI was seen to do in a team', async () => {
  const box = await openBox();
  const on = withOnPath(installCodex('0.166.0'));
  const { providers } = (await box.run(['doctor', '--json'], on)).json<DoctorReport>();
  expect(providers['codex']).toMatchObject({
    version: '0.166.0',
    tested: '0.166.0',
    team: {
      version: '0.166.0',
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      passed: expect.any(Number),
      tried: expect.any(Number),
      routes: expect.arrayContaining(['native']),
      handoffMs: expect.any(Number),
      evidence: 'api',
    },
  });
  expect(providers['codex']).not.toHaveProperty('warning');
  const { stdout } = await box.run(['doctor'], on);
  expect(stdout).toMatch(/codex 0\.166\.0 \(tested\)\n +in 0\.166\.0: \d+ of \d+ team cases · /);
  expect(stdout).not.toMatch(/warning {4}Codex/);
});

test('E11: doctor says what was seen to hold in the installed version, where the lab has tried that', async () => {
  const box = await openBox();
  const on = withOnPath(installCodex('0.160.0'));
  const { providers } = (await box.run(['doctor', '--json'], on)).json<DoctorReport>();
  expect(providers['codex']?.tried).toContainEqual({
    version: '0.160.0',
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    held: 6,
    cases: 6,
    notHeld: {},
  });
  expect(providers['codex']).not.toHaveProperty('warning');
  const { stdout } = await box.run(['doctor'], on);
  expect(stdout).toMatch(/codex 0\.160\.0: tried on \d{4}-\d\d-\d\d, 6 of 6 hold/);
  expect(stdout).toMatch(/other versions, cases that hold: .*0\.148\.0 6\/6/);
});

test('E11: a version in which not all holds says what does not, and which one would do', async () => {
  const box = await openBox();
  const on = withOnPath(installCodex('0.140.0'));
  const { stdout } = await box.run(['doctor'], on);
  expect(stdout).toMatch(/codex 0\.140\.0: tried on \S+, 1 of 6 hold/);
  expect(stdout).toMatch(/warning {4}Codex 0\.140\.0 was tried .*0\.148\.0 or newer can/);
});

test('E11: doctor warns about a version that was not tested, and that alone is nothing to mend: exit 0', async () => {
  const box = await openBox();
  const on = withOnPath(installCodex('0.999.0'));
  const ended = await box.run(['doctor', '--json'], on);
  expect(ended.code).toBe(0);
  expect(ended.json<DoctorReport>().providers['codex']).toMatchObject({
    version: '0.999.0',
    warning: { what: expect.stringContaining('Codex 0.999.0 was not tested') },
  });
  expect((await box.run(['doctor'], on)).stdout).toMatch(/warning {4}Codex 0\.999\.0 was not/);
});
