import { describe, expect, test } from 'vitest';
import type { AgentStatus } from '../../src/agents/agent.ts';
import type { DoctorReport } from '../../src/protocol/doctor.ts';
import { type Box, openBox, openLedger } from './fixtures/box.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

test('B2: ls shows backends only where there are several, in JSON always; doctor counts them', {
  tags: ['full'],
}, async () => {
  const box = await openBox('puller');
  await insert(box, 'first', 'tmux', 'exited');
  const one = (await box.run(['ls', '--wide'])).stdout;
  expect(one).not.toContain('BACKEND');
  await insert(box, 'second', 'herdr', 'exited');
  const { stdout } = await box.run(['ls', '--wide']);
  expect(stdout).toMatch(/OWES +BACKEND +ID\n/);
  expect(stdout).toMatch(/\nsecond .* herdr +agt_/);
  expect(stdout).toMatch(/\npuller .* - +agt_/);
  const { agents } = await box.ask<{ agents: { name: string; backend: string }[] }>('ls');
  expect(agents.map(({ name, backend }) => `${name} ${backend}`)).toEqual([
    'first tmux',
    'puller none',
    'second herdr',
    'user none',
  ]);
  // Those that have ended need no backend.
  expect((await box.ask<DoctorReport>('doctor')).terminals).toMatchObject({
    agents: {},
    others: [],
  });
  await insert(box, 'third', 'herdr', 'idle');
  const report = (await box.run(['doctor', '--json'])).json<DoctorReport>();
  const others = [expect.objectContaining({ backend: 'herdr' })];
  expect(report.terminals).toMatchObject({ backend: 'tmux', agents: { herdr: 1 }, others });
  expect((await box.run(['doctor', '--all'])).stdout).toContain('agents: 1 in herdr');
});

test('B1: a backend that there is not is refused with the choices, by launch as by up', async () => {
  const box = await openBox();
  for (const command of [['launch', 'generic'], ['up']]) {
    const ended = await box.run([...command, '--terminal', 'screen']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('Give one of tmux, herdr');
  }
});

test('the log of an agent whose backend tells no raw output is said to be missing, with the next step', async () => {
  const box = await openBox();
  await insert(box, 'second', 'herdr', 'exited');
  for (const follow of [[], ['--follow']]) {
    const ended = await box.run(['logs', 'second', '--json', ...follow]);
    expectFault(ended, 5, 'wrong-state', /signalbox output second/);
  }
});

describe.runIf(hasTmux)('the composed daemon', () => {
  test('B10, B16: agents of a backend that cannot be asked stay as they are, and others are launched, found again and reached', async () => {
    const station = await openStation();
    const { control } = await station.launch('worker', '--terminal', 'tmux');
    await station.run(['down']);
    await insert(station, 'hidden', 'elsewhere', 'idle');
    const ledger = await openLedger(station.home);
    await ledger.write((tx) =>
      tx.epochs.insert({
        ...{ agent: 'agt_hidden', epoch: 1, backend: 'elsewhere', provider: 'generic' },
        ...{ argv: [], extraArgs: [], tokenHash: 'hash', startedAt: 0 },
      }),
    );
    const read: Buffer[] = [];
    await control.watchInput((bytes) => read.push(bytes));
    const sent = await station.run(['send', 'worker', 'Build it', '--wait', 'injected', '--json']);
    expect(sent.json()).toMatchObject({ state: 'injected' });
    expect(Buffer.concat(read).toString()).toContain('Build it');
    const health = await station.run(['health']);
    expect(health.code).toBe(1);
    expect(health.stdout).toMatch(/backend +ready +tmux \S+ \(the default, 1 agent\)\n/);
    expect(health.stdout).toMatch(
      /backend +down +elsewhere \(not the default, 1 agent\) There is no/,
    );
    expect(await station.agent('hidden')).toMatchObject({ status: 'idle', backend: 'elsewhere' });
    expect(await ledger.read((tx) => tx.epochs.find('agt_hidden', 1))).not.toHaveProperty(
      'endedAt',
    );
  });
});

async function insert(box: Pick<Box, 'home'>, name: string, backend: string, status: AgentStatus) {
  const ledger = await openLedger(box.home);
  await ledger.write((tx) =>
    tx.agents.insert({
      ...{ id: `agt_${name}`, name, session: 'default', provider: 'generic', backend, epoch: 1 },
      ...{ status, source: 'process', since: 0, notify: true, cwd: '/', createdAt: 0 },
    }),
  );
}
