import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endTurn } from '../../fleet/end-turn.ts';
import { systemClock } from '../../shared/clock.ts';
import { Connection } from './connection.ts';
import { applicationId } from './migrate.ts';
import { openSqliteLedger } from './open.ts';

const options = { clock: systemClock, lockWaitMs: 1000 };

/**
 * Codex agent of the user, no parent: its 3 turns made no completion. The third held a task and was
 * interrupted.
 */
test('rules 26, 27: after the upgrade a turn that ended before a task was given does not answer it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-old-ledger-'));
  const path = join(folder, 'ledger.db');
  writeFileSync(path, '');
  const db = new Connection(path, options);
  db.pragma('journal_mode = wal');
  db.pragma(`application_id = ${applicationId}`);
  const dir = new URL('./migrations/', import.meta.url);
  for (const file of readdirSync(dir).toSorted().slice(0, 8)) {
    db.execute(readFileSync(new URL(file, dir), 'utf8'));
  }
  db.pragma('user_version = 8');
  db.execute(`insert into meta values ('ledger_id', 'ldg_old');
    insert into agents (id, name, session, provider, backend, epoch, status, source, since, notify, cwd, created_at)
      values ('user', 'user', 'default', 'user', 'none', 0, 'idle', 'process', 1, 1, '/', 1),
             ('agt_1', 'worker', 'default', 'codex', 'tmux', 1, 'idle', 'process', 1, 1, '/', 1);
    insert into messages (seq, id, kind, sender, recipient, state, truncated, urgent, created_at, answers_task, token, body)
      values (1, 'msg_task', 'task', 'user', 'agt_1', 'seen', 0, 0, 5000, 0, 1, 'do it');
    insert into history (message, n, at, to_state, cause) values (1, 1, 5000, 'seen', 'old');
    insert into claims (token, recipient, route, epoch, mark, provable, host, boot, pid_space, pid, process_started, at,
      taken_at_ms, lease_ms, ended_at) values (1, 'agt_1', 'native', 1, 'mark_1', 1, 'h', 'b', 'p', 1, 's', 5000, 1, 1, 1);
    insert into attempts (message, token, outcome, recipient, epoch, turn) values (1, 1, 'seen', 'agt_1', 1, 'thread/t3/1');
    insert into debts (task, debtor, creditor, given_at) values ('msg_task', 'agt_1', 'user', 5000);
    insert into stops values ('agt_1', 'thread', 't3', 1, 'd', 6000);`);
  db.close();
  const ledger = await openSqliteLedger(path, options);
  try {
    // Codex tells its turns again after the connection; the oldest first.
    const old = {
      session: 'thread',
      id: 't1',
      stop: 1,
      outcome: 'completed',
      text: 'Old.',
      endedAt: 1000,
      held: [],
    } as const;
    await endTurn(ledger, systemClock, { child: 'agt_1', epoch: 1, ...old });
    expect((await ledger.read((tx) => tx.debts.find('msg_task')))?.end).toBeUndefined();
  } finally {
    await ledger.close();
    rmSync(folder, { recursive: true });
  }
});
