import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { helperMark } from '../../src/fleet/end-leftovers.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { lifeOnly } from '../../src/terminals/backend.ts';
import type { FakeBackend } from '../fakes/backend.ts';
import { openWorld, pidOf, status, until } from './fleet-world.ts';

/** A process that carries the marks of that life; of a helper, or of something that the agent itself has started. */
function startBeside(agent: string, epoch: number, more: Record<string, string>): number {
  const marks = { SIGNALBOX_AGENT: agent, SIGNALBOX_EPOCH: String(epoch) };
  const env = { PATH: process.env['PATH'] ?? '', ...marks, ...more };
  const child = spawn('sleep', ['600'], { env, stdio: 'ignore', detached: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}

const isAlive = (pid: number): boolean => readStartTime(pid) !== undefined;

/** Its terminal is gone with its process, as when a person closes it. */
function close(backend: FakeBackend, agent: string): void {
  process.kill(pidOf(backend, agent), 'SIGKILL');
  for (const [pane, { terminal }] of backend.sights)
    if (terminal.agent === agent) backend.sights.delete(pane);
}

for (const [how, end] of [
  ['whose terminal is closed', close],
  ['that ends by itself', (backend: FakeBackend, agent: string) => backend.die(agent, 0)],
] as const) {
  test(`an agent ${how} takes its helpers along, whatever is noted of them, and nothing else`, async () => {
    const { fleet, backend, ledger, launch } = await openWorld();
    const { id, epoch } = await launch('worker');
    const helper = startBeside(id, epoch, helperMark);
    const others = [startBeside(id, epoch, {}), startBeside(id, epoch + 1, helperMark)];
    end(backend, id);
    fleet.onChanged(backend.name);
    await until(async () => (await status(ledger, id)) === 'exited');
    await until(async () => !isAlive(helper));
    expect(others.filter(isAlive)).toEqual(others);
  });
}

test('helpers of a life that has ended are closed as soon as they are seen', async () => {
  const { fleet, backend, launch } = await openWorld();
  const { id, epoch } = await launch('worker');
  await fleet.stop(id);
  const helper = startBeside(id, epoch, helperMark);
  const terminal = { ...lifeOnly({ agent: id, epoch }), server: 's' };
  const sight = { terminal, isAlive: false, isHomeless: false, title: '', isHelpersOnly: true };
  backend.sights.set('', sight);
  const before = backend.closed.length;
  fleet.onChanged(backend.name);
  await until(async () => backend.closed.length > before && !isAlive(helper));
});

test('helpers alone are no life: an agent of which nothing else is seen has exited', async () => {
  const { fleet, backend, ledger, launch } = await openWorld();
  const { id, epoch } = await launch('worker');
  close(backend, id);
  const terminal = lifeOnly({ agent: id, epoch });
  const sight = { terminal, isAlive: false, isHomeless: false, title: '', isHelpersOnly: true };
  backend.sights.set('', sight);
  fleet.onChanged(backend.name);
  await until(async () => (await status(ledger, id)) === 'exited');
  const life = await ledger.read((tx) => tx.epochs.find(id, epoch));
  expect(life).toMatchObject({ endCause: 'terminal-gone' });
});
