import { expect, test } from 'vitest';
import type { Finding } from '../providers/way-in.ts';
import { type AttemptFacts, evidenceMs, hookLandMs, judgeAttempt } from './judge-attempt.ts';

const now = 1_000_000;

/** A prompt of the user that was pasted into the life that runs, which has rested for very long. */
function facts(found: Finding['found'], more: Partial<AttemptFacts> = {}): AttemptFacts {
  return {
    claim: { route: 'paste', step: 'entered', provable: true, takenAtMs: 0 },
    isLive: true,
    isResumed: true,
    isUncertain: false,
    isPrompt: true,
    finding: { found, evidence: 'a record' },
    view: { status: 'idle', composer: 'empty', atRestSince: 0 },
    hasWaitingHook: true,
    since: 0,
    now,
    ...more,
  };
}

const typedAt = { route: 'paste', step: 'left', provable: true, takenAtMs: now - 60_000 } as const;
const idleFor = { status: 'idle', composer: 'empty', atRestSince: 0 } as const;
const followed = { isUncertain: true, claim: typedAt, since: now - hookLandMs } as const;

test('rule 51d: the user’s prompt that a person typed at and then deleted is taken back, whenever they did that', () => {
  expect(judgeAttempt(facts('none', { ...followed }))).toBe('taken-back');
  const view = { ...idleFor, humanKeyAt: typedAt.takenAtMs + 1 };
  const claim = { ...typedAt, step: 'pasted' } as const;
  expect(judgeAttempt(facts('none', { ...followed, claim, view }))).toBe('taken-back');
});

test('rules 50, 51d: a prompt that a person typed into is not taken back once a turn has begun since, or where its records are not recognised', () => {
  const claim = { route: 'paste', step: 'left', provable: true, takenAtMs: 500_000 } as const;
  const prompt = { claim, since: 500_000 } as const;
  const rested = (atRestSince: number) =>
    ({ status: 'idle', composer: 'empty', atRestSince, humanKeyAt: 500_100 }) as const;
  expect(judgeAttempt(facts('none', { ...prompt, view: rested(400_000) }))).toBe('taken-back');
  expect(judgeAttempt(facts('none', { ...prompt, view: rested(600_000) }))).not.toBe('taken-back');
  const finding = { found: 'none', evidence: '', isUnrecognised: true } as const;
  const unread = facts('none', { ...prompt, finding, view: rested(400_000) });
  expect(judgeAttempt(unread)).not.toBe('taken-back');
});

test('rule 51d: a prompt that the conversation has passed over is not given up before it is taken back, however long the agent has rested without it', () => {
  const finding = { found: 'unknown', evidence: 'a record', isPassedOver: true } as const;
  const view = { ...idleFor, atRestSince: now - 1000, humanKeyAt: now - 500 } as const;
  const passed = { finding, view, restedMs: evidenceMs } as const;
  expect(judgeAttempt(facts('unknown', passed))).toEqual({ againInMs: hookLandMs - 1000 });
  const rested = { ...view, atRestSince: now - hookLandMs };
  expect(judgeAttempt(facts('unknown', { ...passed, view: rested }))).toBe('taken-back');
});

test('rule 51d: a prompt on record without an answer, whose CLI puts it back, is taken back once its composer is without it', () => {
  const finding = { found: 'none', evidence: 'a record', isTakenBackByEsc: true } as const;
  const touched = { ...idleFor, humanKeyAt: 1 } as const;
  expect(judgeAttempt(facts('none', { finding, view: touched }))).toBe('taken-back');
  const draft = { ...touched, composer: 'draft' } as const;
  expect(judgeAttempt(facts('none', { finding, view: draft }))).toEqual({ againInMs: 2000 });
  // Nobody was there, or the API failed: it is looked for.
  expect(judgeAttempt(facts('none', { finding }))).toBe('lost');
  const failed = { ...touched, status: 'error' } as const;
  expect(judgeAttempt(facts('none', { finding, view: failed }))).not.toBe('taken-back');
});

test('rule 51d: a prompt that the records show taken out, and no cause of it, is taken back by who touched it', () => {
  const finding = { found: 'landed', evidence: 'a record', isBeingTakenOut: true } as const;
  const touched = { ...idleFor, humanKeyAt: now - hookLandMs } as const;
  expect(judgeAttempt(facts('landed', { finding, view: touched }))).toBe('taken-back');
  // At a resume it is written again at once.
  const soon = { ...touched, atRestSince: now - 1000 };
  const wait = { againInMs: hookLandMs - 1000 };
  expect(judgeAttempt(facts('landed', { finding, view: soon }))).toEqual(wait);
  expect(judgeAttempt(facts('landed', { finding }))).toBe('left');
});

test('rule 51d: a prompt that a hook told of, and that left no record, was broken off while the hooks ran', () => {
  const claim = { route: 'paste', step: 'entered', provable: true, takenAtMs: 0 } as const;
  const touched = { ...idleFor, humanKeyAt: 1, brokenOffAt: 1 } as const;
  const dropped = { claim: { ...claim, isSubmitted: true }, view: touched } as const;
  for (const found of ['none', 'unknown'] as const) {
    const verdict = (more: Partial<AttemptFacts>) =>
      judgeAttempt(facts(found, { ...dropped, ...more }));
    expect(verdict({})).toBe('taken-back');
    // By nobody's key, after a turn that ended by itself, or never told of: it is looked for.
    expect(verdict({ view: { ...idleFor, brokenOffAt: 1 } })).toBe('lost');
    expect(verdict({ view: { ...idleFor, humanKeyAt: 1 } })).toBe('lost');
    expect(verdict({ claim })).toBe('lost');
    expect(verdict({ finding: { found, evidence: '', isUnasked: true } })).toBe('lost');
  }
});

test('rules 12, 51d: while nobody knows what the composer holds nothing is given up or taken back, for 5 s', () => {
  const blind = { blindSince: now - 1000, restedMs: evidenceMs } as const;
  const view = { status: 'completed', composer: 'unknown', atRestSince: 0 } as const;
  const wait = { againInMs: hookLandMs - 1000 };
  for (const found of ['none', 'unknown', 'landed'] as const) {
    expect(judgeAttempt(facts(found, { ...blind, view }))).toEqual(wait);
    expect(judgeAttempt(facts(found, { ...blind, view, isPrompt: false }))).toEqual(wait);
  }
  const typed = { ...view, humanKeyAt: 1 };
  const landed = { found: 'landed', evidence: 'a record', isTakenBackByEsc: true } as const;
  const prompt = { finding: landed, view: typed } as const;
  expect(judgeAttempt(facts('landed', { ...blind, ...prompt }))).toEqual(wait);
  // One that is never known keeps nothing back for good (rule 44).
  const long = { ...blind, blindSince: now - hookLandMs };
  expect(judgeAttempt(facts('none', { ...long, view }))).toBe('lost');
  expect(judgeAttempt(facts('landed', { ...long, ...prompt }))).toBe('taken-back');
});
