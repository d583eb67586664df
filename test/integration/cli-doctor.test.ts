import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { userAgentId } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { noteBug } from '../../src/shared/bug-notes.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { schemaVersion } from '../../src/store/sqlite/migrate.ts';
import { openSqliteLedger } from '../../src/store/sqlite/open.ts';
import { tempHome } from '../support/home.ts';
import { boxAt, openBox, overdue } from './fixtures/box.ts';
import { garble, overwriteTable } from './fixtures/damage.ts';

/**
 * What a machine with tmux has besides its ledger. Which CLIs are installed is the machine's own.
 */
const aroundIt = {
  terminals: {
    ...{ backend: 'tmux', version: expect.any(String), crashes: expect.any(Array) },
    ...{ agents: {}, others: [], limits: [] },
  },
  providers: expect.objectContaining({
    'claude-code': expect.objectContaining({ tested: '2.1.325' }),
  }),
  problems: [],
  attention: [],
  warnings: [],
  waiting: [],
  questions: [],
  worktrees: [],
  fixed: [],
};

/** Where the test has its state folder. */
function writable(path: string, exists = true) {
  return { stateFolder: { path, exists, canWrite: true } };
}

test('doctor makes no ledger where there is none, and calls that well: exit 0', {
  tags: ['full'],
}, async () => {
  const box = boxAt(join(tempHome(), 'nowhere'));
  const ended = await box.run(['doctor', '--fix', '--json']);
  expect(ended.code).toBe(0);
  expect(ended.json()).toEqual({
    ok: true,
    ledger: { path: join(box.home, 'ledger.db'), exists: false },
    ...writable(box.home, false),
    ...aroundIt,
  });
  expect((await box.run(['doctor'])).stdout).toContain('there is no ledger yet');
  expect((await box.run(['doctor', '--all'])).stdout).toContain('there is none yet');
  expect(statSync(box.home, { throwIfNoEntry: false })).toBeUndefined();
});

test('doctor counts a sound ledger: exit 0', { tags: ['full'] }, async () => {
  const box = await openBox('worker');
  await box.send('worker', 'a');
  await box.drain('worker');
  await box.send('worker', 'b');
  const report = await box.ask<DoctorReport>('doctor');
  expect(report).toEqual({
    ok: true,
    ledger: {
      path: join(box.home, 'ledger.db'),
      exists: true,
      engine: 'sqlite',
      id: expect.stringMatching(/^ldg_/),
      schema: schemaVersion,
      bytes: expect.any(Number),
      freeBytes: 0,
      canShrink: true,
      agents: 2,
      messages: { acked: 1, queued: 1 },
    },
    ...writable(box.home),
    ...aroundIt,
  });
  const { stdout } = await box.run(['doctor', '--all']);
  expect(stdout).toMatch(
    /messages {3}1 acked, 1 queued\nfolder {5}\S+: a byte was written and removed\nterminals {2}tmux \S+\n[\s\S]*all is well\n$/,
  );
  expect(readdirSync(box.home)).toEqual(['ledger.db']);
});

test('doctor asks for attention while there are dead letters, also those due just now: exit 7', {
  tags: ['full'],
}, async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'x', overdue);
  const ended = await box.run(['doctor', '--json']);
  expect(ended.code).toBe(7);
  expect(ended.json<DoctorReport>()).toMatchObject({
    ok: false,
    attention: [{ what: '1 dead letter.', next: expect.stringContaining('dead-letters list') }],
  });
  await box.ask('dead-letters', 'discard', id);
  expect((await box.run(['doctor'])).code).toBe(0);
});

test('rule 16: doctor sees at once that the holder of a message has died: exit 7', async () => {
  const box = await openBox('worker');
  await box.send('worker', 'x');
  const held = await box.hold('drain.injected', ['inbox', 'drain', 'worker']);
  expect((await box.run(['doctor'])).code).toBe(0);
  await held.kill();
  const ended = await box.run(['doctor', '--json']);
  expect(ended.code).toBe(7);
  expect(ended.json<DoctorReport>()).toMatchObject({
    ledger: { messages: { uncertain: 1 } },
    attention: [{ what: '1 uncertain message.' }],
    fixed: ['1 message settled that nobody carried any more'],
  });
  await box.drain('worker');
  expect((await box.run(['doctor'])).code).toBe(0);
});

