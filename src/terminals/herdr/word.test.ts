import { expect, test } from 'vitest';
import type { AgentStatus } from '../../agents/agent.ts';
import { type Act, namelessMs, newWord, type Shown, type State, step, type Word } from './word.ts';

const seen: Shown = { label: 'claude', status: 'unknown', isOwnWord: false, session: undefined };

/** What herdr shows, one look after the other, and what we do each time; what is told is heard. */
function play(first: Word, looks: readonly Partial<Shown>[], everyMs = 2000) {
  const acts: Act[] = [];
  let word = first;
  for (const [i, look] of looks.entries()) {
    const next = step(word, { ...seen, ...look }, i * everyMs);
    acts.push(next.act);
    word = next.word;
    if (typeof next.act === 'object') word = { ...word, told: next.act.tell };
  }
  return { acts, word };
}

const as = (word: Word, status: AgentStatus): Word => ({ ...word, status });

test.each<[AgentStatus, Act]>([
  ['idle', { tell: 'idle' }],
  ['completed', { tell: 'idle' }],
  ['error', { tell: 'idle' }],
  ['processing', { tell: 'working' }],
  ['waiting', { tell: 'blocked' }],
  ['starting', undefined],
  ['unknown', undefined],
  ['exited', undefined],
])('the first word about an agent that is %s', (status, act) => {
  expect(play(newWord(status), [{}]).acts).toEqual([act]);
});

test('what it shows already is not told again; an end of certainty is', () => {
  const { word, acts } = play(newWord('processing'), [{}, { status: 'working' }]);
  expect(acts).toEqual([{ tell: 'working' }, undefined]);
  expect(play(as(word, 'unknown'), [{ status: 'working' }]).acts).toEqual([{ tell: 'unknown' }]);
});

test('a terminal without a name is given time to be found; then it goes by ours', () => {
  const looks = [{ label: undefined }, { label: undefined }, { label: undefined }];
  expect(play(newWord('idle'), looks, namelessMs / 2).acts).toEqual([
    undefined,
    undefined,
    { tell: 'idle' },
  ]);
  expect(play(newWord('idle'), [{ label: undefined }, {}], 100).acts[1]).toEqual({ tell: 'idle' });
});

test('where it goes on showing something else, unknown included, ours is taken back', () => {
  for (const status of ['idle', 'unknown', 'blocked'] satisfies State[]) {
    const { acts, word } = play(newWord('processing'), [{}, { status }, { status }, { status }]);
    expect(acts).toEqual([{ tell: 'working' }, undefined, 'withdraw', undefined]);
    expect(word).toMatchObject({ isMute: true, told: undefined });
  }
});

test('one look that is late proves nothing', () => {
  const looks = [{}, { status: 'idle' }, { status: 'working' }, { status: 'idle' }] as const;
  expect(play(newWord('processing'), looks).acts.slice(1)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('the next status is a new try; the third that is not heard is the last', () => {
  let word = newWord('idle');
  const tries: Act[] = [];
  for (const status of ['processing', 'idle', 'waiting', 'idle', 'processing'] as const) {
    const shown = status === 'idle' ? 'blocked' : 'idle';
    const result = play(as(word, status), [
      { status: shown },
      { status: shown },
      { status: shown },
    ]);
    tries.push(result.acts[0]);
    word = result.word;
  }
  expect(tries).toEqual([
    ...[{ tell: 'working' }, { tell: 'idle' }, { tell: 'blocked' }, undefined, undefined],
  ]);
  expect(word.isMute).toBe(true);
});

test('a session that an integration has named: ours goes once, and comes again when that has', () => {
  const session = 'herdr:claude ses_1';
  const looks = [{}, { session, status: 'working' }, { session, status: 'idle' }] as const;
  const { acts, word } = play(newWord('processing'), looks);
  expect(acts).toEqual([{ tell: 'working' }, 'withdraw', undefined]);
  expect(word.isMute).toBe(true);
  expect(play(word, [{ status: 'idle' }])).toMatchObject({
    acts: [{ tell: 'working' }],
    word: { isMute: false },
  });
  // The word of an earlier daemon may stand there, of which this one knows nothing.
  expect(play(newWord('starting'), [{ session }, { session }]).acts).toEqual([
    'withdraw',
    undefined,
  ]);
  expect(play(word, [{ session: 'herdr:claude ses_2' }]).acts).toEqual(['withdraw']);
});

test('the CLI’s own word is left alone', () => {
  const own = { isOwnWord: true, session: 'herdr:opencode ses_1', status: 'blocked' } as const;
  const { acts, word } = play(newWord('processing'), [{}, own, own, own]);
  expect(acts).toEqual([{ tell: 'working' }, undefined, undefined, undefined]);
  expect(word).toMatchObject({ isMute: false, told: undefined });
});
