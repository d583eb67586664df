import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { tempHome } from '../support/home.ts';
import { boxAt, openBox } from './fixtures/box.ts';
import { compileFaultySystem } from './fixtures/faulty-system.ts';
import { canMount, mountSmallDisk } from './fixtures/small-disk.ts';

test('O4: doctor writes a byte into the state folder and leaves nothing there: exit 0', async () => {
  const box = await openBox('worker');
  const ended = await box.run(['doctor']);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(ended.stdout).toMatch(/^all is well.*\nsee all that was checked: .*--all\n$/);
  expect(readdirSync(box.home)).toEqual(['ledger.db']);
});

describe.skipIf(!canMount())('a full disk (left out where no tmpfs can be mounted)', () => {
  test('O4: doctor finds it before a message does, says it once, and ends with 7; with space again with 0', async () => {
    const home = tempHome();
    const wrapper = await mountSmallDisk(home, 4096);
    const box = boxAt(home);
    const sh = (script: string) => box.run([], { wrapper: [...wrapper, 'sh', '-c', script, home] });
    expect((await box.run(['agents', 'add', 'worker'], { wrapper })).code).toBe(0);
    expect((await box.run(['doctor'], { wrapper })).code).toBe(0);
    expect((await sh('cat /dev/zero >"$0/filler"')).code).not.toBe(0);
    const ended = await box.run(['doctor', '--json'], { wrapper });
    expect(ended.code).toBe(7);
    const full = { what: expect.stringMatching(/the disk is full \(ENOSPC\)/) };
    expect(ended.json<DoctorReport>()).toMatchObject({
      ok: false,
      stateFolder: { path: home, exists: true, canWrite: false },
      problems: [],
      attention: [{ ...full, next: expect.stringContaining('Free some space') }],
    });
    const shown = await box.run(['doctor'], { wrapper });
    expect([shown.code, shown.stderr]).toEqual([7, '']);
    expect(shown.stdout).toMatch(/^attention {2}No byte can be written .*\nsee all /);
    expect((await sh('rm "$0/filler"; ls -A "$0"')).stdout).not.toContain('probe');
    expect((await box.run(['doctor'], { wrapper })).code).toBe(0);
  });
});

/** Modes do not stop root, unless it gives up its privileges. */
const isRoot = process.getuid?.() === 0;
const bound = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : ['env'];
const [command = '', ...args] = [...bound, 'sh', '-c', '! test -w /proc/version && test -r /'];
const isBound = spawnSync(command, args).status === 0;

describe.skipIf(!isBound)('a folder that may not be written', () => {
  test('O4: doctor finds it and ends with 7, whether the folder is there or cannot be made', async () => {
    const box = await openBox('worker');
    chmodSync(box.home, 0o500);
    onTestFinished(() => chmodSync(box.home, 0o700));
    const ended = await box.run(['doctor', '--json'], { wrapper: bound });
    expect(ended.code).toBe(7);
    expect(ended.json<DoctorReport>()).toMatchObject({
      ok: false,
      stateFolder: { exists: true, canWrite: false },
      problems: [],
      attention: [{ what: expect.stringContaining('it is read-only for you (EACCES)') }],
    });
    const below = boxAt(join(box.home, 'below'));
    const first = await below.run(['doctor'], { wrapper: bound });
    expect(first.code).toBe(7);
    expect(first.stdout).toMatch(/^attention {2}The state folder .* cannot be made \(EACCES\)/);
  });
});

const library = compileFaultySystem();

describe.skipIf(!library)('a disk that fails to fsync', () => {
  test('O4: doctor finds it and ends with 7', async () => {
    const box = await openBox('worker');
    const env = { LD_PRELOAD: library ?? '', FAULT_FSYNC: '1' };
    const ended = await box.run(['doctor'], { env });
    expect(ended.code).toBe(7);
    expect(ended.stdout).toMatch(/^attention {2}No byte .*: the disk refuses it \(EIO\)/);
  });
});

test('O4: what is broken goes before what needs attention: a damaged ledger is exit 1', async () => {
  const box = await openBox('worker');
  writeFileSync(join(box.home, 'ledger.db'), 'not a database, whatever its name says');
  const ended = await box.run(['doctor']);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/^problem {4}/);
});
