import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUnconfirmed } from '../../delivery/leave-unconfirmed.ts';
import { systemClock } from '../../shared/clock.ts';
import { Connection } from './connection.ts';
import { applicationId, schemaVersion } from './migrate.ts';
import { openSqliteLedger } from './open.ts';

const options = { clock: systemClock, lockWaitMs: 1000 };
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sbx-migrate-'));
  path = join(folder, 'ledger.db');
});

afterEach(() => rmSync(folder, { recursive: true }));

/**
 * A ledger as the third schema left it: three messages went into one agent, the second without any
 * proof to be had.
 */
function writeThird(): void {
  writeFileSync(path, '');
  const db = new Connection(path, options);
  db.pragma('journal_mode = wal');
  db.pragma(`application_id = ${applicationId}`);
  for (const file of ['0001-ledger.sql', '0002-epochs.sql', '0003-delivery.sql']) {
    db.execute(readFileSync(new URL(`./migrations/${file}`, import.meta.url), 'utf8'));
  }
  db.pragma('user_version = 3');
  db.execute(`insert into meta values ('ledger_id', 'ldg_old');`);
  for (const [seq, provable, pointer] of [
    [1, 1, 0],
    [2, 0, 0],
    [3, 0, 1],
  ]) {
    db.execute(`
      insert into messages (seq, id, kind, sender, recipient, state, truncated, urgent, created_at, answers_task, token, body)
      values (${seq}, 'msg_${seq}', 'message', 'user', 'agt_1', 'injected', 0, 0, 1, 0, ${seq}, 'text');
      insert into history (message, n, at, to_state, cause) values (${seq}, 1, 1, 'injected', 'old');
      insert into claims (token, recipient, route, epoch, mark, provable, host, boot, pid_space, pid, process_started, at,
        taken_at_ms, lease_ms, ended_at)
      values (${seq}, 'agt_1', 'paste', 2, 'mark_${seq}', ${provable}, 'h', 'b', 'p', 1, 's', 1, 1, 1, 1);
      insert into attempts (message, token, outcome, pointer) values (${seq}, ${seq}, 'injected', ${pointer});`);
  }
  db.close();
}

test('rules 8, 13: a ledger of the third schema is brought up to date, and nothing in it changes its meaning', async () => {
  writeThird();
  const ledger = await openSqliteLedger(path, options);
  try {
    expect(ledger.id).toBe('ldg_old');
    const report = await ledger.inspect();
    expect(report).toMatchObject({ schema: schemaVersion, damage: [], messages: { injected: 3 } });
    const open = await ledger.read((tx) => tx.claims.listUnproven('agt_1'));
    expect(open.map(({ token }) => token)).toEqual([1, 3]);
    const entered = await ledger.read((tx) => tx.claims.listEntered('agt_1', 2));
    expect(entered.map(({ messageId }) => messageId)).toEqual(['msg_1', 'msg_2', 'msg_3']);
  } finally {
    await ledger.close();
  }
});

test('rule 50: of a history without codes the one cause that is asked for has its code, the others none', async () => {
  writeThird();
  const db = new Connection(path, options);
  db.execute(`
    insert into history (message, n, at, from_state, to_state, cause, evidence)
    values (2, 2, 2, 'uncertain', 'injected', 'sent, unconfirmed', 'a form that nobody knows');`);
  db.close();
  const ledger = await openSqliteLedger(path, options);
  try {
    const [first, last] = await ledger.read((tx) => tx.messages.history('msg_2'));
    expect(first).toEqual({ at: 1, from: null, to: 'injected', cause: 'old' });
    const unconfirmed = { code: 'unconfirmed', evidence: 'a form that nobody knows' };
    expect(last).toMatchObject({ cause: 'sent, unconfirmed', ...unconfirmed });
    const why = await ledger.read((tx) => findUnconfirmed(tx, { id: 'agt_1', epoch: 2 }));
    expect(why).toBe('a form that nobody knows');
  } finally {
    await ledger.close();
  }
});

test('old messages get their numbers in the order of the ledger, for each name of a recipient', async () => {
  writeThird();
  const db = new Connection(path, options);
  const agent = (id: string, name: string, removedAt: number | null) =>
    db.execute(`
      insert into agents (id, name, session, provider, backend, epoch, status, source, since, notify, cwd, created_at, removed_at)
      values ('${id}', '${name}', 'default', 'none', 'none', 0, 'unknown', 'none', 1, 1, '', 1, ${removedAt});`);
  agent('agt_1', 'ada', 5);
  agent('agt_2', 'ada', null);
  agent('agt_3', 'ben', null);
  for (const [seq, to] of [
    [4, 'agt_2'],
    [5, 'agt_3'],
    [6, 'agt_gone'],
    [7, 'agt_2'],
  ]) {
    db.execute(`
      insert into messages (seq, id, kind, sender, recipient, state, truncated, urgent, created_at, answers_task, body)
      values (${seq}, 'msg_${seq}', 'message', 'user', '${to}', 'queued', 0, 0, 1, 0, 'text');`);
  }
  db.close();
  const ledger = await openSqliteLedger(path, options);
  try {
    const numbers = await ledger.read(async (tx) => {
      const all = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => tx.messages.find(`msg_${n}`)));
      return all.map((message) => message?.number);
    });
    expect(numbers).toEqual([1, 2, 3, 4, 1, 1, 5]);
    const next = await ledger.write((tx) =>
      tx.messages.insert(
        ['agt_2', 'agt_3', 'agt_gone'].map((to) => ({
          ...{ id: `msg_to_${to}`, kind: 'message', from: 'user', to, body: 'new' },
          ...{ state: 'queued', createdAt: 9, cause: 'accepted' },
        })) as never,
      ),
    );
    expect(next.map(({ number }) => number)).toEqual([6, 2, 2]);
  } finally {
    await ledger.close();
  }
});
