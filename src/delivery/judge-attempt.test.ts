import { expect, test } from 'vitest';
import type { Finding } from '../providers/way-in.ts';
import {
  type AttemptFacts,
  evidenceMs,
  hookLandMs,
  judgeAttempt,
  leftMs,
  resumeMs,
} from './judge-attempt.ts';

const now = 1_000_000;

/**
 * An attempt of the life that runs, injected by the CLI's own queue, at an agent that has rested
 * for very long.
 */
function facts(found: Finding['found'], more: Partial<AttemptFacts> = {}): AttemptFacts {
  return {
    claim: { route: 'native', step: 'begun', provable: true, takenAtMs: 0 },
    isLive: true,
    isResumed: true,
    isUncertain: false,
    finding: { found, evidence: 'a record' },
    view: { status: 'idle', composer: 'empty', atRestSince: 0 },
    hasWaitingHook: false,
    since: 0,
    now,
    ...more,
  };
}

const working = { status: 'processing', composer: 'unknown' } as const;
const uncertain = { isUncertain: true } as const;

test('rule 6: proof counts whenever it comes, whatever the state, the status and the life', () => {
  for (const more of [{}, uncertain, { view: working }, { isLive: false }]) {
    expect(judgeAttempt(facts('seen', more))).toBe('seen');
  }
});

test('rule 4: no clock runs while the agent works, or holds the message in its own queue', () => {
  expect(judgeAttempt(facts('none', { view: working }))).toEqual({});
  expect(judgeAttempt(facts('unknown', { view: working }))).toEqual({});
  expect(judgeAttempt(facts('held', { view: working }))).toEqual({});
  expect(judgeAttempt(facts('landed', { view: working }))).toEqual({});
});

test('rule 4: while it rests proof is awaited for 60 s, counted from when we first followed it', () => {
  const late = { since: now - evidenceMs + 1 };
  expect(judgeAttempt(facts('none', late))).toEqual({ againInMs: 1 });
  expect(judgeAttempt(facts('none', { since: now - evidenceMs }))).toBe('lost');
  const view = { status: 'idle', composer: 'empty', atRestSince: now - 1000 } as const;
  expect(judgeAttempt(facts('none', { view }))).toEqual({ againInMs: evidenceMs - 1000 });
});

test('rule 4: rest between turns adds up, so that an agent that is never long at rest settles what has no proof, too', () => {
  const view = { status: 'idle', composer: 'empty', atRestSince: now - 1000 } as const;
  const restedMs = evidenceMs - 1000;
  expect(judgeAttempt(facts('none', { view, restedMs }))).toBe('lost');
  expect(judgeAttempt(facts('unknown', { view, restedMs: restedMs - 1 }))).toEqual({
    againInMs: 1,
  });
  const reply = { route: 'turn-boundary', step: 'begun', provable: true } as const;
  expect(judgeAttempt(facts('none', { claim: reply, view, restedMs }))).toEqual({
    againInMs: hookLandMs - 1000,
  });
});

test('rules 4, 42: rest between turns adds up for what an earlier life was given, too', () => {
  const view = { status: 'idle', composer: 'empty', atRestSince: now - 1000 } as const;
  const dead = { isLive: false, view, restedMs: evidenceMs - 1000 };
  expect(judgeAttempt(facts('unknown', dead))).toBe('lost');
  expect(judgeAttempt(facts('unknown', { ...dead, restedMs: evidenceMs - 1001 }))).toEqual({
    againInMs: 1,
  });
  expect(judgeAttempt(facts('none', { ...dead, ...uncertain, restedMs: 4000 }))).toBe('no-proof');
});

test('rule 4: what was injected into a life that has ended is uncertain at once', () => {
  expect(judgeAttempt(facts('none', { isLive: false }))).toBe('lost');
});

test('rule 10: in the conversation and unread it is held, also by a life that resumes it; in one that was left it is open again', () => {
  const failed = { status: 'error', composer: 'empty', atRestSince: 0 } as const;
  const earlier = { isLive: false, isResumed: true } as const;
  const left = { isLive: false, isResumed: false } as const;
  for (const found of ['landed', 'held'] as const) {
    expect(judgeAttempt(facts(found, { view: failed }))).toEqual({});
    expect(judgeAttempt(facts(found, { ...uncertain, view: failed }))).toBe('held');
    expect(judgeAttempt(facts(found, { ...earlier, view: working }))).toEqual({});
    expect(judgeAttempt(facts(found, { ...uncertain, ...earlier }))).toBe('held');
    expect(judgeAttempt(facts(found, left))).toBe('lost');
    expect(judgeAttempt(facts(found, { ...uncertain, ...left }))).toBe('left');
  }
});

