import { describe, expect, test } from 'vitest';
import type { Standing } from '../../src/messages/standing.ts';
import { type Account, account, type Facts } from '../torture/delivery/account.ts';
import { type Check, checks, listDue } from '../torture/delivery/checks.ts';
import type { Note } from '../torture/delivery/journal.ts';
import type { LedgerAttempt, LedgerRow } from '../torture/delivery/ledger-word.ts';
import { readReceipts } from '../torture/delivery/receipts.ts';
import { summarise } from '../torture/delivery/report.ts';
import { asked, input, prompt, started, text } from './fixtures/torture-texts.ts';

/** The torture's judge is judged: what must never be has to show, and what may be must not. */

const ids = ['msg_1', 'msg_2'] as const;
const sent = ids.map((id, i) => ({
  ...{ id, key: `k${i}`, to: 'ada', body: `body of ${id}`, standing: 'notice' as Standing },
}));
const copyOf = (id: string, repeat = false) => ({ id, body: `body of ${id}`, repeat });
const receiptOf = (mark: string, ...copies: ReturnType<typeof copyOf>[]) => ({
  ...{ agent: 'ada', life: 1, mark, standing: 'notice' as Standing, copies },
});
const attempt = (mark: string, outcome: LedgerAttempt['outcome'], isOver = false) => ({
  ...{ mark, outcome, isOver },
});
const rowOf = (id: string, seq: number, more: Partial<LedgerRow> = {}): LedgerRow => ({
  ...{ id, seq, kind: 'message', to: 'ada', state: 'injected' },
  attempts: [attempt('m1', 'injected')],
  ...more,
});
const [first, second] = [rowOf('msg_1', 1), rowOf('msg_2', 2)];
const both = receiptOf('m1', copyOf('msg_1'), copyOf('msg_2'));
const sound: Facts = { sent, receipts: [both], rows: [first, second] };

type Findings = keyof Pick<
  Account,
  'lost' | 'doubled' | 'misplaced' | 'outOfOrder' | 'disagreements'
>;
const kinds: readonly Findings[] = ['lost', 'doubled', 'misplaced', 'outOfOrder', 'disagreements'];

/** Which kinds of finding there are. */
function judge(facts: Partial<Facts>): readonly Findings[] {
  const result = account({ ...sound, ...facts });
  return kinds.filter((kind) => result[kind].length > 0);
}

const onlyFirst = receiptOf('m1', copyOf('msg_1'));
const bounce = rowOf('msg_9', 9, { kind: 'bounce', about: 'msg_2', attempts: [] });
const doubtful = [
  ...['m2', 'm3', 'm4'].map((mark) => attempt(mark, 'uncertain')),
  attempt('m5', 'dead'),
];

describe('the account finds', () => {
  test.each<[string, Partial<Facts>, readonly Findings[]]>([
    ['nothing wrong with what arrived once, in order', {}, []],
    [
      'a message that is called sent, and that its program never got',
      { receipts: [onlyFirst] },
      ['lost', 'disagreements'],
    ],
    [
      'no loss in what went with a life that ended',
      {
        receipts: [onlyFirst],
        rows: [first, { ...second, attempts: [attempt('m1', 'injected', true)] }],
      },
      [],
    ],
    [
      'what is still queued',
      { receipts: [onlyFirst], rows: [first, { ...second, state: 'queued', attempts: [] }] },
      ['lost', 'disagreements'],
    ],
    [
      'no loss in what was given up, when its sender was told',
      {
        receipts: [onlyFirst],
        rows: [first, { ...second, state: 'dead', attempts: doubtful }, bounce],
      },
      [],
    ],
    [
      'what was given up in silence',
      { receipts: [onlyFirst], rows: [first, { ...second, state: 'dead', attempts: doubtful }] },
      ['lost', 'disagreements'],
    ],
    ['a second copy without a mark', { receipts: [both, onlyFirst] }, ['doubled', 'outOfOrder']],
    [
      'nothing wrong with a second copy that says so',
      {
        receipts: [both, receiptOf('m2', copyOf('msg_1', true))],
        rows: [
          { ...first, attempts: [attempt('m1', 'uncertain'), attempt('m2', 'injected')] },
          second,
        ],
      },
      [],
    ],
    ['one that came to another', { receipts: [{ ...both, agent: 'bob' }] }, ['misplaced']],
    [
      'a body that is not the one that was sent',
      { receipts: [receiptOf('m1', { ...copyOf('msg_1'), body: 'cut' }, copyOf('msg_2'))] },
      ['misplaced'],
    ],
    [
      'a script’s message that came as the user’s prompt',
      { receipts: [{ ...both, standing: 'prompt' }] },
      ['misplaced'],
    ],
    [
      'a ledger that says otherwise how a message came',
      { rows: [{ ...first, standing: 'prompt' }, second] },
      ['disagreements'],
    ],
    [
      'no loss in a prompt that a person took out of the composer',
      {
        receipts: [onlyFirst],
        rows: [
          first,
          { ...second, state: 'dead', isTakenBack: true, attempts: [attempt('m1', 'dead')] },
        ],
      },
      [],
    ],
    [
      'a notice behind a prompt that was written later in order',
      {
        receipts: [
          { ...receiptOf('m1', copyOf('msg_2')), standing: 'prompt' },
          receiptOf('m1', copyOf('msg_1')),
        ],
        sent: sent.map((one) => ({ ...one, standing: one.id === 'msg_2' ? 'prompt' : 'notice' })),
      },
      [],
    ],
    [
      'a later one before an earlier one',
      { receipts: [receiptOf('m1', copyOf('msg_2'), copyOf('msg_1'))] },
      ['outOfOrder'],
    ],
    [
      'an attempt that the ledger calls not landed, and that did',
      {
        rows: [
          { ...first, attempts: [attempt('m1', 'not-landed'), attempt('m2', 'injected', true)] },
          second,
        ],
      },
      ['disagreements'],
    ],
  ])('%s', (_, facts, found) => {
    expect(judge(facts)).toEqual(found);
  });
});

