import { expect, test } from 'vitest';
import { readHint } from './subscription.ts';
import { isBefore } from './version.ts';
import { isGroupParent, readPanes, readWorkspaces, type Snapshot } from './wire.ts';

test.each([
  ['{"event":"pane_closed","data":{"type":"pane_closed","pane_id":"w1:p2","workspace_id":"w1"}}'],
  ['{"data":{"pane_id":"w1:p2","workspace_id":"w1"},"event":"pane.closed"}'],
  ['{"type":"pane_closed","pane_id":"w1:p2","workspace_id":"w1"}'],
  ['{"type":"pane.closed","data":{"pane_id":"w1:p2","workspace_id":"w1"}}'],
])('B6: dots and underscores, under event or type: %s', (line) => {
  expect(readHint(line)).toEqual({ event: 'pane_closed', panes: ['w1:p2'], workspace: 'w1' });
});

test('a move names both addresses, a record its own, and what is no event is nothing', () => {
  const moved = { previous_pane_id: 'w1:p1', pane: { pane_id: 'w2:p1', workspace_id: 'w2' } };
  expect(readHint(JSON.stringify({ event: 'pane_moved', data: moved }))).toEqual({
    event: 'pane_moved',
    panes: ['w1:p1', 'w2:p1'],
    workspace: 'w2',
  });
  const closed = { event: 'workspace_closed', data: { workspace: { workspace_id: 'w3' } } };
  expect(readHint(JSON.stringify(closed))).toMatchObject({ panes: [], workspace: 'w3' });
  for (const line of ['', '[]', '{', 'null', '{"data":{}}']) expect(readHint(line)).toBeUndefined();
});

test('a pane is read with what herdr thinks of it; done is idle, and a record without ids is none', () => {
  const pane = { terminal_id: 't1', pane_id: 'w1:p1', workspace_id: 'w1', tab_id: 'w1:t1' };
  const agent = { terminal_id: 't1', agent: 'kimi', agent_status: 'done', state_change_seq: 4 };
  const strong = { ...agent, screen_detection_skipped: true };
  const read = (agents: unknown) => readPanes([pane, { pane_id: 'w1:p9' }, null, 7], agents);
  expect(read([agent]).get('t1')).toMatchObject({
    agent: { label: 'kimi', status: 'idle', isOwnWord: false },
  });
  expect(read([strong]).get('t1')?.agent?.isOwnWord).toBe(true);
  expect(read('nonsense').get('t1')?.agent).toBeUndefined();
  expect([...read([]).keys()]).toEqual(['t1']);
  // Without a list of agents, as in 0.6.8, the pane itself says it.
  const told = { ...pane, agent: 'claude', agent_status: 'working' };
  expect(readPanes([told], undefined).get('t1')?.agent?.status).toBe('working');
});

test('a worktree group’s parent is known by its others', () => {
  const member = (id: string, repo: string, linked: boolean) => ({
    workspace_id: id,
    worktree: { repo_key: repo, is_linked_worktree: linked },
  });
  const of = (...workspaces: object[]): Snapshot => ({
    panes: new Map(),
    workspaces: readWorkspaces(workspaces),
  });
  const group = of(member('w1', 'r', false), member('w2', 'r', true), member('w3', 'q', false));
  expect(isGroupParent(group, 'w1')).toBe(true);
  expect(isGroupParent(group, 'w2')).toBe(false);
  expect(isGroupParent(group, 'w3')).toBe(false);
  expect(isGroupParent(of({ workspace_id: 'w1' }), 'w1')).toBe(false);
});

test.each([
  ['0.6.7', '0.6.8', true],
  ['0.6.8', '0.6.8', false],
  ['0.10.0', '0.7.0', false],
  ['v0.7.2-dev', '0.7.2', false],
  ['', '0.6.8', true],
  ['nightly', '0.6.8', true],
])('%s is before %s: %s', (version, other, expected) => {
  expect(isBefore(version, other)).toBe(expected);
});
