import { expect, test } from 'vitest';
import { openTurnWatch } from '../../test/fakes/turn-watch.ts';
import { readHook as readGeminiHook } from '../providers/gemini/hooks.ts';
import { findTurnEnds } from '../providers/opencode/turn-end.ts';
import { Fault } from '../shared/fault.ts';
import { endTurn } from './end-turn.ts';

test('rule 26: an end that its stand-in told first is not told again after a restart (Codex, OpenCode: unnamed stand-in)', async () => {
  const { clock, show, raw, restart, told } = await openTurnWatch();
  const news = {
    session: 'thread',
    id: 't1',
    outcome: 'completed',
    stop: 1,
    text: 'The answer.',
    held: [],
  } as const;
  show('processing');
  show('idle');
  await clock.pass(2000);
  // The authority comes back, and tells; the daemon restarts, and it tells again.
  await raw(news);
  const before = (await told()).length;
  await restart();
  await raw(news);
  expect((await told()).length).toBe(before);
});

test('rule 26: after a stand-in for one turn the authority tells the end of another', async () => {
  const { clock, show, news, records, told } = await openTurnWatch();
  records.last = 't1';
  show('processing');
  show('idle');
  await clock.pass(2000);
  // A turn too short to be seen on the screen.
  await news('t2', 'Next.');
  expect((await told()).map(({ turn }) => turn)).toEqual(['s/t1/1', 's/t2/1']);
});

test('rule 26: a StopFailure that both the daemon and the hook itself write down is told once', async () => {
  const { clock, show, raw, ledger, child, told } = await openTurnWatch();
  const failed = { session: 's', id: 't1', outcome: 'failed' } as const;
  show('processing');
  await raw({ ...failed, report: '1-42' });
  // The daemon died before it had answered (or was slower than 600 ms): the hook commits by itself,
  // a minute later.
  await clock.pass(60_000);
  await endTurn(ledger, clock, { child: child.id, epoch: 1, ...failed, report: '1-42' });
  expect((await told()).map(({ turn, body }) => [turn, body])).toHaveLength(1);
});

test('rules 26, 27: a turn without words does not answer with another turn’s words', async () => {
  const { raw, records, told } = await openTurnWatch();
  const user = (id: string, text: string) => ({
    info: { role: 'user', id },
    parts: [{ type: 'text', text }],
  });
  const step = (id: string, parentID: string, parts: unknown[]) => ({
    info: { role: 'assistant', id, parentID, finish: 'stop', time: { completed: 5 } },
    parts,
  });
  const ends = findTurnEnds(
    [
      user('u1', 'first task'),
      step('a1', 'u1', [{ type: 'reasoning', text: 'hm' }]),
      user('u2', 'second task'),
      step('a2', 'u2', [{ type: 'text', text: 'Answer to the second.' }]),
    ],
    's',
    { since: 0, isAll: true },
  );
  Object.assign(records, { lastWords: async () => 'Answer to the second.' });
  for (const end of ends) await raw(end);
  expect((await told()).map(({ turn, body }) => [turn, body])).toEqual([
    ['s/a1/1', ''],
    ['s/a2/1', 'Answer to the second.'],
  ]);
});

test('rules 13, 17, 26: delivery hears that a turn ended well, although its stand-in called it interrupted', async () => {
  const { clock, show, begin, news, outcomes, told } = await openTurnWatch();
  show('processing');
  await news('t0', 'Before.');
  await clock.pass(5000);
  begin();
  show('idle');
  await clock.pass(2000);
  await news('t1', 'Late, on a busy machine.');
  await told();
  expect(outcomes).toEqual(['completed', 'interrupted', 'completed']);
});

const afterAgent = {
  event: 'AfterAgent',
  body: { session_id: 'g', timestamp: '2026-11-17T03:00:00.000Z', prompt_response: 'The answer.' },
};

test('rule 26: AfterAgent of Gemini that daemon and hook both write down is told once', async () => {
  const { clock, show, raw, ledger, child, told } = await openTurnWatch();
  const end = readGeminiHook(afterAgent)?.turnEnd;
  if (!end) throw new Error('no end');
  show('processing');
  await raw(end);
  await endTurn(ledger, clock, { child: child.id, epoch: 1, ...end });
  expect((await told()).map(({ turn, body }) => [turn, body])).toHaveLength(1);
});

test('rules 26, 30: what Gemini said at its end is told, although no daemon was there', async () => {
  const { clock, ledger, child, told } = await openTurnWatch();
  const end = readGeminiHook(afterAgent)?.turnEnd;
  if (!end) throw new Error('no end');
  // As client/hook/commit.ts does it.
  const text = end.text ?? end.said ?? '';
  await endTurn(ledger, clock, { child: child.id, epoch: 1, ...end, text });
  expect((await told()).map(({ body }) => body)).toEqual(['The answer.']);
});

test('rules 26, 27: after an end that a hook wrote down while we were away, the interruption of the next turn is told', async () => {
  const { clock, show, ledger, child, restart, told } = await openTurnWatch();
  const began = clock.now();
  show('processing', began);
  await clock.pass(5000);
  // No daemon: turn t1 ends, its hook commits; a second turn begins.
  await endTurn(ledger, clock, {
    child: child.id,
    epoch: 1,
    session: 's',
    id: 't1',
    outcome: 'completed',
    text: 'One.',
  });
  await clock.pass(5000);
  const second = clock.now();
  await clock.pass(5000);
  await restart('processing', began);
  show('processing', second);
  await clock.pass(60_000);
  show('idle');
  await clock.pass(2000);
  expect((await told()).map(({ outcome }) => outcome)).toEqual(['completed', 'unknown']);
});

