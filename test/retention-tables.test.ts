import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Agent, userAgentId } from '../src/agents/agent.ts';
import { accept } from '../src/delivery/accept.ts';
import { acknowledge } from '../src/delivery/acknowledge.ts';
import { prune } from '../src/delivery/prune.ts';
import { pull } from '../src/delivery/routes/pull.ts';
import { add } from '../src/fleet/add.ts';
import { beginRun } from '../src/fleet/begin-run.ts';
import { endRun } from '../src/fleet/end-run.ts';
import { forgetAgents } from '../src/fleet/forget-agents.ts';
import { remove } from '../src/fleet/remove.ts';
import { openStates } from '../src/messages/transitions.ts';
import type { Ledger } from '../src/store/ledger.ts';
import { Connection } from '../src/store/sqlite/connection.ts';
import { openSqliteLedger } from '../src/store/sqlite/open.ts';
import { FakeClock } from './fakes/clock.ts';
import { FakeHosts } from './fakes/host.ts';
import { tempHome } from './support/home.ts';

const clock = new FakeClock();
const here = { clock, host: new FakeHosts().start() };
const options = { clock, lockWaitMs: 1000 };

test('every table of the ledger stands in docs/operations.md, with what bounds it', async () => {
  const path = join(tempHome(), 'ledger.db');
  await (await openSqliteLedger(path, options)).close();
  const [, text = ''] = readFileSync('docs/operations.md', 'utf8').split(
    'Each table of the ledger,',
  );
  const listed = [...text.matchAll(/^\| `([a-z_]+)` +\| (.+) \|$/gm)]
    .filter(([, , how = '']) => how.length > 10)
    .map(([, name]) => name);
  // A migration has added one? Say in that document what keeps it from growing without end, and
  // make `forgetAgents` or `prune` do so.
  expect(listed).toEqual(expect.arrayContaining([...Object.keys(count(path))]));
});

test('when everything is past the retention, nothing is left of any agent in any table', async () => {
  const path = join(tempHome(), 'ledger.db');
  const ledger = await openSqliteLedger(path, options);
  await liveAll(ledger, path);
  // Every table has something in it: else this test would prove nothing of it.
  const full = count(path);
  expect(Object.entries(full).filter(([, rows]) => rows === 0)).toEqual([]);
  clock.pass(30 * 86_400_000);
  // The newest message stays, for its sequence number; it names nobody but the user.
  await accept(ledger, clock, [
    { kind: 'message', from: userAgentId, to: userAgentId, body: 'last' },
  ]);
  await prune(ledger, clock, 86_400_000);
  await forgetAgents(ledger, clock, 86_400_000);
  await ledger.close();
  const left = count(path);
  // The newest claim stays for its fencing token, the user for ever, with its last number, and of
  // what changed the last numbers, which name nobody.
  expect(left).toEqual({
    ...Object.fromEntries(Object.keys(full).map((name) => [name, 0])),
    ...{ meta: left['meta'], messages: 1, history: 1, claims: 1, agents: 1, numbers: 1 },
    changes: left['changes'],
  });
});

/** A task that is answered, a long body in parts, a life with turns and budgets, and a run. */
async function liveAll(ledger: Ledger, path: string): Promise<void> {
  const draft = { session: 'default', notify: true, cwd: '' };
  const worker = await add(ledger, clock, { ...draft, name: 'worker', session: 'shop' });
  await ledger.write((tx) => tx.agents.setRoot('shop', '/home/ada/shop'));
  const bodies = ['task', 'x'.repeat(60_000)];
  const sent = await accept(
    ledger,
    clock,
    bodies.map((body, i) => ({
      ...{ kind: i === 0 ? 'task' : 'message', from: userAgentId, to: worker.id, body },
    })),
  );
  const ids = sent.flatMap((one) => ('message' in one ? [one.message.id] : []));
  const request = { recipient: worker.id, epoch: 1, count: 10, bytes: 1e6, by: 'worker' };
  await (await pull(ledger, here, request)).finish();
  await ledger.write(async (tx) => {
    await tx.parts.put({ messageId: ids[1] ?? '', epoch: 1, part: 1, state: 'handed' });
    await tx.epochs.insert({
      ...{ agent: worker.id, epoch: 1, backend: 'tmux', provider: 'generic', argv: [] },
      ...{ extraArgs: [], tokenHash: 'h', startedAt: 0 },
    });
    await tx.epochs.end(worker.id, 1, { at: clock.now(), cause: 'exit' });
    await tx.answers.insert({
      ...{ id: 'ans_1', agent: worker.id, epoch: 1, question: 'qabcdef', asks: 'command' },
      ...{ text: 'make', decision: 'allow', outcome: 'taken', by: userAgentId },
      ...{ place: 'terminal', at: clock.now() },
    });
    await tx.interruptions.insert({
      ...{ id: 'itr_1', agent: worker.id, epoch: 1, outcome: 'ended', way: 'keys', presses: 1 },
      ...{ by: userAgentId, place: 'terminal', messages: ids, at: clock.now() },
    });
    await tx.turns.setBudget(worker.id, 'wakes', { used: 1, since: 0 });
    const stop = { session: 's', turn: 't', n: 1, digest: 'd', at: 0, isStandIn: false };
    await tx.turns.addStop(worker.id, stop);
  });
  leaveStop(path, worker);
  const reply = { kind: 'message', from: worker.id, to: userAgentId, body: 'done' } as const;
  await accept(ledger, clock, [{ ...reply, replyTo: ids.slice(0, 1) }]);
  const wanted = { title: 'make', session: 'default', parent: undefined, cwd: '' };
  const run = await beginRun(ledger, here, wanted);
  await endRun(ledger, here, { agent: run.id, outcome: 'completed', body: 'done' });
  await remove(ledger, here, worker.id, true);
  const open = await ledger.read((tx) =>
    tx.messages.list({ to: userAgentId, states: openStates, limit: 100 }),
  );
  await ledger.write((tx) =>
    acknowledge(
      tx,
      clock.now(),
      open.map(({ id }) => id),
      { code: 'acked', cause: 'read' },
    ),
  );
}

/** As a daemon of schema 8 did, which may still run. */
function leaveStop(path: string, { id }: Agent): void {
  within(path, (db) => db.statement(`insert into stops values (?, 's', 't', 1, 'd', 0)`).run(id));
}

function count(path: string): Readonly<Record<string, number>> {
  return within(path, (db) => {
    const tables = db
      .statement(`select name from sqlite_master where type = 'table' order by name`)
      .all() as { name: string }[];
    return Object.fromEntries(
      tables.map(({ name }) => {
        const { n } = db.statement(`select count(*) as n from ${name}`).get() as { n: number };
        return [name, n];
      }),
    );
  });
}

function within<T>(path: string, work: (db: Connection) => T): T {
  const db = new Connection(path, options);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
