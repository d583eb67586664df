import { describe, expect, test } from 'vitest';
import { hasCommand } from './fixtures/has-command.ts';
import { runBroken } from './fixtures/run-broken.ts';

const slow = { timeout: 300_000 };

/** A demo that shows a broken product as a sound one would be worse than none: each of these breaks one promise. */
describe.runIf(hasCommand('tmux'))('a product that is broken about tasks is reported', () => {
  test(
    'rule 33: a key that is not known again, so that a handoff called twice is two tasks',
    slow,
    async () => {
      const { code, outcome } = await runBroken(
        ['return `key:$', '{key}`;'].join(''),
        'return Math.random() + key;',
      );
      expect(code).toBe(1);
      expect(outcome.account.doubled).toBeGreaterThan(0);
    },
  );

  test('rule 27: an exit of which nobody is told', slow, async () => {
    const { code, outcome } = await runBroken('if (!isCut && debts.length === 0)', 'if (true)');
    expect(code).toBe(1);
    expect(outcome.recoveries).toMatchObject([
      { killed: 'agent', outcome: 'failed', how: expect.stringContaining('to be told') },
    ]);
  });
});