test('rules 26, 27: a dialog in mid-turn that stood through a restart of ours and was left by Esc ends its turn', async () => {
  const { clock, show, restart, told } = await openTurnWatch();
  show('processing');
  await clock.pass(1000);
  const since = clock.now();
  show('waiting', since, 'permission');
  await clock.pass(1000);
  await restart('waiting', since);
  show('waiting', since, 'permission');
  await clock.pass(5000);
  // Claude Code fires no Stop for an Esc.
  show('idle');
  await clock.pass(60_000);
  expect((await told()).map(({ outcome }) => outcome)).toEqual(['unknown']);
});

for (const [who, lastTurn] of [
  ['a CLI without findLastTurn (all but Claude Code)', async () => undefined],
  [
    'Claude Code whose transcript cannot be read',
    async () => Promise.reject(Object.assign(new Error('EMFILE'), { code: 'EMFILE' })),
  ],
] as const) {
  test(`rules 26, 41: the last frame of a told turn, drawn late at load, is no second end: ${who}`, async () => {
    const { clock, show, news, records, told } = await openTurnWatch();
    Object.assign(records, { lastTurn });
    show('processing');
    await news('t1', 'Done.');
    await clock.pass(900);
    show('processing');
    await clock.pass(4000);
    show('completed');
    await clock.pass(60_000);
    expect((await told()).map(({ outcome }) => outcome)).toEqual(['completed']);
  });
}

test('rule 26: an end that a full disk refuses is kept once there is room, and told once', async () => {
  const { clock, ledger, raw, told } = await openTurnWatch();
  const write = ledger.write.bind(ledger);
  const full = new Fault('ledger-unwritable', 'The disk is full.', 'Make room.');
  ledger.write = () => Promise.reject(full);
  const kept = raw({ session: 's', id: 't1', outcome: 'completed', text: 'Done.' });
  await clock.pass(60_000);
  ledger.write = write;
  await clock.pass(30_000);
  await kept;
  expect((await told()).map(({ turn, body }) => [turn, body])).toEqual([['s/t1/1', 'Done.']]);
});

test('rules 26, 27: a turn that was interrupted is not told with the words of an earlier one', async () => {
  const { clock, show, news, records, told } = await openTurnWatch();
  Object.assign(records, { lastWords: async () => 'The answer.' });
  show('processing');
  await news('t1', 'The answer.');
  show('completed');
  await clock.pass(60_000);
  // Esc before a word: no hook fires, and its records end with the turn before.
  show('processing');
  await clock.pass(6000);
  show('idle');
  await clock.pass(60_000);
  expect((await told()).map(({ outcome, body }) => [outcome, body])).toEqual([
    ['completed', 'The answer.'],
    ['interrupted', ''],
  ]);
});

test('rule 26: a turn that was over before its paste was verified is told once', async () => {
  const { clock, show, prompted, told } = await openTurnWatch('status');
  show('processing');
  await clock.pass(300);
  show('completed');
  await clock.pass(200);
  prompted('completed', 500);
  await clock.pass(60_000);
  expect((await told()).map(({ turn }) => turn)).toEqual(['epoch-1/1/1']);
});

test('rule 26: the turn of a prompt that follows at once is told, however short it was', async () => {
  const { clock, show, prompted, told } = await openTurnWatch('status');
  show('processing');
  await clock.pass(300);
  show('completed');
  await clock.pass(200);
  prompted('completed', 100);
  await clock.pass(60_000);
  expect((await told()).map(({ turn }) => turn)).toEqual(['epoch-1/1/1', 'epoch-1/2/1']);
});

test('rule 26: an authority that looks up what ended before is not silent, and is waited for', async () => {
  const { clock, owe, show, news, records, told } = await openTurnWatch('state');
  await owe();
  records.behind = true;
  show('processing');
  show('idle');
  await clock.pass(4000);
  expect(await told()).toEqual([]);
  await news('t1', 'The answer.');
  records.behind = false;
  await clock.pass(60_000);
  expect((await told()).map(({ outcome, body }) => [outcome, body])).toEqual([
    ['completed', 'The answer.'],
  ]);
});

test('rule 26: one that never catches up costs no end', async () => {
  const { clock, show, records, told } = await openTurnWatch('state');
  records.behind = true;
  show('processing');
  show('idle');
  for (let i = 0; i < 10; i++) await clock.pass(2000);
  expect(await told()).toMatchObject([{ outcome: 'unknown' }]);
});

test('rules 5, 26: a clock that is set back hides no turn that a person interrupted', async () => {
  const { clock, show, news, told } = await openTurnWatch();
  show('processing');
  await news('t1', 'Done.');
  await clock.pass(60_000);
  clock.wallMs -= 3_600_000;
  show('processing');
  await clock.pass(20_000);
  show('idle');
  await clock.pass(2000);
  expect((await told()).map(({ outcome }) => outcome)).toEqual(['completed', 'interrupted']);
});
