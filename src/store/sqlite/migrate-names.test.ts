import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createUser } from '../../agents/agent.ts';
import { add } from '../../fleet/add.ts';
import { resolveAgent } from '../../fleet/resolve-agent.ts';
import { resolveMessage } from '../../fleet/resolve-message.ts';
import { systemClock } from '../../shared/clock.ts';
import { Connection } from './connection.ts';
import { applicationId, schemaVersion } from './migrate.ts';
import { openSqliteLedger } from './open.ts';

const options = { clock: systemClock, lockWaitMs: 1000 };

/** As the 20th schema left it: names were unique in the whole ledger, whatever the session. */
function writeOld(path: string): void {
  writeFileSync(path, '');
  const db = new Connection(path, options);
  db.pragma('journal_mode = wal');
  db.pragma(`application_id = ${applicationId}`);
  const dir = new URL('./migrations/', import.meta.url);
  for (const file of readdirSync(dir).toSorted().slice(0, 20)) {
    db.execute(readFileSync(new URL(file, dir), 'utf8'));
  }
  db.pragma('user_version = 20');
  db.execute(`insert into meta values ('ledger_id', 'ldg_old');`);
  for (const [id, name, session, removedAt] of [
    ['agt_user', 'user', 'default', null],
    ['agt_0', 'lead', 'default', 5],
    ['agt_1', 'lead', 'default', null],
    ['agt_2', 'worker', 'checkout', null],
  ]) {
    db.execute(`
      insert into agents (id, name, session, provider, backend, epoch, status, source, since, notify, cwd, created_at, removed_at)
      values ('${id}', '${name}', '${session}', 'none', 'none', 0, 'unknown', 'none', 1, 1, '/home/ada/shop', 1, ${removedAt});`);
  }
  db.execute(`
    insert into messages (seq, id, number, kind, sender, recipient, state, truncated, urgent, created_at, answers_task, body)
    values (1, 'msg_1', 1, 'message', 'agt_user', 'agt_0', 'dead', 0, 0, 1, 0, 'old'),
           (2, 'msg_2', 2, 'message', 'agt_user', 'agt_1', 'queued', 0, 0, 1, 0, 'text');
    insert into history (message, n, at, to_state, cause) values (1, 1, 1, 'dead', 'old'), (2, 1, 1, 'queued', 'old');
    insert into numbers values ('lead', 2);`);
  db.close();
}

test('in an old ledger every name means whom it meant, until somebody gives it a second time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-old-names-'));
  const path = join(folder, 'ledger.db');
  writeOld(path);
  const ledger = await openSqliteLedger(path, options);
  try {
    expect(await ledger.inspect()).toMatchObject({ schema: schemaVersion, damage: [] });
    const user = createUser(1);
    const find = (reference: string, agent = user) =>
      ledger.read(async (tx) => (await resolveAgent(tx, reference, { agent })).id);
    const worker = await ledger.read((tx) => tx.agents.find('agt_2'));
    for (const [reference, id] of [
      ['user', 'agt_user'],
      ['lead', 'agt_1'],
      ['default/lead', 'agt_1'],
      ['worker', 'agt_2'],
      ['checkout/worker', 'agt_2'],
    ] as const) {
      expect(await find(reference)).toBe(id);
      expect(await find(reference, worker)).toBe(id);
    }
    const message = (reference: string) =>
      ledger.read(async (tx) => (await resolveMessage(tx, reference, user)).id);
    expect([await message('lead:1'), await message('lead:2')]).toEqual(['msg_1', 'msg_2']);

    const wanted = { name: 'lead', notify: true, cwd: '' };
    await expect(add(ledger, systemClock, { ...wanted, session: 'default' })).rejects.toMatchObject(
      { code: 'name-taken' },
    );
    const second = await add(ledger, systemClock, { ...wanted, session: 'checkout' });
    // From now on it is said that there are two, and the old numbers mean what they meant.
    await expect(find('lead')).rejects.toMatchObject({ code: 'name-ambiguous' });
    expect(await find('lead', worker)).toBe(second.id);
    expect(await find('default/lead')).toBe('agt_1');
    expect(await message('lead:2')).toBe('msg_2');
  } finally {
    await ledger.close();
    rmSync(folder, { recursive: true });
  }
});
