import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accept } from '../../src/delivery/accept.ts';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { systemHost } from '../../src/shared/processes.ts';
import { Connection } from '../../src/store/sqlite/connection.ts';
import { sweepList } from '../support/sweep.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Box, openBox, openLedger } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

/** Texts that are no JSON, and JSON of another shape. */
const spoilt = ['{"half', '{"pid":"x","permission":7}'] as const;

/** Real SQL on the real file, as a bad disk or another program would do it. */
function spoil(home: string, statement: string, ...values: readonly string[]): void {
  const db = new Connection(join(home, 'ledger.db'), { clock: systemClock, lockWaitMs: 10_000 });
  const { changes } = db.statement(statement).run(...values);
  db.close();
  expect(changes).toBe(1);
}

const list = async (box: Box): Promise<readonly AgentView[]> =>
  (await box.ask<{ agents: readonly AgentView[] }>('ls')).agents;

async function examine(box: Box): Promise<string> {
  const report = await box.run(['doctor', '--json']);
  return JSON.stringify(report.json<DoctorReport>().problems);
}

/** One reader reads all of them: a value of another shape is tried in one column. */
const columnsOf = (bad: string, columns: readonly string[]): readonly string[] =>
  bad === spoilt[0] ? sweepList(columns) : columns.slice(0, 1);

describe.each(sweepList(spoilt))('a row that holds %j is the trouble of one agent (B14)', (bad) => {
  test.each(columnsOf(bad, ['role', 'worktree']))('agents.%s, without a daemon', async (column) => {
    const box = await openBox('bad', 'good');
    const before = await list(box);
    const id = before.find(({ name }) => name === 'bad')?.id ?? '';
    spoil(box.home, `update agents set ${column} = ? where name = 'bad'`, bad);
    const agents = await list(box);
    expect(agents.map(({ name }) => name)).toEqual(['bad', 'good', 'user']);
    expect(agents.map(({ notes }) => notes?.join())).toEqual([
      expect.stringContaining(`agents.${column} cannot be read`),
      undefined,
      undefined,
    ]);
    expect(await box.ask('status', 'good')).not.toHaveProperty('notes');
    expect(await box.ask('status', 'bad')).toHaveProperty('notes');
    await box.ask('send', 'good', 'hello');
    await box.ask('send', 'bad', 'hello');
    for (const name of ['good', 'bad']) {
      expect((await box.drain(name)).messages.map(({ body }) => body)).toEqual(['hello']);
    }
    expect(await examine(box)).toMatch(new RegExp(`${id} is damaged: agents.${column}.*rm ${id}`));
    await box.ask('rm', 'bad');
    expect(await examine(box)).toBe('[]');
  });

  test.each(columnsOf(bad, ['reply_to', 'owes', 'reports']))('messages.%s', async (column) => {
    const box = await openBox('worker', 'other');
    const id = await box.send('worker', 'the words');
    await box.send('worker', 'more words');
    spoil(box.home, `update messages set ${column} = ? where id = ?`, bad, id);
    expect(await examine(box)).toMatch(new RegExp(`${id} is damaged: messages.${column}`));
    expect((await box.list('worker')).messages).toHaveLength(2);
    expect((await box.explain(id)).message.body).toBe('the words');
    await box.ask('send', 'other', 'hello');
    const { messages } = await box.drain('worker');
    expect(messages.map(({ body }) => body)).toEqual(['the words', 'more words']);
  });

  test.each(columnsOf(bad, ['waiter', 'reports']))('debts.%s', async (column) => {
    const box = await openBox('lead', 'worker');
    const ledger = await openLedger(box.home);
    const ids = new Map((await list(box)).map(({ name, id }) => [name, id]));
    const [lead = '', worker = ''] = [ids.get('lead'), ids.get('worker')];
    const draft = { kind: 'task', from: lead, to: worker, body: 'Do it' } as const;
    const [accepted] = await accept(ledger, systemClock, [draft]);
    const task = accepted?.outcome === 'accepted' ? accepted.message.id : '';
    spoil(box.home, `update debts set ${column} = ? where task = ?`, bad, task);
    expect(await examine(box)).toMatch(new RegExp(`${task} is damaged: debts.${column}`));
    const owes = (await list(box)).find(({ name }) => name === 'worker')?.owes;
    expect(owes).toMatchObject([{ task, to: { name: 'lead' } }]);
    // What its debtor tells meanwhile is noted in that very column.
    await box.runAs('worker', ['send', 'lead', 'halfway']);
    await box.runAs('worker', ['send', 'lead', 'done', '--reply-to', task]);
    const { messages } = await box.drain('lead');
    expect(messages.map(({ body }) => body)).toEqual(['halfway', 'done']);
    expect((await ledger.read((tx) => tx.debts.find(task)))?.end).toBe('answered');
  });

  test('handed_parts.hold', async () => {
    const box = await openBox('worker');
    const ledger = await openLedger(box.home);
    const id = await box.send('worker', 'x'.repeat(20_000));
    const hold = { id: 'h', holder: systemHost.identity, takenAtMs: 1, leaseMs: 1 };
    await ledger.write((tx) =>
      tx.parts.put({ messageId: id, epoch: 0, part: 1, state: 'out', hold }),
    );
    spoil(box.home, 'update handed_parts set hold = ?', bad);
    expect(await examine(box)).toMatch(new RegExp(`${id} is damaged: handed_parts.hold`));
    // Nobody hands it out, as far as anybody can tell: it is offered again.
    const ended = await box.runAs('worker', ['inbox', 'drain']);
    expect([ended.code, ended.stdout.includes('xxxx')]).toEqual([0, true]);
  });
});

