import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TerminalLogDocument } from '../../src/protocol/printed.ts';
import { start } from '../support/cli.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

describe.skipIf(!hasTmux)('logs of an agent', () => {
  test('shows what a person would have seen, on a pipe and as JSON, also after the CLI has ended; --raw the bytes', async () => {
    const station = await openStation();
    await station.run(['launch', 'scripted', '--name', 'worker', '--', '--alternate-screen']);
    await station.untilStatus('worker', 'idle');
    const { id } = await station.agent('worker');
    await station.ask('send', 'worker', '@@stream 3 lines 10ms @@work 300ms @@say all done');
    await waitUntil('its answer', async () =>
      (await station.run(['logs', 'worker'])).stdout.includes('● all done'),
    );
    const isDrawnOnce = (text: string): void => {
      expect(text).not.toContain('\x1b');
      // A spinner, a footer and an answer are painted many times.
      for (const word of ['● all done', 'line 2 of 3']) expect(text.split(word)).toHaveLength(2);
    };
    isDrawnOnce((await station.run(['logs', 'worker'])).stdout);
    isDrawnOnce((await station.ask<TerminalLogDocument>('logs', 'worker')).text);
    const lines = (await station.run(['logs', 'worker', '--lines', '3'])).stdout;
    expect(lines.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
    expect((await station.run(['logs', 'worker', '--raw'])).stdout).toContain('\x1b[');

    const follow = start(['logs', 'worker', '--follow'], { home: station.home, env: station.env });
    let said = '';
    follow.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await waitUntil('what it had said', () => said.includes('● all done'));
    await station.ask('send', 'worker', '@@say one more');
    await waitUntil('what it says now', () => said.includes('one more'));
    expect(said).not.toContain('\x1b');
    follow.kill('SIGTERM');

    // It leaves the second screen when it ends.
    await station.run(['stop', 'worker']);
    expect((await station.run(['logs', 'worker'])).stdout).toContain('● one more');
    const log = join(station.home, 'logs', 'agents', `${id}.log`);
    writeFileSync(log, '');
    expect(await station.run(['logs', 'worker'])).toMatchObject({ code: 0, stdout: '' });
  });
});
