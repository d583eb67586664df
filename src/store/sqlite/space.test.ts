import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { userAgentId } from '../../agents/agent.ts';
import { accept } from '../../delivery/accept.ts';
import { acknowledge } from '../../delivery/acknowledge.ts';
import { systemClock } from '../../shared/clock.ts';
import { Connection } from './connection.ts';
import type { SqliteLedger } from './ledger.ts';
import { openSqliteLedger } from './open.ts';

const options = { clock: systemClock, lockWaitMs: 0 };
const secret = 'a body that is to be forgotten';
const all = { count: 1000, bytes: Number.POSITIVE_INFINITY, letters: 0 };
const mib = 1024 * 1024;

test('pruned bodies are overwritten, and their pages are given back to the disk', async () => {
  const { path, ledger } = await openFull();
  const before = statSync(path).size;
  await ledger.write((tx) => tx.messages.prune(Number.POSITIVE_INFINITY, all));
  let steps = 0;
  while (await ledger.space.giveBack()) steps++;
  expect(steps).toBeGreaterThan(5);
  expect(await ledger.space.emptyLog()).toBe(true);
  expect(statSync(`${path}-wal`).size).toBe(0);
  expect(readFileSync(path).includes(secret)).toBe(false);
  expect(statSync(path).size).toBeLessThan(before / 3);
  // Some pages stay for what comes next, and nothing more is given back for their sake.
  const { freeBytes, damage } = await ledger.inspect();
  expect([freeBytes > 0, freeBytes <= mib, damage]).toEqual([true, true, []]);
  expect(await ledger.space.giveBack()).toBe(false);
});

test('a log that somebody reads is left as it is, and emptied later', async () => {
  const { path, ledger } = await openFull();
  const other = new Connection(path, options);
  other.execute('begin');
  other.statement('select count(*) from messages').get();
  await ledger.write((tx) => tx.messages.prune(Number.POSITIVE_INFINITY, all));
  expect(await ledger.space.emptyLog()).toBe(false);
  other.execute('rollback');
  other.close();
  expect(await ledger.space.emptyLog()).toBe(true);
});

test('the log of a daemon has its full length again once it is emptied, and no byte of a body', async () => {
  const { path, ledger } = await openFull('incremental', { isLongLived: true });
  await ledger.write((tx) => tx.messages.prune(Number.POSITIVE_INFINITY, all));
  expect(await ledger.space.emptyLog()).toBe(true);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(16_000_000);
  expect(readFileSync(`${path}-wal`).includes(secret)).toBe(false);
  expect(await ledger.inspect()).toMatchObject({ damage: [], messages: { queued: 1 } });
});

test('a ledger of an earlier version is written anew once, and nothing in it is lost', async () => {
  const { path, ledger } = await openFull('none');
  expect(await ledger.inspect()).toMatchObject({ canShrink: false, messages: { acked: 100 } });
  expect(await ledger.space.giveBack()).toBe(false);
  expect(await ledger.space.rebuild(mib)).toBe('too-large');
  const other = new Connection(path, options);
  other.execute('begin immediate');
  expect(await ledger.space.rebuild(100 * mib)).toBe('busy');
  other.execute('rollback');
  expect(await ledger.inspect()).toMatchObject({ canShrink: false });
  expect(await ledger.space.rebuild(100 * mib)).toBe('rebuilt');
  expect(await ledger.space.rebuild(100 * mib)).toBe('not-needed');
  expect(await ledger.inspect()).toMatchObject({ canShrink: true, messages: { acked: 100 } });
  // Whoever had it open meanwhile sees the same ledger.
  expect(other.statement('select count(*) as n from messages').get()).toEqual({ n: 101 });
  other.close();
});

/** With 100 settled messages of 60 KB, and one that is open. */
async function openFull(
  vacuum = 'incremental',
  more: { readonly isLongLived?: boolean } = {},
): Promise<{ path: string; ledger: SqliteLedger }> {
  const path = join(tempHome(), 'ledger.db');
  await (await openSqliteLedger(path, options)).close();
  if (vacuum === 'none') {
    const db = new Connection(path, options);
    db.pragma('auto_vacuum = none');
    db.execute('vacuum');
    db.close();
  }
  const ledger = await openSqliteLedger(path, { ...options, ...more });
  onTestFinished(() => ledger.close());
  const draft = { kind: 'message', from: userAgentId, to: userAgentId } as const;
  const drafts = Array.from({ length: 100 }, () => ({ ...draft, body: secret.repeat(2000) }));
  const sent = await accept(ledger, systemClock, drafts);
  const ids = sent.flatMap((one) => ('message' in one ? [one.message.id] : []));
  await ledger.write((tx) =>
    acknowledge(tx, systemClock.now(), ids, { code: 'acked', cause: 'read' }),
  );
  await accept(ledger, systemClock, [{ ...draft, body: 'open' }]);
  await ledger.space.emptyLog();
  return { path, ledger };
}
