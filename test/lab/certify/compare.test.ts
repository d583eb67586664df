import { describe, expect, test } from 'vitest';
import { compare, isWorse } from './compare.ts';
import { writePage } from './page.ts';
import type { CaseResult, CertifyRun, ScreenResult } from './run.ts';

const right = (says: string, ...rules: readonly string[]): ScreenResult => ({
  kind: 'read',
  isRight: true,
  isDangerous: false,
  says: [says],
  rules,
});
const wrong = (says: string, rule = 'none', isDangerous = false): ScreenResult => ({
  ...{ kind: 'read', isRight: false, isDangerous },
  says: [says],
  rules: [rule],
});
const held = (part: CaseResult['part'] = 'delivery'): CaseResult => ({
  part,
  kind: 'passed',
  tries: 1,
});

const pinned: CertifyRun = {
  cli: 'qwen',
  version: '1.0.0',
  day: '2026-11-18',
  isNetworkClosed: true,
  screens: {
    started: right('idle, composer empty', 'idle'),
    thinking: right('processing, composer empty', 'busy-title', 'busy-row'),
    permission: right('waiting: permission, composer hidden', 'permission'),
  },
  cases: { idle: held(), 'record-form': held('records'), 'esc-next': held('people') },
  hooks: { Stop: 12, UserPromptSubmit: 9, Notification: 1 },
};

function differ(change: Partial<CertifyRun>, base: CertifyRun = pinned) {
  const fresh = { ...pinned, version: '1.0.1', ...change };
  return compare(base, fresh).map(({ part, name, verdict }) => `${verdict}: ${part} ${name}`);
}

const screen = (name: string, result: ScreenResult): Partial<CertifyRun> => ({
  screens: { ...pinned.screens, [name]: result },
});
const one = (name: string, result: Partial<CaseResult>): Partial<CertifyRun> => ({
  cases: { ...pinned.cases, [name]: { ...held(), ...pinned.cases[name], ...result } },
});

test('a version that does all the same differs in nothing', () => {
  expect(differ({})).toEqual([]);
  expect(isWorse(compare(pinned, pinned))).toBe(false);
});

describe('worse is', () => {
  test('an empty composer that is unknown or a draft', () => {
    for (const says of ['idle, composer unknown', 'idle, composer draft']) {
      expect(differ(screen('started', wrong(says, 'idle')))).toEqual(['worse: screens started']);
    }
  });

  test('a screen that no rule knows; the rule that has lost it is named', () => {
    const change = screen('permission', wrong('unknown, composer unknown'));
    expect(differ(change)).toEqual([
      'worse: screens permission',
      'changed: screens rule permission',
    ]);
  });

  test('a screen that is read dangerously, even where it was not right before', () => {
    const before = { ...pinned, ...screen('permission', wrong('unknown, composer unknown')) };
    const after = screen('permission', wrong('idle, composer empty', 'idle', true));
    expect(differ(after, before)).toEqual(['worse: screens permission']);
  });

  test('a state that the lab cannot bring it into, or that was not tried', () => {
    const undriven: ScreenResult = { kind: 'undriven', reason: 'no composer within 60 s' };
    expect(differ(screen('started', undriven))).toEqual(['worse: screens started']);
    expect(differ({ screens: {} })).toHaveLength(3);
    expect(differ({ screens: {} }).every((line) => line.startsWith('worse'))).toBe(true);
  });

  test('a case that does not hold, cannot be asked for any more, or was not tried', () => {
    expect(differ(one('idle', { kind: 'failed', reason: 'x' }))).toEqual(['worse: delivery idle']);
    expect(differ(one('idle', { kind: 'spared', reason: 'x' }))).toEqual(['worse: delivery idle']);
    const { idle: _, ...others } = pinned.cases;
    expect(differ({ cases: others })).toEqual(['worse: delivery idle']);
  });

  test('a form of records that is not known', () => {
    const reason = 'native: records of 1.0.1 not recognised';
    expect(differ(one('record-form', { kind: 'failed', reason }))).toEqual([
      'worse: records record-form',
    ]);
  });

  test('a hook that comes no more, unless it comes by the clock', () => {
    const { Stop: _, ...others } = pinned.hooks;
    expect(differ({ hooks: others })).toEqual(['worse: hooks Stop']);
    expect(differ({ hooks: {} })).toEqual([
      ...['worse: hooks Stop', 'worse: hooks UserPromptSubmit', 'changed: hooks Notification'],
    ]);
  });
});

describe('not worse is', () => {
  test('a rule that no longer fires where another reads the screen right', () => {
    const change = screen('thinking', right('processing, composer empty', 'busy-row'));
    expect(differ(change)).toEqual(['changed: screens rule busy-title']);
  });

  test('what holds in neither, and what is better', () => {
    const before = { ...pinned, ...one('idle', { kind: 'failed', reason: 'x' }) };
    expect(differ(one('idle', { kind: 'failed', reason: 'y' }), before)).toEqual([
      'in-both: delivery idle',
    ]);
    expect(differ({}, before)).toEqual(['better: delivery idle']);
    const misread = { ...pinned, ...screen('started', wrong('idle, composer unknown', 'idle')) };
    expect(differ({}, misread)).toEqual(['better: screens started']);
  });

  test('a case that holds only at its second try, which is told', () => {
    expect(differ(one('idle', { tries: 2, reason: 'late' }))).toEqual(['changed: delivery idle']);
  });
});

describe('the page', () => {
  const page = (change: Partial<CertifyRun>): string => {
    const fresh = { ...pinned, version: '1.0.1', ...change };
    return writePage({ pinned, fresh, differences: compare(pinned, fresh) });
  };

  test('says in one line whether anything is worse, and counts each part', () => {
    expect(page({})).toContain('**Nothing is worse than 1.0.0.**');
    expect(page({})).not.toContain('## ');
    const worse = page(one('idle', { kind: 'failed', reason: 'it never came\n  at /tmp/x/y' }));
    expect(worse).toContain('**1 worse than 1.0.0.**');
    expect(worse).toContain('| delivery | 1 of 1 hold | 0 of 1 hold | 1 |');
    expect(worse).toContain('- delivery, **idle**: does not hold: it never came at …');
    expect(worse).toContain('your-own-data');
  });

  test('names the parts that were not tried, and counts none of them', () => {
    const bare = { ...pinned, cases: {}, hooks: {} };
    const text = writePage({ pinned: bare, fresh: bare, differences: [] });
    expect(text).toContain('Not tried in this run: records, hooks, delivery, people.');
    expect(text).not.toContain('0 of 0');
    expect(page({})).not.toContain('Not tried');
  });

  test('tells what a screen was and is, with the rules', () => {
    expect(page(screen('started', wrong('idle, composer draft', 'idle')))).toContain(
      'was idle, composer empty (idle); is idle, composer draft (idle)',
    );
  });
});
