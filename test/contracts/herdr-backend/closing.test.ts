import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readStartTime } from '../../../src/shared/processes.ts';
import type { HerdrWorld } from '../../support/herdr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  chaos,
  isRunning,
  type Json,
  paneRecord,
  panes,
  reader,
  shell,
  withHerdr,
  workspaces,
} from './trouble.ts';

/** A helper that says by a file that it runs. */
function helper(world: HerdrWorld, name = 'server') {
  const readyPath = join(world.folder, `${name}.ready`);
  return { name, argv: shell(`echo $$ > '${readyPath}'; exec sleep 3600`), readyPath };
}

function pidIn(path: string): number {
  return Number(readFileSync(path, 'utf8'));
}

async function shellOf(world: HerdrWorld, { pane_id }: Json): Promise<number> {
  const { process_info } = await world.ask('pane.process_info', { pane_id });
  return Number((process_info as Json)['shell_pid']);
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

withHerdr('closing', ({ check, onlyFake }, version) => {
  const isOld = version === '0.6.8';

  check('takes the agent and its helpers, and nothing of a person beside them', async (world) => {
    const help = helper(world);
    const terminal = await world.launchUntil('ready', reader, { helpers: [help] });
    const pid = pidIn(help.readyPath);
    const { workspace_id, pane_id } = await paneRecord(world, terminal);
    const theirs = isOld
      ? await world.ask('agent.start', { name: 'theirs', argv: reader, workspace_id })
      : await world.ask('pane.split', { target_pane_id: pane_id, direction: 'down' });
    const { terminal_id } = (theirs['agent'] ?? theirs['pane']) as { terminal_id: string };
    await world.backend.closeTerminal(terminal);
    await waitUntil('only theirs', async () => (await panes(world)).length === 1);
    expect(await panes(world)).toMatchObject([{ terminal_id, workspace_id }]);
    await waitUntil('both have ended', () => !isRunning(terminal) && !readStartTime(pid));
    expect(await world.backend.list()).toEqual([]);
  });

  if (!isOld) {
    check(
      'a helper that is called like an agent stands in no list of agents (H11)',
      async (world) => {
        const clis = join(world.folder, 'clis');
        mkdirSync(clis);
        for (const name of ['claude', 'codex']) {
          const script = `#!/bin/sh\necho ready > '${clis}/${name}.ready'\necho ready; read -r x\nsleep 3600\n`;
          writeFileSync(join(clis, name), script, { mode: 0o755 });
        }
        const [claude, codex] = [join(clis, 'claude'), join(clis, 'codex')];
        const server = { name: 'app-server', argv: [codex], readyPath: `${codex}.ready` };
        const terminal = await world.launchUntil('ready', [claude], { helpers: [server] });
        const { terminal_id } = await waitUntil('the agent is listed', async () => {
          const agents = (await world.ask('agent.list'))['agents'] as Json[];
          return agents.find(({ agent }) => agent === 'claude');
        });
        expect(terminal_id).toBe(terminal.pane);
        expect((await world.ask('agent.list'))['agents']).toHaveLength(1);
        expect(await panes(world)).toHaveLength(2);
      },
    );

    check('a helper ends with its host, whatever ends that', async (world) => {
      for (const signal of ['SIGHUP', 'SIGTERM', 'SIGKILL'] as const) {
        const help = helper(world, signal);
        const terminal = await world.launchUntil('ready', reader, { helpers: [help] });
        const pid = pidIn(help.readyPath);
        const hosts = await Promise.all((await panes(world)).map((pane) => shellOf(world, pane)));
        for (const host of hosts) if (host !== parentOf(terminal.pid)) process.kill(host, signal);
        if (signal === 'SIGKILL') {
          // Nobody can help that: the fleet ends what is left, by the marks that it carries.
          await waitUntil('its pane is gone', async () => (await panes(world)).length === 1);
          if (readStartTime(pid) !== undefined) process.kill(pid, 'SIGKILL');
        }
        await waitUntil('the end of the helper', () => readStartTime(pid) === undefined);
        await world.backend.closeTerminal(terminal);
        await waitUntil('nothing is left', async () => (await panes(world)).length === 0);
      }
    });
  }

  check('what a person has closed takes its helpers when it is closed by us', async (world) => {
    const help = helper(world);
    const terminal = await world.launchUntil('ready', reader, { helpers: [help] });
    const pid = pidIn(help.readyPath);
    await world.closeByHand(terminal);
    await waitUntil('only the helper is told', async () => {
      const [sight] = await world.backend.list();
      return sight?.isHelpersOnly;
    });
    await world.backend.closeTerminal(terminal);
    await waitUntil('nothing is left', async () => (await panes(world)).length === 0);
    expect(readStartTime(pid)).toBeUndefined();
  });

  onlyFake('again after a lost answer is enough', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    await chaos(world, { do: 'drop', at: 0, method: isOld ? 'pane.list' : 'pane.close', times: 1 });
    await world.backend.closeTerminal(terminal).catch(() => undefined);
    await world.backend.closeTerminal(terminal);
    await waitUntil('nothing is left', async () => (await panes(world)).length === 0);
    expect(isRunning(terminal)).toBe(false);
    expect(await world.backend.list()).toEqual([]);
  });

  if (isOld) return;

  check('never closes a worktree group, and ends the program all the same', async (world) => {
    const repository = makeRepository(world);
    const terminal = await world.launchUntil('ready', reader, {
      cwd: repository,
      helpers: [helper(world)],
    });
    const pid = pidIn(join(world.folder, 'server.ready'));
    const path = join(world.folder, 'linked');
    await world.ask('worktree.create', { cwd: repository, branch: 'one', path });
    expect(await workspaces(world)).toHaveLength(2);
    await world.backend.closeTerminal(terminal);
    await waitUntil('both have ended', () => !isRunning(terminal) && !readStartTime(pid));
    const left = await workspaces(world);
    expect(left.map(({ worktree }) => worktree)).toContainEqual(
      expect.objectContaining({ is_linked_worktree: true }),
    );
    expect(await world.backend.list()).toEqual([]);
  });

  onlyFake(
    'what herdr wants confirmed is left to its person, without its program',
    async (world) => {
      const terminal = await world.launchUntil('ready', reader);
      const error = { code: 'confirmation_required', message: 'closing this would close more' };
      const text = JSON.stringify({ id: 'x', error });
      await world.ask('workspace.create', { cwd: world.folder });
      // Between our look and the close its workspace has become the parent of a group.
      await chaos(world, { do: 'garbage', method: 'pane.get', text, times: 1 });
      await world.backend.closeTerminal(terminal);
      await waitUntil('it has ended', () => !isRunning(terminal));
      await waitUntil('its pane goes by itself', async () => (await panes(world)).length === 1);
      expect(await world.backend.list()).toEqual([]);
    },
  );
});

function makeRepository(world: HerdrWorld): string {
  const path = join(world.folder, 'repo');
  mkdirSync(path);
  const who = ['-c', 'user.name=n', '-c', 'user.email=e@x'];
  const git = (...words: string[]) => execFileSync('git', ['-C', path, ...words]);
  git('init', '-q', '-b', 'main');
  git(...who, 'commit', '-q', '--allow-empty', '-m', 'first');
  return path;
}
