import { expect } from 'vitest';
import { waitUntil } from '../../support/wait-until.ts';
import { measured } from './measured.ts';
import { openTerminal, sizeOf } from './terminal-session.ts';
import { text } from './world.ts';

measured(
  'D4: the size that a controller set stays when it has released the terminal, and when it is gone',
  'kept-size',
  async (world) => {
    const { pane } = await world.workspace();
    const control = openTerminal(world, 'control', pane, '--cols', '120', '--rows', '40');
    await waitUntil('a first frame', () => control.frames.length > 0);
    expect(await sizeOf(world, pane)).toBe('40 120');
    control.say({ type: 'terminal.release' });
    await waitUntil('the end of its control', control.isOver);
    expect(await sizeOf(world, pane)).toBe('40 120');
    const next = openTerminal(world, 'control', pane, '--cols', '100', '--rows', '30');
    await waitUntil('a first frame', () => next.frames.length > 0);
    await next.kill();
    // Whoever comes next is let in once the server has noticed that nobody holds it any more.
    await waitUntil('another can have it', async () => {
      const last = openTerminal(world, 'control', pane, '--cols', '100', '--rows', '30');
      await waitUntil('an answer', () => last.frames.length > 0);
      const isFree = last.frames[0]?.['type'] === 'terminal.frame';
      await last.kill();
      return isFree;
    });
    expect(await sizeOf(world, pane)).toBe('30 100');
  },
);

measured(
  'D9: in one life a closed workspace’s number is not given again, behind a restart it is',
  'numbers-go-on',
  async (world) => {
    await world.workspace();
    const closed = await world.workspace();
    await world.ask('workspace.close', { workspace_id: closed.workspace });
    const next = await world.workspace();
    expect([closed.workspace, next.workspace]).toEqual(['w2', 'w3']);
    await world.ask('workspace.close', { workspace_id: next.workspace });
    await world.ask('server.stop');
    await world.herdr.restart();
    const { workspace } = await world.ask('workspace.create', { cwd: world.herdr.folder });
    expect(text(workspace, 'workspace_id')).toBe(closed.workspace);
  },
);