describe('a check that met no case fails the run', () => {
  const dialog: Note[] = [{ what: 'asked' }, input('1'), { what: 'answered' }];
  const own = prompt('by-hand-entered-1 @@work');
  const journal = [started, prompt(text), prompt(asked), own, ...dialog];
  /** Two messages as they should be, one that came again, and one that was given up. */
  const full: Facts = {
    sent: ['msg_1', 'msg_2', 'msg_3', 'msg_4'].map((id) => ({
      ...{ id, key: id, to: 'ada', body: `body of ${id}` },
      standing: id === 'msg_1' ? 'prompt' : 'notice',
    })),
    receipts: [
      both,
      receiptOf('m1', copyOf('msg_3')),
      receiptOf('m2', { ...copyOf('msg_3'), repeat: true }),
    ],
    rows: [
      first,
      rowOf('msg_2', 2, { attempts: [attempt('m0', 'abandoned'), attempt('m1', 'injected')] }),
      rowOf('msg_3', 3, { attempts: [attempt('m1', 'uncertain'), attempt('m2', 'injected')] }),
      rowOf('msg_4', 4, { state: 'dead', attempts: doubtful }),
      rowOf('msg_9', 9, { kind: 'bounce', about: 'msg_4', attempts: [] }),
    ],
  };
  const about = { seed: 1, restSeconds: 1, attempts: {}, kills: {}, people: {} };
  const run = (facts: Partial<Facts>, notes: readonly Note[] = journal, seconds = 60) => {
    const { judged } = readReceipts('ada', notes);
    const more = { misplaced: [], complaints: [], judged: [judged] };
    return summarise(account({ ...full, ...facts }), { ...about, seconds }, more);
  };

  test('a run in which every check met a case is good', () => {
    const { ok, idle, findings, judged } = run({});
    expect([ok, idle, findings]).toEqual([true, [], []]);
    expect(Object.keys(judged)).toEqual([...checks]);
  });

  test.each<[Check, Partial<Facts>, Note[]?]>([
    ['doubled: a further copy', { receipts: full.receipts.slice(0, 2) }],
    ['misplaced: a dialog', {}, journal.slice(0, 4)],
    ['misplaced: a prompt of a person', {}, [started, prompt(text), prompt(asked), ...dialog]],
    ['misplaced: a prompt of the user, by us', {}, [started, prompt(text), own, ...dialog]],
    ['misplaced: a prompt with an envelope', {}, [started, prompt(asked), own, ...dialog]],
    ['out of order: a first copy behind another', { receipts: full.receipts.slice(1) }],
    ['ledger: dead', { rows: full.rows.slice(0, 3) }],
    ['ledger: an attempt that was not received', { rows: [first, second] }],
  ])('without its event: %s', (check, facts, notes) => {
    const { ok, idle } = run(facts, notes);
    expect(ok).toBe(false);
    expect(idle).toContain(`nothing to judge: ${check}`);
  });

  test('a run with nothing in it is idle in all of them', () => {
    const { ok, idle, findings } = run({ sent: [], receipts: [], rows: [] }, []);
    expect([ok, findings]).toEqual([false, []]);
    expect(idle).toEqual(checks.map((check) => `nothing to judge: ${check}`));
  });

  test('a short run need not have given up a message', () => {
    const rows = full.rows.slice(0, 3);
    const { ok, idle } = run({ sent: full.sent.slice(0, 3), rows }, journal, 10);
    expect([ok, idle]).toEqual([true, []]);
    expect(listDue(60)).toEqual(checks);
  });
});
