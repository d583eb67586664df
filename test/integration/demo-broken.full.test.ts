import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DemoOutcome } from '../../src/protocol/demo.ts';
import { hasCommand } from './fixtures/has-command.ts';
import { type Change, runBroken } from './fixtures/run-broken.ts';

interface Mutant extends Change {
  readonly breaks: string;
  /** Where two places keep one promise. */
  readonly and?: Change;
  /** What the demo must say of it. */
  readonly judge: (outcome: DemoOutcome) => void;
}

/**
 * A demo that shows a broken product as a sound one would be worse than none: each of these breaks
 * one promise.
 */
const mutants: readonly Mutant[] = [
  {
    breaks: 'rule 26: the words with which a turn ends are dropped',
    place: 'summary: text,',
    instead: 'summary: "dropped",',
    judge: ({ account }) => expect(account.lost).toBeGreaterThan(0),
  },
  {
    breaks: 'B4: a daemon that does not watch again what lives',
    // The bundler may rename its arguments.
    place: 'const running = await roster.watch(',
    instead: 'return; const running = (',
    judge: ({ recoveries }) =>
      expect(recoveries.at(-1)).toMatchObject({ killed: 'daemon', outcome: 'failed' }),
  },
  {
    breaks: 'rule 33: a key that is not known again, so that a handoff called twice is two tasks',
    place: ['return `key:$', '{key}`;'].join(''),
    instead: 'return Math.random() + key;',
    judge: ({ account }) => expect(account.doubled).toBeGreaterThan(0),
  },
  {
    breaks: 'rule 27: an exit of which nobody is told',
    place: 'if (!isCut && debts.length === 0)',
    instead: 'if (true)',
    and: { place: 'return life?.endedAt !== void 0 && ', instead: 'return false && ' },
    judge: ({ recoveries }) =>
      expect(recoveries).toMatchObject([
        { killed: 'agent', outcome: 'failed', how: expect.stringContaining('to be told') },
      ]),
  },
];

describe.runIf(hasCommand('tmux'))('a product that is broken is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sbx-broken-'));
  const runs = new Map<string, ReturnType<typeof runBroken>>();

  beforeAll(() => {
    // Side by side: most of their time is patience with what never comes.
    for (const [i, { breaks, and, ...change }] of mutants.entries()) {
      const run = runBroken(join(folder, `${i}`), and ? [change, and] : [change]);
      run.catch(() => undefined); // Its own test says so.
      runs.set(breaks, run);
    }
  });
  afterAll(async () => {
    await Promise.allSettled(runs.values());
    rmSync(folder, { recursive: true, force: true });
  });

  for (const { breaks, judge } of mutants) {
    test(breaks, { timeout: 900_000 }, async () => {
      const ended = await runs.get(breaks);
      expect(ended?.code).toBe(1);
      if (ended) judge(ended.outcome);
    });
  }
});
