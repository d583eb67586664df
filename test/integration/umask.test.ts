import { existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import { program } from '../support/cli.ts';
import { type DaemonBox, openDaemonBox } from '../support/daemon.ts';
import { tempHome } from '../support/home.ts';
import { openRepository } from '../support/repository.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux } from './fixtures/station.ts';

const under = (umask: string) => ({
  wrapper: ['/bin/sh', '-c', `umask ${umask} && exec "$@"`, 'sh'],
});

/** A program that makes a file for each of its lives. */
const maker = {
  command: [
    ...['sh', '-c'],
    'printf "$GREETING" > "$SIGNALBOX_AGENT-$SIGNALBOX_EPOCH"; printf ": "; exec cat',
  ],
  rows: 3,
  idle: ['^:'],
};

test.skipIf(!hasTmux)(
  'rule 40: an agent gets the umask of its launcher; a restart and a child get the agent’s, whoever asks',
  async () => {
    const { box, folder } = await openWorld('0077');
    const lead = await launch(box, 'lead', folder, under('0002'));
    expect(await modeOf(folder, lead, 1)).toBe('664');

    // Another person's shell, another daemon, and the daemon's own umask: the agent's is what it
    // was.
    await box.kill(box.info().pid);
    const again = await box.run(['restart', 'lead', '--json'], under('0027'));
    expect([again.code, again.stderr]).toEqual([0, '']);
    expect(await modeOf(folder, lead, 2)).toBe('664');

    // A shell tool of the agent may have set any umask; its child gets the agent's own.
    const child = await launch(box, 'child', folder, under('0000'), lead);
    expect(await modeOf(folder, child, 1)).toBe('664');
    await box.run(['restart', 'child'], { ...under('0000'), env: { SIGNALBOX_AGENT: lead } });
    expect(await modeOf(folder, child, 2)).toBe('664');
  },
);

test.skipIf(!hasTmux)(
  'without one, as an older client asks, an agent gets the strictest; one that is none starts nothing',
  { tags: ['full'] },
  async () => {
    const { box, folder } = await openWorld('0000');
    const ask = (name: string, umask?: unknown) =>
      box.http({
        path: '/agents',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ provider: 'maker', name, notify: true, cwd: folder, extraArgs: [] },
          ...{ env: { PATH: process.env['PATH'] }, extraEnv: {} },
          ...(umask === undefined ? {} : { umask }),
        }),
      });
    const older = await ask('older');
    expect(older.status).toBe(201);
    expect(await modeOf(folder, older.json().id, 1)).toBe('600');
    for (const umask of ['', '22', '1022', 'u=rwx', '0022; touch pwned', 18, null]) {
      const refused = await ask('none', umask);
      expect([refused.status, refused.json().error.code]).toEqual([400, 'invalid-input']);
    }
    expect((await box.ask<{ agents: AgentView[] }>('ls')).agents).toHaveLength(2);
    expectFault(await box.run(['status', 'none', '--json']), 3, 'agent-not-found');
  },
);

test.skipIf(!hasTmux)(
  'an agent from before umasks were kept goes on with what its process has',
  { tags: ['full'] },
  async () => {
    const { box, folder } = await openWorld('0077');
    const old = await launch(box, 'old', folder, under('0007'));
    await modeOf(folder, old, 1);
    await box.ask('down');
    const { default: Sqlite } = await import('better-sqlite3');
    const ledger = new Sqlite(join(box.home, 'ledger.db'));
    ledger.exec('update epochs set umask = null');
    ledger.close();
    await box.run(['restart', 'old'], under('0000'));
    expect(await modeOf(folder, old, 2)).toBe('660');
  },
);

test.skipIf(!hasTmux)(
  'a worktree is checked out under the umask of its agent',
  { tags: ['full'] },
  async () => {
    const { box, folder } = await openWorld('0077');
    const repository = openRepository(join(folder, 'repository'));
    repository.write('a.txt', 'a');
    repository.commit('first');
    const options = ['--cwd', repository.path, '--worktree'];
    const ended = await box.run(
      ['launch', 'maker', '--name', 'w', ...options, '--json'],
      under('0002'),
    );
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const { cwd } = ended.json<AgentView>();
    expect(statSync(join(cwd, 'a.txt')).mode & 0o777).toBe(0o664);
  },
);

test('run-task runs its command under the umask of whoever runs it', {
  tags: ['full'],
}, async () => {
  const { box, folder } = await openWorld('0077');
  const file = join(folder, 'made');
  const made = await box.run(['run-task', '--', 'sh', '-c', ': > "$0"', file], under('0013'));
  expect(made.code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o664);
});

test.skipIf(!hasTmux)(
  'rule 40: agents that the user’s script launches under run-task get the user’s umask and environment',
  { tags: ['full'] },
  async () => {
    const { box, folder } = await openWorld('0077');
    const words = ['launch', 'maker', '--name', 'nightly', '--json'];
    const ended = await box.run(['run-task', '--', process.execPath, program, ...words], {
      wrapper: ['/bin/sh', '-c', `umask 0002 && cd ${folder} && exec "$@"`, 'sh'],
      env: { GREETING: 'from the user' },
    });
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('environment')]);
    const { agents } = await box.ask<{ agents: AgentView[] }>('ls');
    const { id = '' } = agents.find(({ name }) => name === 'nightly') ?? {};
    expect(await modeOf(folder, id, 1)).toBe('664');
    expect(readFileSync(join(folder, `${id}-1`), 'utf8')).toBe('from the user');
  },
);

test.skipIf(!hasTmux)(
  'whatever umask the daemon was started with, nobody else gets at what it keeps',
  async () => {
    const { box, folder } = await openWorld('0000');
    const id = await launch(box, 'agent', folder, under('0000'));
    await modeOf(folder, id, 1);
    await box.ask('send', 'agent', 'hello');
    await box.ask('stop', 'agent');
    expect(statSync(box.home).mode & 0o077).toBe(0);
    const open = listFiles(box.home).filter((path) => (lstatSync(path).mode & 0o022) !== 0);
    // Sockets in a folder that only we may enter.
    expect(open.filter((path) => !lstatSync(path).isSocket())).toEqual([]);
  },
);

async function openWorld(umask: string): Promise<{ box: DaemonBox; folder: string }> {
  const box = openDaemonBox();
  const folder = tempHome('signalbox-umask-');
  writeFileSync(join(box.home, 'config.yaml'), JSON.stringify({ providers: { maker } }));
  const up = await box.run(['up', '--json'], under(umask));
  expect([up.code, up.stderr]).toEqual([0, '']);
  return { box, folder };
}

async function launch(
  box: DaemonBox,
  name: string,
  cwd: string,
  how: ReturnType<typeof under>,
  as?: string,
): Promise<string> {
  const words = ['launch', 'maker', '--name', name, '--cwd', cwd, '--json'];
  const env = as === undefined ? {} : { env: { SIGNALBOX_AGENT: as } };
  const ended = await box.run(words, { ...how, ...env });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  return ended.json<AgentView>().id;
}

async function modeOf(folder: string, agent: string, epoch: number): Promise<string> {
  const path = join(folder, `${agent}-${epoch}`);
  await waitUntil('what it makes', () => existsSync(path));
  return (statSync(path).mode & 0o777).toString(8);
}

function listFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => join(entry.parentPath, entry.name));
}
