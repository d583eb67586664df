import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBox, openLedger } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';

/** Under this limit every write to a file fails, of whatever length; pipes are not files. */
const noWrites = ['sh', '-c', 'ulimit -f 0; exec "$@"', 'sh'];
const nothing = { messages: [], remaining: 0, deadLetters: 0 };

test('O8: a drain of an empty inbox writes nothing: it works where not one byte can be written', async () => {
  const box = await openBox('worker');
  await box.send('worker', 'taken before');
  await box.drain('worker');
  // A second connection keeps SQLite's own files beside the ledger, as a daemon will; they are not
  // the drain's to make.
  const ledger = await openLedger(box.home);
  await ledger.read((tx) => tx.agents.list());
  for (const args of [
    ['inbox', 'drain', 'worker'],
    ['inbox', 'drain'],
  ]) {
    const ended = await box.run([...args, '--json'], { wrapper: noWrites });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.json()).toEqual(nothing);
  }
  // The same limit stops whatever does write: a send, and a drain that has something to hand out.
  const sent = await box.run(['send', 'worker', 'x', '--json'], { wrapper: noWrites });
  expect(sent.code).toBe(1);
  expect(sent.json()).toMatchObject({ error: { code: 'ledger-unwritable' } });
  const id = await box.send('worker', 'x');
  const drained = await box.run(['inbox', 'drain', 'worker', '--json'], { wrapper: noWrites });
  expect(drained.code).toBe(1);
  expect(drained.json()).toMatchObject({ error: { code: 'ledger-unwritable' } });
  expect((await box.drain('worker')).messages).toMatchObject([{ id, attempts: 1 }]);
});

test('O8: nor does it write while another drain holds everything there is', async () => {
  const box = await openBox('worker');
  await box.send('worker', 'x');
  const held = await box.hold('drain.injected', ['inbox', 'drain', 'worker', '--json']);
  const ended = await box.run(['inbox', 'drain', 'worker', '--json'], { wrapper: noWrites });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(ended.json()).toEqual(nothing);
  // Its holder gone, the same inbox has something to settle and to hand out.
  await held.kill();
  const due = await box.run(['inbox', 'drain', 'worker', '--json'], { wrapper: noWrites });
  expect(due.code).toBe(1);
});

test('O8: nor does it ask for the lock that writers wait for', async () => {
  const box = await openBox('worker', 'other');
  // It stands in the middle of a transaction that writes.
  await box.hold('ledger.uncommitted', ['send', 'worker', 'x']);
  const env = { SIGNALBOX_LOCK_WAIT: '0ms' };
  const drained = await box.run(['inbox', 'drain', 'other', '--json'], { env });
  expect(drained.json()).toEqual(nothing);
  expectFault(await box.run(['send', 'other', 'y', '--json'], { env }), 4, 'ledger-busy', /locked/);
});

test('O8: the ledger is the same to the byte after empty drains, and another file after a full one', async () => {
  const box = await openBox('worker');
  await box.send('worker', 'x');
  const look = () => ({
    files: readdirSync(box.home),
    ledger: readFileSync(join(box.home, 'ledger.db')).toString('base64'),
  });
  const full = look();
  await box.drain('worker');
  const before = look();
  expect(before.ledger === full.ledger).toBe(false);
  await box.drain('worker');
  await box.run(['inbox', 'drain']);
  const after = look();
  expect(after.files).toEqual(['ledger.db']);
  expect(after.ledger === before.ledger).toBe(true);
});
