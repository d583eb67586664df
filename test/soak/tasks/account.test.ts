import { expect, test } from 'vitest';
import { checks, type GivenTask, type Heard, type LedgerTask, takeAccount } from './account.ts';
import { report } from './report.ts';

const task = (n: number): GivenTask => ({
  giver: 'lead',
  work: `@@play work${n}`,
  word: `word${n}`,
});
const row = (n: number, more: Partial<LedgerTask> = {}): LedgerTask => ({
  id: `msg_t${n}`,
  body: `Do it. @@play work${n}`,
  end: 'answered',
  told: { id: `msg_a${n}`, body: `It is word${n}.`, to: 'lead' },
  ...more,
});
const copy = (n: number, more = {}) => ({
  id: `msg_a${n}`,
  header: `completion (completed) from w (peer) · answers w:${n}`,
  body: `It is word${n}.`,
  ...more,
});
const heard = (...copies: ReturnType<typeof copy>[]): Heard => ({
  copies: new Map([['lead', copies]]),
  prompts: ['@@play work1', '@@play work2 @@play work3'],
});
const marked = {
  header: 'completion (completed) from w (peer) · MAY BE A REPEAT: you may have read it already',
};

test('rule 31: an answer that came once, one that came again with a mark, and one that could not come', () => {
  const rows = [
    row(1),
    row(2),
    row(3, { end: 'exited', told: { id: 'msg_a3', body: 'exited', to: 'lead' } }),
  ];
  const all = heard(copy(1), copy(2), copy(2, marked), copy(3, { body: 'exited' }));
  const { judged, ...account } = takeAccount([task(1), task(2), task(3)], rows, all);
  expect(account).toEqual({ owed: 3, once: 1, marked: 1, told: 1, faults: [] });
  expect(judged.listIdle(checks)).toEqual(['nothing to judge: a word of another task']);
});

test('rule 27: the words of two tasks may stand in one answer if one prompt held both', () => {
  const both = { body: 'It is word2. It is word3.' };
  const rows = [2, 3].map((n) => row(n, { told: { id: `msg_a${n}`, to: 'lead', ...both } }));
  const { once, faults } = takeAccount(
    [task(2), task(3)],
    rows,
    heard(copy(2, both), copy(3, both)),
  );
  expect([once, faults]).toEqual([2, []]);
});

test.each([
  ['a silent second copy', [row(1)], heard(copy(1), copy(1)), /2 copies/],
  ['an answer that no model got', [row(1)], heard(), /never got/],
  [
    'a task that is still owed',
    [row(1, { end: undefined, told: undefined } as never)],
    heard(),
    /still owed/,
  ],
  ['a task that the ledger does not have', [], heard(), /0 tasks/],
  [
    'the words of another task',
    [row(1, { told: { id: 'msg_a1', body: 'It is word2.', to: 'lead' } }), row(2)],
    heard(copy(1, { body: 'It is word2.' }), copy(2)),
    /word1: answered with.*word2 stands in msg_a1/s,
  ],
  [
    'old words again, under another id',
    [row(1)],
    heard(copy(1), copy(1, { id: 'msg_x' })),
    /stands in msg_x/,
  ],
  [
    'an answer for somebody else',
    [row(1, { told: { id: 'msg_a1', body: 'word1', to: 'other' } })],
    heard(copy(1)),
    /other was told/,
  ],
])('rule 30: the account finds %s', (_, rows, all, fault) => {
  const given = [task(1), ...(rows.length > 1 ? [task(2)] : [])];
  expect(takeAccount(given, rows, all).faults.join('; ')).toMatch(fault);
});

test('a soak without a case for a check is not good, and names it', () => {
  const facts = { workers: 0, again: 0, seconds: 60, open: [] };
  const restarts = { asked: 1, killed: 1 };
  const soak = { tasks: 1, clis: [], killsWorkers: false };
  const full = takeAccount([task(1)], [row(1)], heard(copy(1)));
  expect(report(soak, full, { ...facts, restarts })).toMatchObject({ isGood: true });
  const unkilled = report(soak, full, { ...facts, restarts: { asked: 1, killed: 0 } });
  expect(unkilled).toMatchObject({ isGood: false });
  expect(unkilled.text).toContain('nothing to judge: a kill of the daemon');
  const spared = report({ ...soak, killsWorkers: true }, full, { ...facts, restarts });
  expect(spared).toMatchObject({ isGood: false });
  expect(spared.text).toContain('nothing to judge: an end without an answer');
  const empty = report({ ...soak, tasks: 0 }, takeAccount([], [], heard()), { ...facts, restarts });
  expect(empty).toMatchObject({ isGood: false });
  expect(empty.text).toContain('nothing to judge: a task that was given');
});
