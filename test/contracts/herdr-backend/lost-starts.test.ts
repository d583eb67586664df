import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '../../../src/shared/clock.ts';
import { installHost } from '../../../src/terminals/herdr/host-script.ts';
import type { Terminal } from '../../../src/terminals/terminal.ts';
import type { HerdrWorld } from '../../support/herdr.ts';
import type { HerdrVersion } from '../../support/install-herdr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  bothVersions,
  type Checks,
  chaos,
  count,
  isRunning,
  openNext,
  panes,
  reader,
  shell,
  withHerdr,
} from './trouble.ts';

/** The pids that the program has left in its folder: one for each time that it was started. */
const counted = 'echo $$ >> pids; echo ready; exec cat';

async function untilNothingIsLeft(world: HerdrWorld): Promise<void> {
  // What could not be closed at once is closed with a later look, as the daemon takes one every few
  // seconds.
  await waitUntil('nothing is left behind', async () => {
    await world.backend.list().catch(() => undefined);
    return (await panes(world)).length === 0;
  });
  expect(await world.backend.list()).toEqual([]);
}

withHerdr('B3, B4: a start whose answer was lost', define, bothVersions);

function define({ check, onlyFake }: Checks, version: HerdrVersion): void {
  const isOld = version === '0.6.8';
  const method = isOld ? 'agent.start' : 'layout.apply';

  for (const at of [0, 1, 40]) {
    onlyFake(`after ${at} bytes of it leaves nothing behind`, async (world) => {
      await chaos(world, { do: 'drop', method, at, times: 1 });
      await expect(world.launch(shell(counted))).rejects.toMatchObject({ code: 'backend-lost' });
      await untilNothingIsLeft(world);
      const again = await world.launchUntil('ready', shell(counted));
      expect(await world.backend.list()).toMatchObject([{ terminal: again, isAlive: true }]);
      expect(await panes(world)).toHaveLength(1);
    });
  }

  for (const lost of ['workspace.create', 'pane.get', 'pane.list', 'workspace.report_metadata']) {
    onlyFake(`of ${lost} leaves nothing behind, or is no loss`, async (world) => {
      await chaos(world, { do: 'drop', method: lost, at: 10, times: 1 });
      const terminal = await world.launch(shell(counted)).catch(() => undefined);
      await chaos(world, { do: 'calm' });
      if (terminal) await world.backend.closeTerminal(terminal);
      await untilNothingIsLeft(world);
    });
  }

  onlyFake('while herdr can no longer be asked is found later, once', async (world) => {
    await chaos(world, { do: 'drop', method, at: 0 });
    for (const asked of ['session.snapshot', 'pane.list', 'pane.get', 'pane.process_info'])
      await chaos(world, { do: 'drop', method: asked, at: 0 });
    const wanted = world.wanted(shell(counted));
    await expect(world.backend.launch(wanted)).rejects.toMatchObject({ code: 'backend-lost' });
    await chaos(world, { do: 'calm' });
    const [found] = await waitUntil('it is settled', async () => {
      // 0.6.8 cannot tell which process is in a pane: there whoever knows the life has it closed.
      if (isOld) await world.backend.closeTerminal(lifeOf(wanted)).catch(() => undefined);
      const list = await world.backend.list().catch(() => undefined);
      return list && (list.length > 0 || (await panes(world)).length === 0) ? list : undefined;
    });
    if (found) expect(found.terminal).toMatchObject({ agent: wanted.agent, epoch: 1 });
    if (found) await world.backend.closeTerminal(found.terminal);
    await untilNothingIsLeft(world);
  });

  onlyFake(
    'and whose daemon died before anything was in it is closed by the next',
    async (world) => {
      const held = isOld ? 'workspace.rename' : 'workspace.report_metadata';
      await chaos(world, { do: 'hang', method: held });
      const launched = world.launch(shell(counted)).catch((error: unknown) => error);
      await waitUntil('its workspace', async () => (await panes(world)).length === 1);
      await waitUntil('it is held there', async () => (await count(world)).requests[held]);
      await world.backend.close();
      expect(await launched).toMatchObject({ code: 'backend-lost' });
      expect(await panes(world)).toHaveLength(1);
      await chaos(world, { do: 'calm' });
      const next = await openNext(world);
      expect(await next.list()).toEqual([]);
      await waitUntil('it is closed', async () => (await panes(world)).length === 0);
    },
  );

  if (isOld) return;

  check('by the death of the daemon is adopted by the next one', async (world) => {
    // As the first one would have left it: noted as begun, started, and not noted as found.
    const { folder, host } = begin(world, 'agt_lost');
    await startPane(world, 'agt_lost#1', ['/bin/sh', host, folder, '0022', 'sh', '-c', counted]);
    const next = await openNext(world);
    const [sight] = await waitUntil('it is adopted', async () => {
      const list = await next.list();
      return list.length > 0 ? list : undefined;
    });
    expect(sight).toMatchObject({ terminal: { agent: 'agt_lost', epoch: 1 }, isAlive: true });
    expect(sight && isRunning(sight.terminal)).toBe(true);
    expect(await next.list()).toHaveLength(1);
    if (sight) await world.untilScreen(sight.terminal, 'ready', next);
    if (sight) await next.closeTerminal(sight.terminal);
    expect(await panes(world)).toEqual([]);
    expect(await next.list()).toEqual([]);
  });

  check('is not taken for dead while its program has not begun', async (world) => {
    const { folder } = begin(world, 'agt_slow');
    const slow = `echo $$ > '${folder}/host'; read x; echo $$ > '${folder}/pid'; exec cat`;
    const pane = await startPane(world, 'agt_slow#1', shell(slow));
    await waitUntil('its host', () => readIfThere(join(folder, 'host')).endsWith('\n'));
    const next = await openNext(world);
    for (let i = 0; i < 3; i++) expect(await next.list()).toEqual([]);
    await world.ask('pane.send_text', { pane_id: pane, text: '\r' });
    const [sight] = await waitUntil('it is adopted', async () => {
      const list = await next.list();
      return list.length > 0 ? list : undefined;
    });
    expect(sight).toMatchObject({ terminal: { agent: 'agt_slow' }, isAlive: true });
  });

  check('is not taken for dead where only its terminal was noted', async (world) => {
    const { folder } = begin(world, 'agt_slow');
    const slow = `echo $$ > '${folder}/host'; read x; echo $$ > '${folder}/pid'; exec cat`;
    const pane = await startPane(world, 'agt_slow#1', shell(slow));
    await waitUntil('its host', () => readIfThere(join(folder, 'host')).endsWith('\n'));
    const note = JSON.parse(readIfThere(join(folder, 'note.json')));
    const [record] = await panes(world);
    const known = { ...note, terminal: record?.['terminal_id'] };
    writeFileSync(join(folder, 'note.json'), JSON.stringify(known));
    const next = await openNext(world);
    expect(await next.list()).toMatchObject([{ isAlive: true }]);
    await world.ask('pane.send_text', { pane_id: pane, text: '\r' });
    await waitUntil('its program', () => readIfThere(join(folder, 'pid')).endsWith('\n'));
    const [sight] = await next.list();
    expect(sight).toMatchObject({ isAlive: true });
    expect(sight && isRunning(sight.terminal)).toBe(true);
  });

  check('is not found in a pane that has its label and another process', async (world) => {
    const { folder } = begin(world, 'agt_lost');
    await startPane(world, 'agt_lost#1', reader);
    writeFileSync(join(folder, 'host'), `${process.pid}\n`);
    writeFileSync(join(folder, 'pid'), `${process.pid}\n`);
    const next = await openNext(world);
    expect(await next.list()).toEqual([]);
    expect(await panes(world)).toHaveLength(1);
  });
}

