import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../support/home.ts';
import { boxAt, openBox } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

/** Modes do not stop root, unless it gives up its privileges. */
const isRoot = process.getuid?.() === 0;
const bound = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : ['env'];
const [command = '', ...args] = [...bound, 'sh', '-c', '! test -w /proc/version && test -r /'];
const isBound = spawnSync(command, args).status === 0;

/** Read-only until the test is over, so that the folder can be removed. */
function close(path: string, mode: number): void {
  chmodSync(path, mode);
  onTestFinished(() => chmodSync(path, 0o700));
}

describe.skipIf(!isBound)(
  'where modes bind (left out for a root that cannot drop its privileges)',
  () => {
    const run = { wrapper: bound };

    test('O4: a read-only folder fails every command with exit 1, and stays as it is', async () => {
      const box = await openBox('worker');
      await box.send('worker', 'x');
      const before = readFileSync(join(box.home, 'ledger.db'));
      close(box.home, 0o500);
      for (const words of [['send', 'worker', 'y'], ['inbox', 'drain', 'worker'], ['ls']]) {
        const ended = await box.run([...words, '--json'], run);
        expectFault(ended, 1, 'ledger-unwritable', /Make the state folder writable/);
      }
      expect(readFileSync(join(box.home, 'ledger.db')).equals(before)).toBe(true);
      expect(readdirSync(box.home)).toEqual(['ledger.db']);
      const doctor = await box.run(['doctor', '--json'], run);
      expect(doctor.code).toBe(7);
      expect(doctor.json()).toMatchObject({ ok: false, ledger: { exists: true } });
      chmodSync(box.home, 0o700);
      expect((await box.drain('worker')).messages).toMatchObject([{ body: 'x', attempts: 1 }]);
    });

    test('O4: an empty read-only folder, or one that cannot be made, is said to be so; nothing is left in it', async () => {
      const home = tempHome();
      close(home, 0o500);
      for (const place of [home, join(home, 'below', 'it')]) {
        const ended = await boxAt(place).run(['send', 'user', 'x', '--json'], run);
        expectFault(ended, 1, 'ledger-unwritable', /could not be opened: EACCES.*SIGNALBOX_HOME/);
      }
      const set = await boxAt(home).run(['config', 'set', 'retention', '1d', '--json'], run);
      expectFault(set, 1, 'config-invalid', /could not be written: EACCES/);
      expect(readdirSync(home)).toEqual([]);
    });

    test('O4: a read-only ledger can be looked into; a send into it fails with exit 1 and changes nothing', async () => {
      const box = await openBox('worker');
      await box.send('worker', 'x');
      const path = join(box.home, 'ledger.db');
      const before = readFileSync(path);
      chmodSync(path, 0o400);
      for (const words of [
        ['send', 'worker', 'y'],
        ['inbox', 'drain', 'worker'],
        ['rm', 'worker'],
      ]) {
        const ended = await box.run([...words, '--json'], run);
        expectFault(ended, 1, 'ledger-unwritable', /Nothing was accepted or changed/);
      }
      expect(readFileSync(path).equals(before)).toBe(true);
      const listed = await box.run(['inbox', 'list', 'worker', '--json'], run);
      expect(listed.json()).toMatchObject({ messages: [{ body: 'x', state: 'queued' }] });
    });

    test('O4: a ledger, or a configuration, that may not be read is said to be so', async () => {
      const box = await openBox('worker');
      chmodSync(join(box.home, 'ledger.db'), 0);
      expectFault(await box.run(['ls', '--json'], run), 1, 'ledger-unwritable', /EACCES/);
      writeFileSync(join(box.home, 'config.yaml'), '');
      chmodSync(join(box.home, 'config.yaml'), 0);
      expectFault(await box.run(['ls', '--json'], run), 1, 'config-invalid', /EACCES/);
    });
  },
);

test('O4: a SIGNALBOX_HOME that is a file, or lies below one, is said to be so: exit 1', {
  tags: ['full'],
}, async () => {
  const file = join(tempHome(), 'a file');
  writeFileSync(file, 'mine');
  for (const home of [file, join(file, 'below')]) {
    const ended = await boxAt(home).run(['send', 'user', 'x', '--json']);
    expectFault(ended, 1, 'ledger-unwritable', /a file.*could not be opened.*SIGNALBOX_HOME/);
    const set = await boxAt(home).run(['config', 'set', 'retention', '1d', '--json']);
    expectFault(set, 1, 'config-invalid', /could not be written/);
    const doctor = await boxAt(home).run(['doctor', '--json']);
    expect([doctor.code, doctor.json()['ok']]).toEqual([1, false]);
  }
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

test('O4: a folder that stands where the ledger should be is said to be so: exit 1', async () => {
  const box = boxAt(tempHome());
  mkdirSync(join(box.home, 'ledger.db'));
  expectFault(await box.run(['ls', '--json']), 1, 'ledger-unwritable', /EISDIR/);
});
