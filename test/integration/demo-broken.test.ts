import { spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DemoOutcome } from '../../src/demo/demo.ts';
import { waitForEnd } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { hasCommand } from './fixtures/has-command.ts';

const slow = { timeout: 300_000 };

/** A demo that shows a broken product as a sound one would be worse than none: each of these breaks one promise. */
describe.runIf(hasCommand('tmux'))('a broken product is reported', () => {
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

/** The built programs with one place changed, run where nothing but them differs. */
async function runBroken(place: string, instead: string) {
  const folder = tempHome('sbx-broken-');
  cpSync('dist', join(folder, 'dist'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  let hits = 0;
  for (const name of ['signalbox', 'daemon', 'demo-agent']) {
    const path = join(folder, 'dist', `${name}.cjs`);
    const text = readFileSync(path, 'utf8');
    hits += text.includes(place) ? 1 : 0;
    writeFileSync(path, text.replaceAll(place, instead));
  }
  expect(hits, 'the place is not there any more').toBeGreaterThan(0);
  const program = join(folder, 'dist', 'signalbox.cjs');
  const child = spawn(process.execPath, [program, 'demo', '--seconds', '1', '--json'], {
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = await waitForEnd(child);
  return { code: ended.code, outcome: ended.json<DemoOutcome>() };
}
