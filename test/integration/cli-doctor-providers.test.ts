import { createHash } from 'node:crypto';
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
  const { stdout } = await box.run(['doctor', '--all'], on);
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
    held: 7,
    cases: 7,
    notHeld: {},
  });
  expect(providers['codex']).not.toHaveProperty('warning');
  const { stdout } = await box.run(['doctor', '--all'], on);
  expect(stdout).toMatch(/codex 0\.160\.0: tried on \d{4}-\d\d-\d\d, 7 of 7 hold/);
  expect(stdout).toMatch(/other versions, cases that hold: .*0\.148\.0 7\/7/);
});

test('E11: a version in which not all holds says what does not, and which one would do', async () => {
  const box = await openBox();
  const on = withOnPath(installCodex('0.140.0'));
  const { stdout } = await box.run(['doctor', '--all'], on);
  expect(stdout).toMatch(/codex 0\.140\.0: tried on \S+, 1 of 7 hold/);
  expect(stdout).toMatch(/warning {4}Codex 0\.140\.0 was tried .*0\.148\.0 or newer can/);
});

test('E11: doctor warns about a version that was not tested, and that alone is nothing to mend: exit 0', async () => {
  const box = await openBox();
  const on = withOnPath(installCodex('0.999.0'));
  const ended = await box.run(['doctor', '--json'], on);
  expect(ended.code).toBe(0);
  expect(ended.json<DoctorReport>().providers['codex']).toMatchObject({
    version: '0.999.0',
    warning: { what: expect.stringContaining('Codex 0.999.0 has not been tried') },
  });
  expect((await box.run(['doctor', '--all'], on)).stdout).toMatch(
    /warning {4}Codex 0\.999\.0 has not/,
  );
});

test('doctor shows a file of the user’s own with its version and hash, and what it loosens', async () => {
  const box = await openBox();
  const on = withOnPath(installCodex('0.166.0'));
  mkdirSync(join(box.home, 'detectors'));
  const path = join(box.home, 'detectors', 'codex.yaml');
  const text =
    "version: '7'\nloosens: [permission]\ndisable: [permission]\ncapabilities: { queueOnEsc: dropped }\n";
  writeFileSync(path, text);
  writeFileSync(join(box.home, 'detectors', 'coedx.yaml'), '');
  const report = (await box.run(['doctor', '--json'], on)).json<DoctorReport>();
  const sha256 = createHash('sha256').update(text).digest('hex');
  expect(report.providers['codex']?.data).toEqual({
    ...{ path, version: '7', sha256, rules: [], capabilities: ['queueOnEsc'] },
    loosens: ['permission'],
  });
  expect(report.warnings.map(({ what }) => what)).toEqual([
    `${path} makes signalbox less careful: it switches off the dialog rule permission.`,
    `${join(box.home, 'detectors', 'coedx.yaml')} is for no provider and is not read.`,
  ]);
  const { stdout } = await box.run(['doctor', '--all'], on);
  expect(stdout).toContain(
    `your data: ${path} · version 7 · sha256 ${sha256.slice(0, 12)} · capabilities: queueOnEsc · loosens: permission`,
  );
  // A typo: the built-in data holds, and doctor says why.
  writeFileSync(path, text.replace('loosens: [permission]', ''));
  const broken = (await box.run(['doctor', '--json'], on)).json<DoctorReport>();
  expect(broken.providers['codex']).not.toHaveProperty('data');
  expect(broken.warnings[0]?.what).toMatch(/add permission to `loosens` if you mean that/);
});