test('rule 9: what the CLI took out goes back; after an interruption only at the next boundary', () => {
  const because = (why: 'failed' | 'interrupted') =>
    ({ found: 'removed', evidence: 'x', because: why }) as const;
  expect(judgeAttempt(facts('removed', { finding: because('failed') }))).toBe('removed');
  expect(judgeAttempt(facts('removed', { finding: because('interrupted') }))).toBe('interrupted');
  const dead = { finding: because('interrupted'), isLive: false };
  expect(judgeAttempt(facts('removed', dead))).toBe('removed');
});

test('rule 42b: in a conversation that was left nobody will read it; a moment off the screen is not enough', () => {
  for (const found of ['held', 'landed'] as const) {
    const finding = { found, evidence: 'x', isLeft: true } as const;
    const since = (leftSince: number) => facts(found, { finding, leftSince, view: working });
    expect(judgeAttempt(since(now - leftMs + 1))).toEqual({ againInMs: 1 });
    expect(judgeAttempt(since(now - leftMs))).toBe('left');
    expect(judgeAttempt({ ...since(now - leftMs), ...uncertain })).toBe('left');
  }
});

test('rule 42b: out of a queue it is taken only once the CLI has come up', () => {
  const view = { status: 'starting', composer: 'unknown' } as const;
  const left = { ...uncertain, isLive: false, isResumed: false, view } as const;
  expect(judgeAttempt(facts('held', left))).toEqual({});
  expect(judgeAttempt(facts('landed', left))).toBe('left');
});

test('rules 9, 42b: what an interruption took out goes back once its conversation was left', () => {
  const finding = {
    found: 'removed',
    because: 'interrupted',
    evidence: 'x',
    isLeft: true,
  } as const;
  const at = (leftSince: number) => facts('removed', { finding, leftSince });
  expect(judgeAttempt(at(now))).toBe('interrupted');
  expect(judgeAttempt(at(now - leftMs))).toBe('removed');
});

test('rule 42c: what a person interrupted stays in the conversation, for as long as that is shown', () => {
  const finding = { found: 'landed', evidence: 'x', isInterrupted: true } as const;
  expect(judgeAttempt(facts('landed', { finding }))).toEqual({});
  expect(judgeAttempt(facts('landed', { finding, ...uncertain }))).toBe('held');
});

test('rule 42d: whatever else stands unread is given up after 60 s of rest without a draft, a key or a failing API', () => {
  for (const found of ['held', 'landed'] as const) {
    expect(judgeAttempt(facts(found, { since: now - evidenceMs + 1 }))).toEqual({ againInMs: 1 });
    expect(judgeAttempt(facts(found, { since: now - evidenceMs }))).toBe('left');
    const rest = { status: 'idle', composer: 'empty', atRestSince: 0 } as const;
    const inTheWay = [
      { ...rest, composer: 'draft' },
      { ...rest, status: 'error' },
    ] as const;
    for (const view of inTheWay) expect(judgeAttempt(facts(found, { view }))).toEqual({});
    const typed = { ...rest, humanKeyAt: now - 1000 } as const;
    expect(judgeAttempt(facts(found, { view: typed }))).toEqual({ againInMs: evidenceMs - 1000 });
  }
});

test('rule 10: an uncertain attempt is resolved by what the records say', () => {
  expect(judgeAttempt(facts('held', uncertain))).toBe('held');
  expect(judgeAttempt(facts('landed', uncertain))).toBe('held');
  expect(judgeAttempt(facts('absent', uncertain))).toBe('absent');
  expect(judgeAttempt(facts('none', uncertain))).toBe('no-proof');
  expect(judgeAttempt(facts('unknown', { ...uncertain, since: now - 1 }))).toEqual({
    againInMs: evidenceMs - 1,
  });
});

test('rule 10: after a death the conversation is read first: not before the next life has come up', () => {
  for (const status of ['starting', 'unknown', 'exited'] as const) {
    const view = { status, composer: 'unknown' } as const;
    expect(judgeAttempt(facts('none', { ...uncertain, isLive: false, view }))).toEqual({});
  }
  expect(judgeAttempt(facts('none', { ...uncertain, isLive: false }))).toBe('no-proof');
  // Nor before that life has rested for a while: its CLI may be slow to say what it found.
  const dead = { ...uncertain, isLive: false } as const;
  expect(judgeAttempt(facts('none', { ...dead, view: working }))).toEqual({});
  for (const found of ['none', 'unknown'] as const) {
    const since = now - resumeMs[found];
    expect(judgeAttempt(facts(found, { ...dead, since: since + 1 }))).toEqual({ againInMs: 1 });
    expect(judgeAttempt(facts(found, { ...dead, since }))).toBe('no-proof');
  }
});

test('rules 10, 41: what a resumed conversation was seen to hold is not lost because it cannot be read once', () => {
  const held = { isLive: false, isResumed: true } as const;
  for (const found of ['none', 'unknown'] as const) {
    expect(judgeAttempt(facts(found, { ...held, since: now - 1 }))).toEqual({
      againInMs: evidenceMs - 1,
    });
    expect(judgeAttempt(facts(found, { ...held, view: working }))).toEqual({});
    expect(judgeAttempt(facts(found, { ...held, since: now - evidenceMs }))).toBe('lost');
  }
});

