import { expect } from 'vitest';
import type { Terminal } from '../../../src/terminals/terminal.ts';
import type { HerdrWorld } from '../../support/herdr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { chaos, isRunning, paneRecord, panes, reader, shell, withHerdr } from './trouble.ts';

/** Everything that can be done with a terminal reaches this one, whatever herdr calls it by now. */
async function expectReached(world: HerdrWorld, terminal: Terminal, shown: string): Promise<void> {
  const { backend } = world;
  expect(await backend.look(terminal)).toMatchObject({ isAlive: true });
  expect((await world.untilScreen(terminal, shown)).join('\n')).toContain(shown);
  expect(await backend.readText(terminal, 1000)).toMatchObject({
    text: expect.stringContaining(shown),
  });
  expect(await world.sight(terminal)).toMatchObject({ terminal, isAlive: true });
  // herdr 0.6.8 is told nothing: its addresses change hands.
  if (backend.capabilities.typing === 'no') return;
  backend.report?.(terminal, 'processing');
  await waitUntil('herdr shows it', async () => {
    return (await paneRecord(world, terminal))['agent_status'] === 'working';
  });
}

withHerdr('B3, B8: a terminal is found by its identity', ({ check, onlyFake }, version) => {
  const isOld = version === '0.6.8';

  if (!isOld) {
    check('wherever a person has moved it, under its new address', async (world) => {
      const terminal = await world.launchUntil('mine', shell('echo mine; exec cat'));
      const bystander = await world.launchUntil('other', shell('echo other; exec cat'));
      const before = await world.paneOf(terminal);
      await world.ask('pane.move', {
        pane_id: before,
        destination: { type: 'new_workspace', label: 'elsewhere' },
      });
      expect(await world.paneOf(terminal)).not.toBe(before);
      await expectReached(world, terminal, 'mine');
      expect(await world.backend.write(terminal, Buffer.from('typed\r'))).toBe('written');
      await world.untilScreen(terminal, 'typed');
      await world.backend.closeTerminal(terminal);
      expect((await panes(world)).map(({ terminal_id }) => terminal_id)).toEqual([bystander.pane]);
      expect(isRunning(bystander)).toBe(true);
    });

    check('beside a person’s own pane, which stays when ours is closed', async (world) => {
      const terminal = await world.launchUntil('ready', reader);
      const { workspace_id } = await paneRecord(world, terminal);
      const made = await world.ask('workspace.create', { cwd: world.folder, label: 'theirs' });
      const { tab_id } = made['tab'] as { tab_id: string };
      const theirs = (made['root_pane'] as { terminal_id: string }).terminal_id;
      await world.ask('pane.move', {
        pane_id: await world.paneOf(terminal),
        destination: { type: 'tab', tab_id, split: 'right' },
      });
      expect((await paneRecord(world, terminal))['workspace_id']).not.toBe(workspace_id);
      await world.backend.closeTerminal(terminal);
      expect((await panes(world)).map(({ terminal_id }) => terminal_id)).toEqual([theirs]);
    });
  }

  check(
    'whatever a person calls its workspace, its tab and its pane',
    { tags: ['full'] },
    async (world) => {
      const terminal = await world.launchUntil('mine', shell('echo mine; exec cat'));
      const { workspace_id, tab_id, pane_id } = await paneRecord(world, terminal);
      await world.ask('workspace.rename', { workspace_id, label: 'ours' });
      await world.ask('tab.rename', { tab_id, label: 'agt_2#1' });
      await world.ask('pane.rename', { pane_id, label: 'agt_2#1' });
      await expectReached(world, terminal, 'mine');
      const next = await world.launchUntil('next', shell('echo next; exec cat'));
      expect(next.agent).toBe('agt_2');
      await expectReached(world, terminal, 'mine');
      await expectReached(world, next, 'next');
      await world.backend.closeTerminal(next);
      await expectReached(world, terminal, 'mine');
    },
  );

  check('and no other pane is ours because it carries our label', async (world) => {
    const terminal = await world.launchUntil('mine', shell('echo mine; exec cat'));
    const { label } = await paneRecord(world, terminal);
    const made = await world.ask('workspace.create', { cwd: world.folder, label: 'theirs' });
    const theirs = made['root_pane'] as { pane_id: string; terminal_id: string };
    await world.ask('pane.rename', { pane_id: theirs.pane_id, label: String(label ?? 'agt_1#1') });
    expect((await world.backend.list()).map((sight) => sight.terminal)).toEqual([terminal]);
    await world.backend.closeTerminal(terminal);
    await waitUntil('ours is gone', async () => (await panes(world)).length === 1);
    expect(await panes(world)).toMatchObject([{ terminal_id: theirs.terminal_id }]);
    expect(await world.backend.list()).toEqual([]);
    expect(await world.backend.look(terminal)).toBe('gone');
  });

  if (isOld) {
    check('when a pane beside it closes and all numbers change', async (world) => {
      const terminal = await world.launchUntil('mine', shell('echo mine; exec cat'));
      const { workspace_id } = await paneRecord(world, terminal);
      const argv = shell('echo theirs; exec cat');
      await world.ask('agent.start', { name: 'theirs', argv, workspace_id });
      await chaos(world, { do: 'renumber' });
      const mine = await world.paneOf(terminal);
      await expectReached(world, terminal, 'mine');
      const theirs = (await panes(world)).find(({ terminal_id }) => terminal_id !== terminal.pane);
      expect(theirs?.['pane_id']).not.toBe(mine);
      await world.ask('pane.close', { pane_id: String(theirs?.['pane_id']) });
      await expectReached(world, terminal, 'mine');
      await world.backend.closeTerminal(terminal);
      await waitUntil('it is closed', async () => (await panes(world)).length === 0);
    });

    onlyFake(
      'while numbers change behind every look, nothing of another is shown',
      async (world) => {
        const terminal = await world.launchUntil('mine', shell('echo mine; exec cat'));
        const { workspace_id } = await paneRecord(world, terminal);
        const argv = shell('echo theirs; exec cat');
        await world.ask('agent.start', { name: 'theirs', argv, workspace_id });
        for (let i = 0; i < 30; i++) {
          const [look] = await Promise.all([
            world.backend.look(terminal),
            chaos(world, { do: 'renumber' }),
          ]);
          if (look !== 'gone') expect(look.lines.join('\n')).not.toContain('theirs');
          const [text] = await Promise.all([
            world.backend.readText(terminal, 1000),
            chaos(world, { do: 'renumber' }),
          ]);
          if (text !== 'gone') expect(text.text).not.toContain('theirs');
          expect(await world.sight(terminal)).toMatchObject({ isAlive: true });
        }
        await expectReached(world, terminal, 'mine');
      },
    );
  }
});
