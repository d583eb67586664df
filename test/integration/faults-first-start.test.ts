import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { tempHome } from '../support/home.ts';
import { sweepList } from '../support/sweep.ts';
import { boxAt, openBox, releaseEverywhere } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

describe('first starts', () => {
  test('eight at once on a folder that does not exist: all succeed, in one ledger', async () => {
    const box = boxAt(join(tempHome(), 'not', 'yet', 'there'));
    const bodies = Array.from({ length: 8 }, (_, i) => `message ${i}`);
    const ended = await Promise.all(bodies.map((body) => box.run(['send', 'user', body])));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(bodies.map(() => [0, '']));
    const { messages } = await box.drain('user');
    expect(messages.map(({ body }) => body).sort()).toEqual(bodies);
    const files = readdirSync(box.home).filter((name) => name !== 'ledger.db-wait');
    expect(files).toEqual(['ledger.db']);
    expect(statSync(box.home).mode & 0o777).toBe(0o700);
    expect(await box.ask('doctor')).toMatchObject({ ok: true, ledger: { agents: 1 } });
  });

  test('one killed while it makes the ledger leaves none, and the next one makes it', {
    tags: ['full'],
  }, async () => {
    const box = await openBox();
    // The first commit of all is the one that sets the new ledger up.
    await (await box.hold('ledger.uncommitted', ['ls'])).kill();
    const left = readdirSync(box.home);
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((name) => !name.startsWith('ledger.db.new-'))).toEqual([]);
    await box.send('user', 'x');
    // What is young may belong to a first start that is still at work.
    expect((await box.ask<DoctorReport>('doctor', '--fix')).fixed).toEqual([]);
    for (const name of left) utimesSync(join(box.home, name), 0, 0);
    const { fixed } = await box.ask<DoctorReport>('doctor', '--fix');
    expect(fixed[0]).toMatch(/removed that a killed first start had left/);
    expect(readdirSync(box.home)).toEqual(['ledger.db']);
    expect((await box.drain('user')).messages).toMatchObject([{ body: 'x' }]);
  });

  test('one that is overtaken while it makes the ledger takes the one that is there', async () => {
    const box = await openBox();
    const slow = await box.hold('ledger.uncommitted', ['send', 'user', 'slow']);
    await box.send('user', 'quick');
    expect(readdirSync(box.home).some((name) => name.startsWith('ledger.db.new-'))).toBe(true);
    // It stands at every commit: that of its draft, and then that of its message.
    expect((await releaseEverywhere(slow)).code).toBe(0);
    const { messages } = await box.drain('user');
    expect(messages.map(({ body }) => body)).toEqual(['quick', 'slow']);
    expect(readdirSync(box.home)).toEqual(['ledger.db']);
  });
});

describe('the path of the state folder', () => {
  const odd = [
    'with spaces',
    `it's "quoted" and \\ slashed`,
    'grün 漢字 🚀',
    '%20?mode=ro#x',
    'file:x',
    '-rf',
    'a\nb',
  ];
  test.each(sweepList(odd, 2).map((name) => [JSON.stringify(name), name]))(
    'may be anything: %s',
    async (_, name = '') => {
      const box = boxAt(join(tempHome(), name));
      expect((await box.run(['agents', 'add', 'worker'])).code).toBe(0);
      const id = await box.send('worker', 'x');
      expect((await box.drain('worker')).messages).toMatchObject([{ id }]);
      expect(readdirSync(box.home)).toEqual(['ledger.db']);
    },
  );

  /** A folder whose ledger has a path of exactly so many bytes. */
  function folderFor(bytes: number): string {
    const home = tempHome();
    const room = bytes - Buffer.byteLength(join(home, 'ledger.db'));
    const parts = Array.from({ length: Math.floor(room / 100) }, () => `/${'x'.repeat(99)}`);
    const rest = room % 100;
    if (rest === 1) parts[0] += 'x';
    else if (rest > 1) parts.push(`/${'y'.repeat(rest - 1)}`);
    const folder = home + parts.join('');
    expect(Buffer.byteLength(join(folder, 'ledger.db'))).toBe(bytes);
    return folder;
  }

  test('may be as long as SQLite takes it, to the byte, in every step from the first start on', async () => {
    for (const bytes of [400, 469]) {
      const box = boxAt(folderFor(bytes));
      await box.send('user', 'x');
      expect((await box.drain('user')).messages).toMatchObject([{ body: 'x' }]);
    }
  });

  test('is refused with path-too-long beyond that, before anything is made: exit 1', async () => {
    for (const bytes of [470, 512, 5000]) {
      const folder = folderFor(bytes);
      const ended = await boxAt(folder).run(['send', 'user', 'x', '--json']);
      expectFault(ended, 1, 'path-too-long', new RegExp(`has ${bytes} bytes.*it may have 469`));
    }
    const part = await boxAt(join(tempHome(), 'x'.repeat(256))).run(['ls', '--json']);
    expectFault(part, 1, 'ledger-unwritable', /ENAMETOOLONG/);
  });
});

describe('a state folder deleted under a running process', () => {
  test('leaves that process to end by itself, and the next command a sound ledger of its own', {
    tags: ['full'],
  }, async () => {
    const box = await openBox('worker');
    await box.send('worker', 'old');
    const held = await box.hold('drain.claimed', ['inbox', 'drain', 'worker', '--json']);
    rmSync(box.home, { recursive: true });
    mkdirSync(box.home, { mode: 0o700 });
    await box.send('user', 'new');
    // Both have one open now: what the old one does at its end must not touch the files of the new
    // one.
    const other = await box.hold('drain.injected', ['inbox', 'drain', 'user', '--json']);
    expect((await held.release()).signal).toBeNull();
    await box.send('user', 'newer');
    expect((await other.release()).json()).toMatchObject({ messages: [{ body: 'new' }] });
    expect((await box.drain('user')).messages).toMatchObject([{ body: 'newer' }]);
    expect(await box.ask('doctor')).toMatchObject({ ok: true, ledger: { messages: { acked: 2 } } });
  });
});
