import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TerminalLogDocument } from '../../src/protocol/printed.ts';
import { start } from '../support/cli.ts';
import { tempHome } from '../support/home.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasCommand } from './fixtures/has-command.ts';
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

    // Just rotated: the last lines are in the file before.
    writeFileSync(`${log}.1`, 'before\r\n');
    writeFileSync(log, 'after\r\n');
    expect((await station.run(['logs', 'worker'])).stdout).toBe('before\nafter\n');
    expect((await station.run(['logs', 'worker', '--raw'])).stdout).toBe('before\r\nafter\r\n');
    writeFileSync(
      log,
      Buffer.concat([Buffer.alloc(12 * 4_200_000, 'a long log\r\n'), Buffer.from('end')]),
    );
    const end = await station.run(['logs', 'worker', '--lines', '2']);
    expect(end).toMatchObject({ code: 0, stdout: 'a long log\nend\n', stderr: '' });
    writeFileSync(log, '\x1b[?1049h\x1b[Hpage\x1b[2;1H\x1b]0;half of a ti');
    expect((await station.run(['logs', 'worker'])).stdout).toBe('before\npage\n');
  });

  // Programs of every day: their sequences are not of our making.
  test.skipIf(!hasCommand('less'))(
    'of a pager shows the page that stands there, and once it has left the second screen its last one',
    async () => {
      const { station, press, logs } = await openProgram(['less', 'rows']);
      await waitUntil('its first page', async () => (await logs()).includes('row 39\n'));
      await press('Space');
      await waitUntil('its second page', async () => (await logs()).includes('row 78\n'));
      expect(await logs()).not.toContain('row 12\n');
      await press('q');
      await station.untilStatus('full', 'exited');
      const last = await logs();
      expect(last).toContain('row 78\n');
      expect(last).not.toContain('row 12\n');
      expect(last).not.toMatch(/[^\n\P{Cc}]/u);
    },
  );

  test.skipIf(!hasCommand('vim'))('of an editor shows what was written last', async () => {
    const { station, press, logs } = await openProgram(['vim', '-u', 'NONE', '-n', 'rows']);
    await waitUntil('its first screen', async () => (await logs()).includes('row 39\n'));
    await press('O', ...'written', 'Escape');
    await waitUntil('the new line', async () => (await logs()).includes('written'));
    await press(...':q!', 'Enter');
    await station.untilStatus('full', 'exited');
    expect(await logs()).toMatch(/^written\nrow 1\n/m);
  });
});

/** A full-screen program in an agent's terminal, and a person at its keys. */
async function openProgram(command: readonly string[]) {
  const station = await openStation();
  const cwd = tempHome();
  const rows = Array.from({ length: 200 }, (_, at) => `row ${at + 1}\n`);
  writeFileSync(join(cwd, 'rows'), rows.join(''));
  const launch = ['launch', 'generic', '--name', 'full', '--cwd', cwd, '--no-wait'];
  expect((await station.run([...launch, '--', ...command])).code).toBe(0);
  const { pane } = await station.pane('full');
  return {
    station,
    press: async (...keys: readonly string[]) => {
      await station.tmux('send-keys', '-t', pane, ...keys);
    },
    logs: async () => (await station.run(['logs', 'full'])).stdout,
  };
}
