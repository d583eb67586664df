import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { waitForEnd } from '../support/cli.ts';
import { openDaemonBox } from '../support/daemon.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { FailedStart } from './fixtures/failing-start.ts';

/** In the order in which a start reads them, each with what was opened since the one before. */
const settings = [
  'block-budget', // The ledger and the bus.
  'herdr-session', // Delivery.
  'depth-limit', // The backends.
  'body-limit', // The fleet, and the connection to tmux by its start.
  'retention', // The tools.
];

test('a start that fails closes what it has opened, whichever step fails', async () => {
  const box = openDaemonBox();
  const program = ['--cwd', box.home, '--', 'sh', '-c', 'echo READY; exec cat'];
  const launched = await box.run(['launch', 'generic', '--name', 'worker', ...program]);
  expect([launched.code, launched.stderr]).toEqual([0, '']);
  await box.ask('down');
  await waitUntil('the end of the daemon’s client', () => listClients(box.home).length === 0);

  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'test/integration/fixtures/failing-start.ts', ...settings],
    { env: { ...process.env, SIGNALBOX_HOME: box.home }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = await waitForEnd(child);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const failed = ended.json<FailedStart[]>();
  expect(failed.map(({ error }) => error)).toEqual(
    settings.map((name) => `Error: ${name} cannot be read`),
  );
  expect(failed.filter(({ before }) => !before.includes('ledger.db'))).toEqual([]);
  expect(failed.flatMap(({ after }) => after)).toEqual([]);
  expect(listClients(box.home)).toEqual([]);
  // The agent knows nothing of it. A look starts no daemon after `down`.
  await box.ask('up');
  expect((await box.ask<{ text: string }>('output', 'worker')).text).toContain('READY');
});

/** Control clients of this state folder's tmux server. */
function listClients(home: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const isClient = words.includes('-C') && words.some((word) => word.includes(home));
      return isClient ? [words.join(' ')] : [];
    } catch {
      // It is no process, it ended while we looked, or is somebody else's.
      return [];
    }
  });
}
