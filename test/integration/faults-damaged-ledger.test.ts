import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';
import type { FaultCode } from '../../src/shared/fault.ts';
import { Connection } from '../../src/store/sqlite/connection.ts';
import { schemaVersion } from '../../src/store/sqlite/migrate.ts';
import { tempHome } from '../support/home.ts';
import { sweepList } from '../support/sweep.ts';
import { type Box, boxAt, openBox } from './fixtures/box.ts';
import { overwriteTable } from './fixtures/damage.ts';
import { expectFault } from './fixtures/expect-fault.ts';

const options = { clock: systemClock, lockWaitMs: 1000 };

/** Every file of a folder with its bytes. */
function look(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder).map((name) => [
    name,
    readFileSync(join(folder, name)).toString('base64'),
  ]);
  return Object.fromEntries(entries);
}

/** A ledger with one message in it, and what happens to it next. */
async function openDamaged(damage: (path: string, box: Box) => void): Promise<Box> {
  const box = await openBox('worker');
  await box.send('worker', 'x');
  damage(join(box.home, 'ledger.db'), box);
  return box;
}

async function expectUntouched(box: Box, code: FaultCode, said: RegExp): Promise<void> {
  const before = look(box.home);
  const commands = [['send', 'worker', 'y'], ['inbox', 'list', 'worker'], ['ls']];
  // One after another: two at once may leave the file that says that somebody waits.
  for (const args of commands) expectFault(await box.run([...args, '--json']), 1, code, said);
  const doctor = await box.run(['doctor', '--fix', '--json']);
  expect([doctor.code, doctor.json()['ok']]).toEqual([1, false]);
  const after = look(box.home);
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(after).toEqual(before);
}

describe('a damaged ledger is refused with ledger-corrupt and left as it is:', () => {
  const damages: Record<string, (path: string) => void> = {
    'of no length': (path) => truncateSync(path, 0),
    'shorter than a header': (path) => truncateSync(path, 99),
    'cut in the middle': (path) => truncateSync(path, readFileSync(path).length / 2),
    'cut after its first page': (path) => truncateSync(path, 4096),
    'a text': (path) => writeFileSync(path, 'Dear diary,\n'.repeat(500)),
    'noise behind its header': (path) => writeFileSync(path, readFileSync(path).fill(0x5a, 100)),
    'noise in the table of agents': (path) => overwriteTable(path, 'agents'),
    'noise in the table of names': (path) => overwriteTable(path, 'meta'),
  };
  test.each(sweepList(Object.entries(damages), 2))('%s', async (_, damage) => {
    await expectUntouched(await openDamaged(damage), 'ledger-corrupt', /left as it is/);
  });

  test('noise in the table of messages stops whoever reads it, and nobody writes', async () => {
    const box = await openDamaged((path) => overwriteTable(path, 'messages'));
    const before = look(box.home);
    for (const args of [
      ['send', 'worker', 'y'],
      ['inbox', 'drain', 'worker'],
      ['rm', 'worker'],
    ]) {
      expectFault(await box.run([...args, '--json']), 1, 'ledger-corrupt', /is damaged/);
    }
    expect(look(box.home)).toEqual(before);
  });
});

describe('what is not ours is refused and left as it is:', () => {
  /**
   * Another program's database; with `hot`, as a killed process leaves it: its last change stands
   * in its log alone.
   */
  async function writeForeign(folder: string, mode: 'delete' | 'wal', hot = false): Promise<void> {
    const aside = join(folder, 'aside');
    mkdirSync(aside);
    const path = join(aside, 'ledger.db');
    writeFileSync(path, '');
    const db = new Connection(path, options);
    db.pragma(`journal_mode = ${mode}`);
    db.execute('create table notes (text); pragma application_id = 7');
    if (!hot) db.close();
    for (const name of readdirSync(aside)) {
      if (!name.endsWith('-shm')) cpSync(join(aside, name), join(folder, name));
    }
    if (hot) db.close();
    rmSync(aside, { recursive: true });
  }

  test.each(
    sweepList([
      ['with a rollback journal', 'delete', false],
      ['in WAL mode', 'wal', false],
      ['in WAL mode, its log still hot', 'wal', true],
    ] as const),
  )('another program’s database %s', async (_, mode, hot) => {
    const box = await openBox();
    await writeForeign(box.home, mode, hot);
    expect(readdirSync(box.home)).toEqual(hot ? ['ledger.db', 'ledger.db-wal'] : ['ledger.db']);
    // A database whose every page is still in its log has an empty file: not ours either way.
    const code = hot ? /^ledger-(foreign|corrupt)$/ : /^ledger-foreign$/;
    const ended = await box.run(['ls', '--json']);
    const { error } = ended.json<{ error: { code: FaultCode } }>();
    expect(error.code).toMatch(code);
    await expectUntouched(box, error.code, /left as it is/);
  });

  test('a ledger of a newer version', async () => {
    const box = await openDamaged((path) => {
      const bytes = readFileSync(path);
      bytes.writeUInt32BE(99, 60);
      writeFileSync(path, bytes);
    });
    const known = new RegExp(`schema 99; this signalbox knows ${schemaVersion}`);
    await expectUntouched(box, 'ledger-newer', known);
  });

  test('a ledger of a newer version that says so in its log alone', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('worker');
    const path = join(box.home, 'ledger.db');
    const db = new Connection(path, options);
    db.pragma('user_version = 99');
    for (let run = 0; run < 2; run++) {
      expectFault(await box.run(['send', 'worker', 'x', '--json']), 1, 'ledger-newer');
    }
    db.close();
    expectFault(await box.run(['send', 'worker', 'x', '--json']), 1, 'ledger-newer');
  });

  test('a link that leads nowhere', async () => {
    const box = await openBox();
    symlinkSync(join(box.home, 'nowhere'), join(box.home, 'ledger.db'));
    expectFault(await box.run(['ls', '--json']), 1, 'ledger-unwritable', /ENOENT/);
    expect(readdirSync(box.home)).toEqual(['ledger.db']);
  });
});

describe('a log that a killed process left', () => {
  /** A ledger whose last message stands in its log alone. */
  async function openHot(): Promise<Box> {
    const box = await openBox('worker');
    await (await box.hold('send.committed', ['send', 'worker', 'only in the log'])).kill();
    const holds = (name: string) => readFileSync(join(box.home, name)).includes('only in the log');
    expect([holds('ledger.db'), holds('ledger.db-wal')]).toEqual([false, true]);
    return box;
  }

  test('O4: holds what was accepted: the next command finds it', async () => {
    const box = await openHot();
    expect((await box.drain('worker')).messages).toMatchObject([{ body: 'only in the log' }]);
    expect(readdirSync(box.home)).toEqual(['ledger.db']);
  });

  test('O4: is never played into a new ledger: without its own it is refused, and left as it is', {
    tags: ['full'],
  }, async () => {
    const box = await openHot();
    const aside = tempHome();
    renameSync(join(box.home, 'ledger.db'), join(aside, 'ledger.db'));
    await expectUntouched(box, 'ledger-corrupt', /is gone, but its log .* is still there/);
    // Both ways out that the error names work.
    cpSync(join(box.home, 'ledger.db-wal'), join(aside, 'ledger.db-wal'));
    rmSync(join(box.home, 'ledger.db-wal'));
    await box.send('user', 'a new ledger');
    expect(await box.ask('doctor')).toMatchObject({ ok: true, ledger: { agents: 1 } });
    const { messages } = await boxAt(aside).list('worker');
    expect(messages).toMatchObject([{ body: 'only in the log' }]);
  });
});
