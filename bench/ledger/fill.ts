import { statSync } from 'node:fs';
import { userAgentId } from '../../src/agents/agent.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { systemHost } from '../../src/shared/processes.ts';
import { Connection } from '../../src/store/sqlite/connection.ts';
import { lockWaitMs } from './open.ts';

const chunk = 20_000;
/** Younger than the retention, so that nothing of it is to be pruned. */
const lifeMs = 13 * 86_400_000;

export interface Filled {
  readonly seconds: number;
  readonly megabytes: number;
}

/**
 * Gives a ledger the past of `count` messages that were sent, claimed one by one, handed out and
 * acked over the last days, a quarter of them pasted without any proof instead: the rows that this
 * life leaves, in the order of time, with ids and marks as long as real ones. Written as plain SQL
 * and without fsync, because doing it by the verbs would take an hour.
 */
export function fill(path: string, recipient: string, count: number): Filled {
  const startedAt = performance.now();
  const db = new Connection(path, { clock: systemClock, lockWaitMs });
  try {
    db.pragma('synchronous = off');
    db.pragma('cache_size = -262144');
    db.pragma('wal_autocheckpoint = 65536');
    const { host, boot, pidSpace, pid, startedAt: processStarted } = systemHost.identity;
    const base = {
      sender: userAgentId,
      recipient,
      start: systemClock.now() - lifeMs,
      step: lifeMs / count,
      ...{ host, boot, pidSpace, pid, processStarted },
    };
    for (let first = 1; first <= count; first += chunk) {
      const last = Math.min(first + chunk - 1, count);
      db.execute('begin immediate');
      for (const sql of inserts) db.statement(sql).run({ ...base, first, last });
      db.execute('commit');
    }
    // On disk before anything is measured: nobody's fsync shall pay for this.
    db.pragma('synchronous = full');
    db.pragma('wal_checkpoint(truncate)');
  } finally {
    db.close();
  }
  return {
    seconds: (performance.now() - startedAt) / 1000,
    megabytes: statSync(path).size / 1e6,
  };
}

/** Message `i` was sent at `at`, and each step after it took a few milliseconds. */
const life = `
  with recursive numbers (i) as (select @first union all select i + 1 from numbers where i < @last),
  lives (i, at) as (select i, cast(@start + i * @step as integer) from numbers)`;
/** Into a program of whose reading there is no proof: `injected` is its end. */
const isPasted = 'i % 4 = 1';
// Time first, as in real ids. Hexadecimal digits sort below the base 32 of ids made today, so that
// new ids come last.
const timeOrdered = `printf('%012x', at) || lower(hex(randomblob(7)))`;
const insertMessages = `
  insert into messages (seq, id, kind, sender, recipient, state, truncated, urgent, created_at, answers_task, key,
    attempts, token, settled_at, is_end, body)
  ${life}
  select i, 'msg_' || ${timeOrdered}, 'message', @sender, @recipient, iif(${isPasted}, 'injected', 'acked'), 0, 0, at, 0,
    case when i % 4 = 0 then 'key:' || lower(hex(randomblob(8))) end, 1, i, iif(${isPasted}, null, at + 9),
    ${isPasted}, printf('%.*c', 500, 'x')
  from lives`;
const insertHistory = `
  insert into history (message, n, at, from_state, to_state, cause)
  ${life},
  steps (n, after, from_state, to_state, cause) as (values
    (1, 0, null, 'queued', 'accepted'),
    (2, 5, 'queued', 'claimed', 'claimed for pull, epoch 0'),
    (3, 7, 'claimed', 'injected', 'handed out'),
    (4, 9, 'injected', 'acked', 'taken by the agent itself'))
  select i, n, at + after, from_state, to_state, cause from lives cross join steps
  where n < 4 or not ${isPasted}`;
const insertClaims = `
  insert into claims (token, recipient, route, epoch, mark, provable, host, boot, pid_space, pid, process_started, at,
    taken_at_ms, lease_ms, ended_at)
  ${life}
  select i, @recipient, iif(${isPasted}, 'paste', 'pull'), 0,
    'mark_' || ${timeOrdered} || '_' || lower(hex(randomblob(13))), not ${isPasted}, @host, @boot,
    @pidSpace, @pid, @processStarted, at + 5, i, 30000, at + 7
  from lives`;
const insertAttempts = `
  insert into attempts (message, token, outcome, recipient, epoch, turn)
  ${life}
  select i, i, iif(${isPasted}, 'injected', 'acked'), @recipient, 0, 'turn' from lives`;
const inserts = [insertMessages, insertHistory, insertClaims, insertAttempts];