test('rule 11: 5 s of rest without a trace prove that a reply of a hook has not landed; `unknown` proves nothing', () => {
  const replies = [
    { claim: { route: 'turn-boundary', step: 'begun', provable: true } },
    { claim: { route: 'mid-turn', step: 'begun', provable: true } },
    {
      claim: { route: 'native', step: 'begun', provable: true, takenAtMs: 0 },
      hasWaitingHook: true,
    },
  ] as const;
  for (const reply of replies) {
    expect(judgeAttempt(facts('none', { ...reply, since: now - hookLandMs }))).toBe('absent');
    expect(judgeAttempt(facts('none', { ...reply, since: now - hookLandMs + 1 }))).toEqual({
      againInMs: 1,
    });
    expect(judgeAttempt(facts('unknown', { ...reply, since: now - hookLandMs }))).toEqual({
      againInMs: evidenceMs - hookLandMs,
    });
    expect(judgeAttempt(facts('none', { ...reply, view: working }))).toEqual({});
  }
});

test('rule 11: of a queue or a paste no silence proves anything', () => {
  for (const route of ['native', 'paste'] as const) {
    const claim = { route, step: 'begun', provable: true } as const;
    expect(judgeAttempt(facts('none', { claim, since: now - hookLandMs }))).toEqual({
      againInMs: evidenceMs - hookLandMs,
    });
  }
});

test('rule 12: without a step on disk nothing outside was touched', () => {
  const claim = { route: 'native', provable: true } as const;
  expect(judgeAttempt(facts('none', { ...uncertain, claim }))).toBe('absent');
  expect(judgeAttempt(facts('unknown', { ...uncertain, claim, isLive: false }))).toBe('absent');
});

test('rule 12: no re-offer while a draft stands in the composer', () => {
  const view = { status: 'idle', composer: 'draft', atRestSince: 0 } as const;
  const claim = { route: 'paste', step: 'pasted', provable: true } as const;
  expect(judgeAttempt(facts('none', { ...uncertain, claim, view }))).toEqual({ againInMs: 2000 });
});

test('rules 8, 10: where no proof can come none is awaited: at rest for 5 s it is offered once more', () => {
  const claim = { route: 'paste', step: 'entered', provable: false } as const;
  const early = { ...uncertain, claim, since: now - hookLandMs + 1 };
  expect(judgeAttempt(facts('unknown', early))).toEqual({ againInMs: 1 });
  expect(judgeAttempt(facts('unknown', { ...early, since: now - hookLandMs }))).toBe('no-proof');
  expect(judgeAttempt(facts('unknown', { ...early, view: working }))).toEqual({});
});

const typedAt = { route: 'paste', step: 'left', provable: true, takenAtMs: now - 60_000 } as const;
const idleFor = { status: 'idle', composer: 'empty', atRestSince: 0 } as const;
const followed = { ...uncertain, claim: typedAt, since: now - hookLandMs } as const;

test('rule 12: what a person typed at and then deleted has not landed, and is offered again at once', () => {
  expect(judgeAttempt(facts('none', followed))).toBe('absent');
  // Or deleted whole, before Enter was tried.
  const untold = { ...followed, claim: { ...typedAt, step: 'pasted' } } as const;
  const touched = { ...idleFor, humanKeyAt: typedAt.takenAtMs + 1 };
  expect(judgeAttempt(facts('none', { ...untold, view: touched }))).toBe('absent');
  expect(judgeAttempt(facts('none', untold))).not.toBe('absent');
  const soon = { ...followed, since: now - 1000 };
  expect(judgeAttempt(facts('none', soon))).toEqual({ againInMs: hookLandMs - 1000 });
});

test('rules 12, 49: while it stands there, or if a turn has begun since the paste, proof is awaited', () => {
  const draft = { status: 'idle', composer: 'draft', atRestSince: 0 } as const;
  expect(judgeAttempt(facts('none', { ...followed, view: draft }))).toEqual({ againInMs: 2000 });
  const view = { status: 'idle', composer: 'empty', atRestSince: now - 10_000 } as const;
  const again = { againInMs: evidenceMs - hookLandMs };
  expect(judgeAttempt(facts('none', { ...followed, view }))).toEqual(again);
});

test('rules 22, 50: that it stands in its own queue the CLI says itself, also before its records are known', () => {
  const finding = { found: 'held', evidence: 'its queue', isUnrecognised: true } as const;
  const view = { status: 'idle', composer: 'empty', atRestSince: now - 10_000 } as const;
  // It waits there for its release, and is no end of it.
  const since = now - 10_000;
  expect(judgeAttempt(facts('held', { finding, view, since }))).toEqual({
    againInMs: evidenceMs - 10_000,
  });
});
