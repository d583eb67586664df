import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import type { SendResult } from '../../src/protocol/messages.ts';
import type { HandoffDocument } from '../../src/protocol/printed.ts';
import type { TaskView } from '../../src/protocol/tasks.ts';
import { start, waitForEnd } from '../support/cli.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

const warning = {
  what: 'Claude Code 2.1.400 has not been tried with signalbox; 2.1.325 has.',
  next: 'Watch its first messages with `signalbox explain`, or install 2.1.325.',
};
const line = `signalbox: ${warning.what} ${warning.next}\n`;

/** A Claude Code that only starts: all of this is known from its version. */
function install(station: Station, version: string): { readonly PATH: string } {
  const folder = join(station.home, 'clis');
  mkdirSync(folder, { recursive: true });
  const text = `#!/bin/sh\nif [ "$1" = --version ]; then echo '${version} (Claude Code)'; exit; fi\nexec sleep 600\n`;
  writeFileSync(join(folder, 'claude'), text, { mode: 0o755 });
  return { PATH: `${folder}:${station.env['PATH'] ?? process.env['PATH']}` };
}

describe.skipIf(!hasTmux)('E11: a version of a CLI that the lab has not tried', () => {
  test('is named by launch, by status, by doctor, and by send with the first message of each life', async () => {
    const station = await openStation();
    const env = install(station, '2.1.400');
    const launch = (...args: readonly string[]) =>
      station.run(['launch', 'claude', '--no-wait', '--cwd', station.home, ...args], { env });
    const ada = await launch('--name', 'ada');
    expect([ada.code, ada.stderr]).toEqual([0, line]);
    const bob = await launch('--name', 'bob', '--json');
    expect([bob.stderr, bob.json<AgentView>().versionWarning]).toEqual(['', warning]);

    const first = await station.run(['send', 'ada', 'one']);
    expect([first.code, first.stderr]).toEqual([0, line]);
    const next = await station.run(['send', 'ada', 'two']);
    expect([next.code, next.stderr]).toEqual([0, '']);
    const asJson = async (text: string) =>
      (await station.run(['send', 'bob', text, '--json'])).json<SendResult>();
    expect((await asJson('one')).versionWarning).toEqual(warning);
    expect(await asJson('two')).not.toHaveProperty('versionWarning');

    const told = async (): Promise<void> => {
      const status = await station.run(['status', 'ada']);
      expect(status.stdout).toContain(`  warning       ${warning.what} ${warning.next}\n`);
      const shown = await station.run(['status', 'ada', '--json']);
      expect(shown.json<AgentView>().versionWarning).toEqual(warning);
    };
    await told();
    const doctor = await station.run(['doctor', '--json'], { env });
    expect(doctor.json<DoctorReport>().providers['claude-code']?.warning).toEqual(warning);

    // The next life is news again, also without a daemon. It is never ready, so nobody waits.
    const restart = start(['restart', 'ada', '--fresh', '--yes'], {
      home: station.home,
      env: { ...station.env, ...env },
    });
    await station.until('ada', ({ epoch }) => epoch === 2, 'its next life');
    restart.kill('SIGINT');
    await waitForEnd(restart);
    await station.run(['down']);
    const later = await station.run(['send', 'ada', 'three', '--json']);
    expect(later.json<SendResult>().versionWarning).toEqual(warning);
    await told();
  });

  test('is named by assign and handoff with the first task of each life, also to an agent launched for it', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const env = install(station, '2.1.400');
    const give = (...args: readonly string[]) =>
      station.run([...args, '--cwd', station.home], { env });
    const assigned = await give('assign', 'claude', 'one', '--name', 'ada', '--no-wait');
    expect([assigned.code, assigned.stderr]).toEqual([0, line]);
    expect((await station.run(['assign', 'ada', 'two'])).stderr).toBe('');
    const asJson = await give('assign', 'claude', 'one', '--name', 'bob', '--no-wait', '--json');
    expect([asJson.stderr, asJson.json<TaskView>().versionWarning]).toEqual(['', warning]);
    expect((await station.run(['send', 'bob', 'two'])).stderr).toBe('');

    // The answer never comes: the CLI only starts.
    await station.run(['launch', 'claude', '--name', 'eve', '--no-wait'], { env });
    const waits = ['--timeout', '1s'] as const;
    const handed = await station.run(['handoff', 'eve', 'one', ...waits]);
    expect([handed.code, handed.stderr]).toEqual([4, expect.stringContaining(line)]);
    const again = await station.run(['handoff', 'eve', 'two', ...waits]);
    expect(again.stderr).not.toContain('has not been tried');
    await station.run(['launch', 'claude', '--name', 'kim', '--no-wait'], { env });
    const document = await station.run(['handoff', 'kim', 'one', '--json', ...waits]);
    expect(document.json<HandoffDocument>().versionWarning).toEqual(warning);
  });

  test('is not named where it has ended, nor the version that was tested, nor a program of no known kind', async () => {
    const station = await openStation();
    const env = install(station, '2.1.325');
    const launch = (...args: readonly string[]) =>
      station.run(['launch', ...args, '--no-wait', '--cwd', station.home], { env });
    expect((await launch('claude', '--name', 'ada')).stderr).toBe('');
    const sent = await station.run(['send', 'ada', 'one', '--json']);
    expect(sent.json()).not.toHaveProperty('versionWarning');
    const other = await station.run(
      ['launch', 'generic', '--name', 'bob', '--json', '--no-wait', '--', 'sleep', '600'],
      { env },
    );
    expect(other.json()).not.toHaveProperty('versionWarning');
    install(station, '2.1.400');
    expect((await launch('claude', '--name', 'eve')).stderr).toBe(line);
    await station.run(['stop', 'eve']);
    const ended = await station.run(['status', 'eve', '--json']);
    expect(ended.json<AgentView>()).toMatchObject({ providerVersion: '2.1.400' });
    expect(ended.json()).not.toHaveProperty('versionWarning');
  });
});
