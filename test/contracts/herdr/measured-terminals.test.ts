import { expect } from 'vitest';
import { waitUntil } from '../../support/wait-until.ts';
import { measured } from './measured.ts';
import { openTerminal, sizeOf } from './terminal-session.ts';
import { type Json, text } from './world.ts';

measured(
  'D3: with no client attached nothing is resized, and a split leaves its pane’s program as it was',
  'no-resize',
  async (world) => {
    const { pane } = await world.workspace();
    expect(await sizeOf(world, pane)).toBe('23 53');
    const elsewhere = await world.workspace();
    const second = await world.split(pane);
    const sizes: string[] = [];
    for (const each of [pane, second, elsewhere.pane]) sizes.push(await sizeOf(world, each));
    expect(sizes).toEqual(['23 53', '23 54', '23 54']);
    const { layout } = await world.ask('pane.layout', { pane_id: pane });
    const heights = ((layout as Json)['panes'] as { rect: { height: number } }[]).map(
      ({ rect }) => rect.height,
    );
    expect(heights).toHaveLength(2);
    for (const height of heights) expect(height).toBeLessThan(23);
    // By now the layout is smaller, and that is what a new pane gets.
    const third = await world.split(second);
    expect(Number.parseInt(await sizeOf(world, third), 10)).toBeLessThan(23);
    expect(await sizeOf(world, second)).toBe('23 54');
  },
);

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
