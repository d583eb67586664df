import { describe, expect, test } from 'vitest';
import { writeEnvelope } from '../../src/messages/envelope.ts';
import type { Message } from '../../src/messages/message.ts';
import { type Account, account, type Facts } from '../torture/delivery/account.ts';
import { type Check, checks, listDue } from '../torture/delivery/checks.ts';
import type { Note } from '../torture/delivery/journal.ts';
import type { LedgerAttempt, LedgerRow } from '../torture/delivery/ledger-word.ts';
import { readReceipts } from '../torture/delivery/receipts.ts';
import { summarise } from '../torture/delivery/report.ts';

/** The torture's judge is judged: what must never be has to show, and what may be must not. */

const message: Message = {
  ...{ id: 'msg_1', seq: 1, kind: 'message', from: 'user', to: 'agt_1', state: 'claimed' },
  ...{ body: 'k1 for ada.\nNothing to do.', truncated: false, urgent: false, createdAt: 0 },
  ...{
    replyTo: [],
    answersTask: false,
    isQuiet: false,
    isScript: false,
    isPrompt: false,
    attempts: 1,
    notLanded: 0,
  },
  ...{ reoffered: false, mayRepeat: false, wasTakenBack: false },
};
const user = () => ({ name: 'user', role: 'user' }) as const;
const { text } = writeEnvelope(
  'mark_1',
  [
    { ...message, number: 1 },
    { ...message, id: 'msg_2', number: 2, mayRepeat: true },
  ],
  user,
);

const started: Note = { what: 'started', pid: 7, startedAt: '1' };
const prompt = (entered: string): Note => ({ what: 'prompt', text: entered });
const input = (bytes: string): Note => ({
  what: 'input',
  base64: Buffer.from(bytes).toString('base64'),
});

test('what a program got is read out of the envelope that delivery writes, mark, bodies and repeats', () => {
  const { receipts, misplaced } = readReceipts('ada', [started, prompt(text)]);
  expect(misplaced).toEqual([]);
  expect(receipts).toEqual([
    {
      ...{ agent: 'ada', life: 1, mark: 'mark_1' },
      copies: [
        { id: 'ada:1', body: message.body, repeat: false },
        { id: 'ada:2', body: message.body, repeat: true },
      ],
    },
  ]);
});

test.each([
  ['before it', `by-hand-1 a thought${text}`],
  ['behind it', `${text}by-hand-1 a thought`],
  ['in two', `${text}${text}`],
  ['a piece of it', text.slice(0, 150)],
  ['its end', text.slice(150)],
])('rule 24: an envelope that is not alone in its prompt (%s) is misplaced', (_, entered) => {
  expect(readReceipts('ada', [started, prompt(entered)]).misplaced).toHaveLength(1);
});

test('a person’s own prompt is theirs, and so is what they send along with it', () => {
  const notes = [prompt('by-hand-entered-1 @@work 300'), prompt(`${text}by-hand-entered-2 @@work`)];
  expect(readReceipts('ada', [started, ...notes])).toMatchObject({
    ...{ misplaced: [], byHand: 2, along: 1 },
    receipts: [{ mark: 'mark_1' }],
  });
});

test.each([
  ['a paste', ['\x1b[200~<signalbox', ' mark_1>'], 1],
  ['an Enter', ['\r'], 1],
  ['a person’s answer', ['1'], 0],
  ['a person’s words', ['by-hand-entered-1 @@work 300', '\r'], 0],
])('rule 24: %s into a dialog', (_, reads, found) => {
  const notes: Note[] = [started, { what: 'asked' }, ...reads.map(input)];
  expect(readReceipts('ada', notes).misplaced).toHaveLength(found);
  const answered: Note[] = [...notes, { what: 'answered' }, input('\r')];
  expect(readReceipts('ada', answered).misplaced).toHaveLength(found);
});

const ids = ['msg_1', 'msg_2'] as const;
const sent = ids.map((id, i) => ({ id, key: `k${i}`, to: 'ada', body: `body of ${id}` }));
const copyOf = (id: string, repeat = false) => ({ id, body: `body of ${id}`, repeat });
const receiptOf = (mark: string, ...copies: ReturnType<typeof copyOf>[]) => ({
  ...{ agent: 'ada', life: 1, mark, copies },
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
  const asked: Note[] = [{ what: 'asked' }, input('1'), { what: 'answered' }];
  const journal = [started, prompt(text), prompt('by-hand-entered-1 @@work'), ...asked];
  /** Two messages as they should be, one that came again, and one that was given up. */
  const full: Facts = {
    sent: ['msg_1', 'msg_2', 'msg_3', 'msg_4'].map((id) => ({
      ...{ id, key: id, to: 'ada', body: `body of ${id}` },
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
    ['misplaced: a dialog', {}, journal.slice(0, 3)],
    ['misplaced: a prompt of a person', {}, [started, prompt(text), ...asked]],
    ['misplaced: a prompt with an envelope', {}, [started, ...journal.slice(2)]],
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
