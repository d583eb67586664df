import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { helperMark } from '../../src/fleet/end-leftovers.ts';
import { readStartTime } from '../../src/shared/processes.ts';
import { lifeOnly, type WantedTerminal } from '../../src/terminals/terminal.ts';
import type { FakeBackend } from '../fakes/backend.ts';
import { openWorld, pidOf, status, until } from './fleet-world.ts';

/**
 * A process that carries the marks of that life; of a helper, or of something that the agent itself
 * has started.
 */
function startBeside(
  agent: string,
  epoch: number,
  more: Record<string, string>,
  [program = '', ...args]: readonly string[] = ['sleep', '600'],
): number {
  const marks = { SIGNALBOX_AGENT: agent, SIGNALBOX_EPOCH: String(epoch) };
  const env = { PATH: process.env['PATH'] ?? '', ...marks, ...more };
  const child = spawn(program, args, { env, stdio: 'ignore', detached: true });
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

test('a terminal that cannot be closed at once costs nothing that the agent left running', async () => {
  const { fleet, backend, ledger, launch } = await openWorld();
  const { id, epoch } = await launch('worker');
  const [helper, left] = [startBeside(id, epoch, helperMark), startBeside(id, epoch, {})];
  const close = backend.closeTerminal.bind(backend);
  let fails = 1;
  backend.closeTerminal = async (terminal) => {
    if (fails-- > 0) throw new Error('herdr is away');
    return close(terminal);
  };
  backend.die(id, 0);
  fleet.onChanged(backend.name);
  await until(async () => (await status(ledger, id)) === 'exited');
  await until(async () => !isAlive(helper));
  await until(async () => {
    fleet.onChanged(backend.name);
    return backend.closed.length > 0;
  });
  expect(isAlive(left)).toBe(true);
});

test('what a helper has started is found while the helper is there, whatever its environment', async () => {
  const { fleet, backend, launch } = await openWorld();
  const { id, epoch } = await launch('worker');
  const file = join(mkdtempSync(join(tmpdir(), 'sbx-helper-')), 'pid');
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const inner = `env -i /usr/bin/setsid /bin/sh -c 'echo $$ > ${file}; exec sleep 600'`;
  const helper = startBeside(id, epoch, helperMark, ['sh', '-c', `${inner} & exec sleep 600`]);
  const read = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  await until(async () => read() > 0);
  const child = read();
  const real = backend.closeTerminal.bind(backend);
  // As backends do: with its terminal a helper is hung up.
  backend.closeTerminal = async (terminal) => {
    if (isAlive(helper)) process.kill(helper, 'SIGHUP');
    return real(terminal);
  };
  close(backend, id);
  fleet.onChanged(backend.name);
  await until(async () => !isAlive(helper) && !isAlive(child));
});

test('a helper that cannot be ended is told of', { tags: ['full'] }, async () => {
  const { fleet, backend, ledger, launch, warnings } = await openWorld();
  const { id, epoch } = await launch('worker');
  const helper = startBeside(id, epoch, helperMark);
  const kill = process.kill.bind(process);
  const spy = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (pid === helper && signal !== 0) throw Object.assign(new Error('no'), { code: 'EPERM' });
    return kill(pid, signal);
  });
  onTestFinished(() => spy.mockRestore());
  close(backend, id);
  fleet.onChanged(backend.name);
  await until(async () => (await status(ledger, id)) === 'exited');
  expect(warnings.join()).toContain(`cannot be ended: {"agent":"${id}","pids":[${helper}]}`);
});

test('a launched helper carries its mark, and its agent does not', async () => {
  const { backend, launch } = await openWorld();
  const seen: WantedTerminal[] = [];
  const real = backend.launch.bind(backend);
  backend.launch = (wanted) => {
    seen.push(wanted);
    return real(wanted);
  };
  const folder = mkdtempSync(join(tmpdir(), 'sbx-codex-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'package.json'), '{"name":"@openai/codex","version":"0.166.0"}');
  const script = '#!/bin/sh\nexec sleep 600\n';
  writeFileSync(join(folder, 'bin', 'codex'), script, { mode: 0o755 });
  const callerEnv = { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
  await launch('worker', { provider: 'codex', extraArgs: [], callerEnv });
  const [wanted] = seen;
  expect(wanted?.helpers).toMatchObject([{ name: 'app-server', env: { SIGNALBOX_HELPER: '1' } }]);
  expect(wanted?.helpers[0]?.env).toMatchObject({ SIGNALBOX_AGENT: wanted?.agent });
  expect(wanted?.env).not.toHaveProperty('SIGNALBOX_HELPER');
});

test('helpers of a life that has ended are closed as soon as they are seen', async () => {
  const { fleet, backend, launch } = await openWorld();
  const { id, epoch } = await launch('worker');
  await fleet.stop(id, 'person');
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
