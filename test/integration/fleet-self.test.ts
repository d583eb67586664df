import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { program } from '../support/cli.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

describe.runIf(hasTmux)('who is asking (O9, B2)', () => {
  test('inside an agent’s terminal, by its environment', async () => {
    const station = await openStation();
    const said = await askInside(station, 'exec', 'worker');
    expect(said.name).toBe('worker');
  });

  test('inside an agent’s terminal without that variable, by the terminal itself', async () => {
    const station = await openStation();
    const said = await askInside(
      station,
      'exec env -u SIGNALBOX_AGENT -u SIGNALBOX_TOKEN',
      'worker',
    );
    expect(said.name).toBe('worker');
  });

  test('in a pane that a person split off, the person is the user', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.run(['launch', 'generic', '--name', 'worker', '--', 'sleep', '600']);
    const { pane } = await station.pane('worker');
    const file = join(station.home, 'said');
    const ask = `SIGNALBOX_HOME=${station.home} ${process.execPath} ${program} status --json > ${file}.new; mv ${file}.new ${file}; sleep 600`;
    await station.tmux('split-window', '-t', pane, 'sh', '-c', ask);
    expect((await readSaid(file)).name).toBe('user');
  });
});

/** Runs `status self` as the program of an agent's terminal. */
async function askInside(station: Station, how: string, name: string): Promise<AgentView> {
  const file = join(station.home, 'said');
  const ask = `(${how} ${process.execPath} ${program} status self --json > ${file}.new); mv ${file}.new ${file}; sleep 600`;
  const ended = await station.run(['launch', 'generic', '--name', name, '--', 'sh', '-c', ask]);
  expect(ended.stderr).toBe('');
  return readSaid(file);
}

async function readSaid(file: string): Promise<AgentView> {
  for (let left = 2400; ; left--) {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as AgentView;
    } catch (error) {
      if (left === 0) throw error;
      await systemClock.sleep(50);
    }
  }
}
