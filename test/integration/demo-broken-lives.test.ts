import { describe, expect, test } from 'vitest';
import { hasCommand } from './fixtures/has-command.ts';
import { runBroken } from './fixtures/run-broken.ts';

const slow = { timeout: 300_000 };

/** A demo that shows a broken product as a sound one would be worse than none: each of these breaks one promise. */
describe.runIf(hasCommand('tmux'))('a product that is broken about lives is reported', () => {
  test('rule 26: the words with which a turn ends are dropped', slow, async () => {
    const { code, outcome } = await runBroken('summary: text,', 'summary: "dropped",');
    expect(code).toBe(1);
    expect(outcome.account.lost).toBeGreaterThan(0);
  });

  test('B4: a daemon that does not watch again what lives', slow, async () => {
    const { code, outcome } = await runBroken(
      'const running = await roster.watch(agent, epoch, sight.terminal);',
      'return;',
    );
    expect(code).toBe(1);
    expect(outcome.recoveries.at(-1)).toMatchObject({ killed: 'daemon', outcome: 'failed' });
  });
});