function lifeOf({ agent, epoch }: { agent: string; epoch: number }): Terminal {
  return { agent, epoch, server: '', pane: '', pid: 0, startedAt: '' };
}

/** What a daemon has written down before it asks herdr for a terminal. */
function begin(world: HerdrWorld, agent: string) {
  const parent = join(world.folder, 'state', 'herdr', 'ldg_test');
  const folder = join(parent, 'terminals', `${agent}-1`);
  mkdirSync(folder, { recursive: true });
  const server = world.socket;
  const note = { agent, epoch: 1, helper: '', server, startedAt: '', notedAt: systemClock.now() };
  writeFileSync(join(folder, 'note.json'), JSON.stringify(note));
  writeFileSync(join(folder, 'env'), `PATH\n${process.env['PATH']}\n`);
  writeFileSync(join(folder, 'keep'), 'PATH\n');
  return { folder, host: installHost(parent) };
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

async function startPane(world: HerdrWorld, label: string, command: readonly string[]) {
  const { tab } = await world.ask('workspace.create', { cwd: world.folder });
  const root = { type: 'pane', label, cwd: world.folder, command };
  const { tab_id } = tab as { tab_id: string };
  const { layout } = await world.ask('layout.apply', { tab_id, root });
  return (layout as { root: { pane_id: string } }).root.pane_id;
}
