import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { sbx, waitForEnd } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { type Account, account } from '../torture/ledger/account.ts';
import { type Check, checks, listDue } from '../torture/ledger/checks.ts';
import type { Copy, DocumentFact, Facts, LedgerRow, SendFact } from '../torture/ledger/facts.ts';
import { Observer } from '../torture/ledger/observer.ts';
import { type Outcome, summarise } from '../torture/ledger/report.ts';
import type { Run } from '../torture/ledger/run.ts';
import { World } from '../torture/ledger/world.ts';

const torture = (...args: string[]) => {
  const command = ['--import', 'tsx', 'test/torture/main.ts', ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  return waitForEnd(child);
};

test('rules 1–3, 10, 15–18, 33–36: whoever is killed, and wherever, every accepted message is accounted for', {
  timeout: 900_000,
  tags: ['full'],
}, async () => {
  const { code, stderr, json } = await torture('ledger', '--seconds', '7', '--seed', '7', '--json');
  const { account: counted, findings, idle, killsAtRandom, killsByWindow } = json<Outcome>();
  expect(findings).toEqual([]);
  expect(idle).toEqual([]);
  expect(counted).toMatchObject({ lost: 0, doubled: 0, misplaced: 0, outOfOrder: 0 });
  expect(counted.disagreements).toBe(0);
  const { accepted, received, ackedById, expired, dead } = counted;
  expect(accepted).toBeGreaterThan(0);
  expect(received + ackedById + expired + dead).toBe(accepted);
  expect(Object.values(killsAtRandom).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(0);
  const unhit = Object.entries(killsByWindow).filter(([, n]) => n.cli + n.worker === 0);
  expect(unhit).toEqual([]);
  expect(code, stderr).toBe(0);
});

test('torture explains itself when it does not know the suite', async () => {
  const { code, stderr } = await torture('nonsense');
  expect(code).toBe(2);
  expect(stderr).toContain('npm run torture -- ledger');
});

test('rule 33: a repeated send hears of its first commit, though the recipient has been removed since', async () => {
  const home = tempHome();
  await sbx(['agents', 'add', 'worker'], { home });
  const send = ['send', 'worker', 'hello', '--key', 'k1', '--json'];
  const env = { SIGNALBOX_FAILPOINTS: 'send.committed=kill' };
  expect((await sbx(send, { home, env })).signal).toBe('SIGKILL');
  await sbx(['rm', 'worker'], { home });
  const again = await sbx(send, { home });
  expect(again.json()).toMatchObject({ state: 'dead', duplicate: true, to: { name: 'worker' } });
  expect(again.code).toBe(0);
  const other = await sbx(['send', 'worker', 'hello', '--key', 'k2', '--json'], { home });
  expect(other.code).toBe(3);
});

/** Three sends from ada to bob, taken by one drainer in order: nothing is wrong with it. */
const sends = [1, 2, 3].map((n) => sendOf(n));
const sound: Facts = {
  sends,
  acks: [],
  documents: [documentOf(1, [copyOf(1), copyOf(2)]), documentOf(1, [copyOf(3)])],
  removed: new Set(),
  calm: new Set(),
  rows: sends.map(({ id }, i) => rowOf(id, i + 1)),
};

describe('the account can fail', () => {
  const judge = (changes: Partial<Facts>): Account => account({ ...sound, ...changes });
  const ids = (found: Account['lost']): readonly (string | undefined)[] =>
    found.map(({ id }) => id);

  test('a sound run has nothing to complain about', () => {
    const result = judge({});
    expect(result).toMatchObject({ accepted: 3, received: 3, copies: 3, markedRepeats: 0 });
    for (const kind of ['lost', 'doubled', 'misplaced', 'outOfOrder', 'disagreements'] as const)
      expect(result[kind]).toEqual([]);
  });

  test('accepted and never received is lost, whatever the ledger says', () => {
    const result = judge({ documents: [documentOf(1, [copyOf(1), copyOf(3)])] });
    expect(ids(result.lost)).toEqual(['msg_2']);
    expect(ids(result.disagreements)).toEqual(['msg_2']);
  });

  test('expired or dead without a bounce that arrived is lost', () => {
    const documents = [documentOf(1, [copyOf(1), copyOf(2)])];
    const rows = withRow(3, { state: 'expired' });
    const expiring = [...sends.slice(0, 2), { ...sendOf(3), mayExpire: true }];
    expect(ids(judge({ sends: expiring, documents, rows }).lost)).toEqual(['msg_3']);
    const told = judge({
      sends: expiring,
      documents: [...documents, documentOf(2, [bounceOf(3)], { inbox: 'ada' })],
      rows: [...rows, { ...rowOf('msg_b3', 4), kind: 'bounce', from: 'bob', to: 'ada' }],
    });
    expect(told).toMatchObject({ received: 2, expired: 1, lost: [], disagreements: [] });
  });

  test('a second copy without a mark is doubled; with a mark it is not', () => {
    const again = (copy: Copy): Facts['documents'] => [...sound.documents, documentOf(2, [copy])];
    const second = { ...copyOf(1), attempts: 2 };
    expect(ids(judge({ documents: again(second) }).doubled)).toEqual(['msg_1']);
    const marked = judge({ documents: again({ ...second, repeat: true }) });
    expect(marked).toMatchObject({ doubled: [], markedRepeats: 1, received: 3 });
  });

  test('a copy after an ack that was on disk is doubled, marked or not', () => {
    const first = documentOf(1, [copyOf(1)], { finishedAtMs: 500 });
    const second = { ...copyOf(1), attempts: 2, repeat: true };
    const late = documentOf(2, [second], { beganAtMs: 501 });
    const documents = [first, late, ...sound.documents.slice(1), documentOf(3, [copyOf(2)])];
    expect(ids(judge({ documents }).doubled)).toEqual(['msg_1']);
    const acks = [{ id: 'msg_1', answeredAtMs: 100 }];
    expect(ids(judge({ acks }).doubled)).toEqual(['msg_1']);
  });

  test('a mark where nobody died, and two bounces of one message, are doubled', () => {
    const needless = documentOf(1, [
      { ...copyOf(1), repeat: true, attempts: 2 },
      copyOf(2),
      copyOf(3),
    ]);
    const result = judge({ documents: [needless], calm: new Set(['bob']) });
    expect(ids(result.doubled)).toEqual(['msg_1']);
    const bounces = [bounceOf(3), { ...bounceOf(3), id: 'msg_b4' }];
    const twice = [...sound.documents, documentOf(2, bounces, { inbox: 'ada' })];
    expect(ids(judge({ documents: twice }).doubled)).toEqual(['msg_3']);
  });

  test('out of the wrong inbox, or with another body or sender, is misplaced', () => {
    const instead = (copy: Copy, inbox = 'bob'): readonly (string | undefined)[] =>
      ids(judge({ documents: [documentOf(1, [copy, copyOf(2), copyOf(3)], { inbox })] }).misplaced);
    expect(instead(copyOf(1), 'ada')).toContain('msg_1');
    expect(instead({ ...copyOf(1), to: 'cyd' })).toEqual(['msg_1']);
    expect(instead({ ...copyOf(1), from: 'cyd' })).toEqual(['msg_1']);
    expect(instead({ ...copyOf(1), intact: false })).toEqual(['msg_1']);
    expect(instead({ ...copyOf(1), key: 'k2' })).toEqual(['msg_1']);
  });

  test('rule 15: first offers through one drainer keep the order of commit; repeats and other drainers may overtake', () => {
    const inside = [documentOf(1, [copyOf(2), copyOf(1), copyOf(3)])];
    expect(ids(judge({ documents: inside }).outOfOrder)).toEqual(['msg_1']);
    const between = [documentOf(1, [copyOf(2), copyOf(3)]), documentOf(1, [copyOf(1)])];
    expect(ids(judge({ documents: between }).outOfOrder)).toEqual(['msg_1']);
    const repeat = { ...copyOf(1), attempts: 2, repeat: true };
    const allowed = [documentOf(1, [copyOf(2), copyOf(3)]), documentOf(1, [repeat])];
    expect(judge({ documents: allowed }).outOfOrder).toEqual([]);
    const others = [documentOf(1, [copyOf(2), copyOf(3)]), documentOf(2, [copyOf(1)])];
    expect(judge({ documents: others }).outOfOrder).toEqual([]);
  });

  test('rule 5: the sequence of the ledger is the order in which senders were answered', () => {
    const rows = [rowOf('msg_2', 1), rowOf('msg_1', 2), rowOf('msg_3', 3)];
    const documents = [documentOf(1, [copyOf(2), copyOf(1), copyOf(3)])];
    expect(ids(judge({ rows, documents }).outOfOrder)).toEqual(['msg_1']);
  });

  test('where the ledger says something else than the world, they disagree', () => {
    const told = (changes: Partial<Facts>): readonly (string | undefined)[] =>
      ids(judge(changes).disagreements);
    for (const state of ['queued', 'claimed', 'injected', 'uncertain'] as const)
      expect(told({ rows: withRow(2, { state }) })).toEqual(['msg_2']);
    expect(told({ rows: sound.rows.slice(0, 2) })).toContain('msg_3');
    expect(told({ rows: withRow(2, { state: 'dead' }) })).toContain('msg_2');
    expect(told({ rows: [...sound.rows, rowOf('msg_4', 4)] })).toEqual(['msg_4']);
    const untaken: LedgerRow = { ...rowOf('msg_b3', 4), kind: 'bounce', state: 'queued' };
    expect(told({ rows: [...sound.rows, untaken] })).toEqual(['msg_b3']);
  });
});

describe('a check that met no case fails the run', () => {
  const bounce = documentOf(2, [{ ...bounceOf(4), from: 'signalbox' }], { inbox: 'ada' });
  const bounceRow: LedgerRow = { ...rowOf('msg_b4', 5), kind: 'bounce', from: 'bob', to: 'ada' };
  const again = { ...copyOf(1), attempts: 2, repeat: true };
  /** The sound run, with a repeat, and a message that died with its recipient. */
  const full: Facts = {
    ...sound,
    sends: [...sends, sendOf(4)],
    documents: [...sound.documents, documentOf(3, [again]), bounce],
    removed: new Set(['bob']),
    rows: [...sound.rows, { ...rowOf('msg_4', 4), state: 'dead' }, bounceRow],
  };
  const idleIn = (changes: Partial<Facts>): readonly string[] =>
    account({ ...full, ...changes }).judged.listIdle(checks);
  const idle = (check: Check): string => `nothing to judge: ${check}`;

  test.each<[Check, Partial<Facts>]>([
    ['lost: an accepted message', { sends: [] }],
    ['lost: dead, its sender told', { documents: full.documents.slice(0, 3) }],
    ['doubled: a further copy', { documents: [...sound.documents, bounce] }],
    ['doubled: a marked repeat', { documents: [...sound.documents, bounce] }],
    ['doubled: a bounce', { documents: full.documents.slice(0, 3) }],
    ['misplaced: a message', { documents: [bounce] }],
    ['misplaced: a bounce or notice', { documents: full.documents.slice(0, 3) }],
    ['out of order: a first offer behind another', { documents: [documentOf(1, [copyOf(1)])] }],
    [
      'out of order: a send after the answer of another',
      { sends: full.sends.map((send) => ({ ...send, answeredAtMs: 1000 })) },
    ],
    ['ledger: dead', { rows: sound.rows }],
    ['ledger: a bounce or notice that was taken', { rows: full.rows.slice(0, 4) }],
    ['ledger: a copy that it knows', { documents: [] }],
  ])('without its event: %s', (check, changes) => {
    expect(idleIn({})).not.toContain(idle(check));
    expect(idleIn(changes)).toContain(idle(check));
  });

  test('checks that need what this run lacks are named', () => {
    expect(idleIn({})).toEqual(
      (
        [
          'lost: expired, its sender told',
          'doubled: a copy whose ack is known',
          'doubled: a copy where no drainer died',
          'ledger: expired',
          'ledger: bounced, then acked',
          'ledger: a state that doctor counts',
          'send: repeated after its commit',
          'send: repeated after a death before its commit',
          'send: refused, the recipient removed',
          'remove: a bounce of a message that nobody took',
          'drain: held past its lease',
        ] as const
      ).map(idle),
    );
    const calm = new Set(['bob']);
    expect(idleIn({ calm })).not.toContain(idle('doubled: a copy where no drainer died'));
    const acks = [{ id: 'msg_1', answeredAtMs: 900 }];
    expect(idleIn({ acks })).not.toContain(idle('doubled: a copy whose ack is known'));
  });

  test('an idle check and a window that nobody fell into are in the outcome, and it is not ok', () => {
    const observer = new Observer(new World());
    const hits = new Map([['send.committed', { cli: 0, worker: 0 }]]);
    const children = { started: 0, killsAtRandom: new Map(), hits };
    const run = { observer, children, late: 0 } as unknown as Run;
    const ledger = { messages: { acked: 4, dead: 1 } } as never;
    const about = { seed: 1, seconds: 60, loadMs: 70_000, rows: full.rows, ledger };
    const outcome = summarise(run, account(full), about);
    expect(outcome.findings).toEqual([]);
    expect(outcome.ok).toBe(false);
    expect(outcome.idle).toContain(idle('ledger: expired'));
    expect(outcome.idle).toContain('nothing to judge: a kill at send.committed');
    expect(outcome.idle).toContain(idle('drain: held past its lease'));
    // Chance decides in a short run: only what every run meets is asked for.
    const short = summarise(run, account(full), { ...about, seconds: 20 });
    expect(short.idle).toEqual(['nothing to judge: a kill at send.committed']);
    expect(outcome.idle).not.toContain(idle('ledger: a state that doctor counts'));
    expect(outcome.judged).toMatchObject({ 'lost: an accepted message': 4 });
    for (const check of checks) observer.judged.note(check);
    hits.set('send.committed', { cli: 1, worker: 0 });
    expect(summarise(run, account(full), about)).toMatchObject({ ok: true, idle: [] });
    expect(listDue(60)).toEqual(checks);
  });
});

function sendOf(n: number): SendFact {
  const times = { beganAtMs: n * 10, answeredAtMs: n * 10 + 5 };
  return { key: `k${n}`, id: `msg_${n}`, from: 'ada', to: 'bob', ...times, mayExpire: false };
}

function copyOf(n: number): Copy {
  const flags = { intact: true, repeat: false, urgent: false, attempts: 1 };
  return { id: `msg_${n}`, kind: 'message', from: 'ada', to: 'bob', key: `k${n}`, ...flags };
}

function bounceOf(n: number): Copy {
  const flags = { intact: true, repeat: false, urgent: false, attempts: 1 };
  return { id: `msg_b${n}`, kind: 'bounce', from: 'bob', to: 'ada', about: `msg_${n}`, ...flags };
}

function documentOf(
  drainer: number,
  copies: readonly Copy[],
  changes: Partial<DocumentFact> = {},
): DocumentFact {
  return { drainer, inbox: 'bob', beganAtMs: 200, copies, ...changes };
}

function rowOf(id: string, seq: number): LedgerRow {
  return { id, seq, kind: 'message', from: 'ada', to: 'bob', state: 'acked' };
}

function withRow(n: number, changes: Partial<LedgerRow>): readonly LedgerRow[] {
  return sound.rows.map((row) => (row.seq === n ? { ...row, ...changes } : row));
}