test('a terminal that cannot be read makes no user of the agent in it (B14)', async () => {
  const box = await openBox('other');
  const ledger = await openLedger(box.home);
  const now = systemClock.now();
  await ledger.write(async (tx) => {
    const life = { backend: 'tmux', provider: 'generic', epoch: 1 };
    const known = { status: 'idle', source: 'screen', since: now, createdAt: now } as const;
    const place = { name: 'worker', session: 'default', notify: true, cwd: '/' };
    await tx.agents.insert({ id: 'agt_worker', ...life, ...known, ...place });
    await tx.epochs.insert({
      ...{ ...life, agent: 'agt_worker', argv: [], extraArgs: [] },
      ...{ tokenHash: 'none', startedAt: now, terminal: '{"half' },
    });
  });
  // A shell of the agent's, and in it a program without the variables.
  const bare = 'env -u SIGNALBOX_AGENT "$@"; exit $?';
  const wrapper = ['sh', '-c', bare, 'sh'];
  const asked = await box.run(['inbox', 'list', 'other', '--json'], {
    wrapper,
    env: { SIGNALBOX_AGENT: 'agt_worker' },
  });
  expectFault(asked, 5, 'not-allowed', /You are the agent "worker"/);
  expect((await box.run(['inbox', 'list', 'other'])).code).toBe(0);
});

describe.runIf(hasTmux)('a life whose row cannot be read harms no other (B14)', () => {
  test.each(
    sweepList([
      ['epochs.terminal', "update epochs set terminal = '{' where agent = ?"],
      ['epochs.extra_args', "update epochs set extra_args = '{}' where agent = ?"],
      ['epochs.argv', "update epochs set argv = '[1]' where agent = ?"],
      ['agents.role', "update agents set role = '[]' where id = ?"],
    ] as const),
  )('%s, at a start of the daemon', { tags: ['full'] }, async (column, statement) => {
    const station = await openStation();
    const bad = await station.launch('bad');
    await station.launch('good');
    await station.killDaemon();
    spoil(station.home, statement, bad.id);
    // Without a daemon.
    await station.send('good', 'Now @@say one');
    const problems = await examine(station);
    expect(problems).toContain(`${bad.id} is damaged: ${column}`);
    // It reconciles at its start, and carries.
    await station.ask('up');
    const { message } = await station.ask<{ message: { body: string } }>(
      ...['handoff', 'good', 'Now @@say two'],
    );
    expect(message.body).toBe('two');
    const agents = await list(station);
    expect(agents.map(({ name }) => name)).toEqual(['bad', 'good', 'user']);
    const notes = agents[0]?.notes?.join() ?? '';
    if (column === 'epochs.terminal') {
      // The terminal itself says whose it is: the row is written anew.
      await waitUntil('the row', async () => (await examine(station)) === '[]');
      await station.ask('restart', 'bad');
    } else {
      expect(notes).toContain(`${column} cannot be read`);
      expectFault(await station.run(['restart', 'bad', '--json']), 1, 'ledger-corrupt');
    }
    await station.ask('rm', 'bad');
    expect((await list(station)).map(({ name }) => name)).toEqual(['good', 'user']);
    expect(await examine(station)).toBe('[]');
  });

  test('a life that cannot be found is not ended by a guess; others are', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const bad = await station.launch('bad');
    await station.launch('good');
    await station.killDaemon();
    await station.tmux('kill-server').catch(() => 'it answers no more');
    spoil(station.home, "update epochs set terminal = '{' where agent = ?", bad.id);
    await station.ask('up');
    await station.untilStatus('good', 'exited');
    const agents = await list(station);
    expect(agents[0]?.status).not.toBe('exited');
    expect(agents[0]?.notes?.join()).toContain('epochs.terminal cannot be read');
    await station.ask('rm', 'bad');
    expect(await examine(station)).toBe('[]');
  });
});
