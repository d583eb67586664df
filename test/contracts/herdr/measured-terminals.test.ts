import { expect } from 'vitest';
import { measured } from './measured.ts';
import { text } from './world.ts';

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