test('doctor finds damage, writes nothing into it even with --fix, and ends with 1', {
  tags: ['full'],
}, async () => {
  const box = await openBox('worker');
  const id = await box.send('worker', 'x', overdue);
  const path = join(box.home, 'ledger.db');
  const sound = readFileSync(path);
  const damages = [() => garble(path, id), () => overwriteTable(path, 'history')];
  for (const damage of damages) {
    writeFileSync(path, sound);
    damage();
    const before = readFileSync(path);
    const ended = await box.run(['doctor', '--fix', '--json']);
    expect(ended.code).toBe(1);
    const report = ended.json<DoctorReport>();
    expect(report).toMatchObject({ ok: false, ledger: { exists: true }, fixed: [] });
    expect(report.problems[0]?.what).toMatch(/^The ledger .*is damaged/);
    expect(report.problems[0]?.next).toMatch(/copy/);
    expect((await box.run(['doctor'])).stdout).toMatch(/^problem {4}The ledger .*is damaged/);
    expect(readFileSync(path).equals(before)).toBe(true);
  }
});

test('doctor --fix closes the folder to others and clears what a killed first start left', {
  tags: ['full'],
}, async () => {
  const box = await openBox('worker');
  chmodSync(box.home, 0o755);
  writeFileSync(join(box.home, 'ledger.db.new-tmp_1'), '');
  utimesSync(join(box.home, 'ledger.db.new-tmp_1'), 0, 0);
  const ended = await box.run(['doctor']);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/problem {4}\S+ is open to other users \(mode 0755\).*chmod 700/);
  const { fixed, problems } = await box.ask<DoctorReport>('doctor', '--fix');
  expect(problems).toEqual([]);
  expect(fixed).toHaveLength(2);
  expect(statSync(box.home).mode & 0o777).toBe(0o700);
  expect(readdirSync(box.home)).toEqual(['ledger.db']);
});

test('doctor tells of mistakes of ours that were caught, and where to look: exit 0', async () => {
  const box = await openBox('worker');
  const place = 'reading a turn end';
  const path = join(box.home, 'logs', 'caught-errors.jsonl');
  mkdirSync(join(box.home, 'logs'), { recursive: true });
  noteBug(path, { place, error: new TypeError('x is not a function'), times: 2 }, Date.now());
  const ended = await box.run(['doctor']);
  expect(ended.code).toBe(0);
  expect(ended.stdout).not.toContain('all is well');
  expect(ended.stdout).toContain(
    `signalbox caught 2 internal errors in the last 24 hours; the first, in ${place}: TypeError: x is not a function.`,
  );
  expect(ended.stdout).toContain(path);
});

test('rule 42: doctor lists an inbox whose oldest message has been open for 3 minutes, with explain’s words: exit 0', {
  tags: ['full'],
}, async () => {
  const box = await openBox('worker', 'idler');
  await box.send('idler', 'just sent');
  const id = await sendLongAgo(box.home, 'worker', 200_000);
  const ended = await box.run(['doctor', '--json']);
  expect(ended.code).toBe(0);
  const { waiting } = ended.json<DoctorReport>();
  expect(waiting).toMatchObject([{ agent: { name: 'worker' }, message: id }]);
  const shown = await box.run(['doctor']);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(
    /^waiting {4}The oldest message for "worker" has been open for \S+m\. It waits for worker to drain its inbox\. /m,
  );
  expect(shown.stdout).not.toContain('all is well');
  expect((await box.run(['explain', id])).stdout).toContain(
    'It waits for worker to drain its inbox.',
  );
  await box.drain('worker');
  expect((await box.run(['doctor'])).stdout).toContain('all is well');
});

async function sendLongAgo(home: string, name: string, agoMs: number): Promise<string> {
  const clock = { ...systemClock, now: () => systemClock.now() - agoMs };
  const ledger = await openSqliteLedger(join(home, 'ledger.db'), { clock, lockWaitMs: 5000 });
  try {
    const agents = await ledger.read((tx) => tx.agents.list());
    const to = agents.find((agent) => agent.name === name)?.id ?? '';
    const draft = { kind: 'message', from: userAgentId, to, body: 'x' } as const;
    const [accepted] = await accept(ledger, clock, [draft]);
    return accepted?.outcome === 'accepted' ? accepted.message.id : '';
  } finally {
    await ledger.close();
  }
}
