import { expect, test } from 'vitest';
import type { AgentStatus } from '../../agents/agent.ts';
import { type Act, namelessMs, newWord, type Shown, settle, step, type Word } from './word.ts';

const seen: Shown = { label: 'claude', status: 'unknown', isOwnWord: false, session: undefined };

/**
 * What herdr shows, one look after the other, and what we do each time. What we do is heard, unless
 * that look loses it.
 */
function play(
  first: Word,
  looks: readonly (Partial<Shown> & { readonly isLost?: boolean })[],
  everyMs = 2000,
) {
  const acts: Act[] = [];
  let word = first;
  for (const [i, { isLost = false, ...look }] of looks.entries()) {
    const next = step(word, { ...seen, ...look }, i * everyMs);
    acts.push(next.act);
    word = next.act === undefined ? next.word : settle(next.word, next.act, !isLost);
  }
  return { acts, word };
}

const as = (word: Word, status: AgentStatus): Word => ({ ...word, status });
const clean = (status: AgentStatus): Word => ({ ...newWord(status), standing: undefined });

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
  expect(play(clean(status), [{}]).acts).toEqual([act]);
  // An earlier daemon may have said something: where there is nothing to say, that goes.
  expect(play(newWord(status), [{}, {}]).acts[0]).toEqual(act ?? 'take-back');
});

test('what it shows already is not told again; where certainty ends, ours goes', () => {
  const { word, acts } = play(newWord('processing'), [{}, { status: 'working' }]);
  expect(acts).toEqual([{ tell: 'working' }, undefined]);
  for (const status of ['unknown', 'starting'] as const) {
    const looks = [{ status: 'working' }, { status: 'idle' }] as const;
    expect(play(as(word, status), looks).acts).toEqual(['take-back', undefined]);
  }
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
  for (const status of ['idle', 'unknown', 'blocked'] as const) {
    const { acts, word } = play(newWord('processing'), [{}, { status }, { status }, { status }]);
    expect(acts).toEqual([{ tell: 'working' }, undefined, 'take-back', undefined]);
    expect(word).toMatchObject({ isMute: true, standing: undefined });
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

test('the next status is a new try; the third in a row that is not heard is the last', () => {
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
  expect(word).toMatchObject({ isMute: true, standing: undefined });
});

test('what it has heard again makes the count begin anew', () => {
  let word = newWord('idle');
  for (let i = 0; i < 10; i++) {
    const lost = play(as(word, 'processing'), [
      { status: 'idle' },
      { status: 'idle' },
      { status: 'idle' },
    ]);
    word = play(as(lost.word, 'waiting'), [{}, { status: 'blocked' }]).word;
  }
  expect(word).toMatchObject({ isMute: false, standing: 'blocked', givenUp: 0 });
});

test('no word of ours outlives its truth: a status that is not told takes an older one back', () => {
  const gaveUp = play(newWord('idle'), [{}, { status: 'working' }, { status: 'working' }]);
  const { word } = play(as(gaveUp.word, 'processing'), [{ status: 'idle' }]);
  // It has not shown that one yet when the agent is idle again, as which we had given up.
  const { acts, word: last } = play(as(word, 'idle'), [{ status: 'idle' }, { status: 'idle' }]);
  expect(acts).toEqual(['take-back', undefined]);
  expect(last).toMatchObject({ isMute: true, standing: undefined });
});

test('a lost answer says nothing: it is told again, or taken back again, and counts as no try', () => {
  const told = play(newWord('processing'), [{ isLost: true }, { status: 'working' }]);
  expect(told.acts).toEqual([{ tell: 'working' }, { tell: 'working' }]);
  const gone = play(as(play(newWord('processing'), [{ isLost: true }]).word, 'unknown'), [
    { status: 'working', isLost: true },
    { status: 'working', isLost: true },
    { status: 'working' },
    { status: 'idle' },
  ]);
  expect(gone.acts).toEqual(['take-back', 'take-back', 'take-back', undefined]);
  expect(gone.word).toMatchObject({ givenUp: 0, standing: undefined });
});

test('a session that an integration has named: ours goes once, and comes again when that has', () => {
  const session = 'herdr:claude ses_1';
  const looks = [{}, { session, status: 'working' }, { session, status: 'idle' }] as const;
  const { acts, word } = play(newWord('processing'), looks);
  expect(acts).toEqual([{ tell: 'working' }, 'take-back', undefined]);
  expect(word.isMute).toBe(true);
  expect(play(word, [{ status: 'idle' }])).toMatchObject({
    acts: [{ tell: 'working' }],
    word: { isMute: false },
  });
  // The word of an earlier daemon may stand there, of which this one knows nothing.
  const { acts: first } = play(newWord('starting'), [
    { session, isLost: true },
    { session },
    { session },
  ]);
  expect(first).toEqual(['take-back', 'take-back', undefined]);
  expect(play(word, [{ session: 'herdr:claude ses_2' }]).acts).toEqual(['take-back']);
});

test('the CLI’s own word is left alone', () => {
  const own = { isOwnWord: true, session: 'herdr:opencode ses_1', status: 'blocked' } as const;
  const { acts, word } = play(newWord('processing'), [{}, own, own, own]);
  expect(acts).toEqual([{ tell: 'working' }, undefined, undefined, undefined]);
  expect(word).toMatchObject({ isMute: false, standing: undefined });
});
