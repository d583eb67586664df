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
  test('rule 10: a repeat that is not marked', slow, async () => {
    const { code, outcome } = await runBroken('message.mayRepeat ? { repeat: true } : {}', '{}');
    expect(code).toBe(1);
    expect(outcome.recoveries.at(-1)).toMatchObject({
      killed: 'agent',
      outcome: 'failed',
      how: expect.stringContaining('without its mark'),
    });
  });

  test('rule 16: a drain that acks before its messages are read', slow, async () => {
    const { code, outcome } = await runBroken(
      'await reachFailPoint("drain.injected");',
      'await ledger.write((tx) => acknowledge(tx, clock.now(), messages.map(({ id }) => id), "early"));',
    );
    expect(code).toBe(1);
    expect(outcome.account.lost).toBeGreaterThan(0);
    expect(outcome.recoveries.at(-1)).toMatchObject({ killed: 'agent', outcome: 'failed' });
  });

  test('B4: a daemon that does not watch again what lives', slow, async () => {
    const { code, outcome } = await runBroken(
      'const running = await roster.watch(agent, epoch, sight.terminal);',
      'return;',
    );
    expect(code).toBe(1);
    expect(outcome.recoveries).toMatchObject([{ killed: 'daemon', outcome: 'failed' }]);
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
