import { expect, test } from 'vitest';
import { type Json, onlyFake, openHerdr, text } from './world.ts';

test('row 6: ids of panes stay when others close, and are not given again', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const second = await world.split(pane);
  const third = await world.split(pane);
  await world.ask('pane.close', { pane_id: second });
  expect(await world.paneIds()).toEqual(expect.arrayContaining([pane, third]));
  const fourth = await world.split(pane);
  expect([pane, second, third, fourth]).toEqual(['w1:p1', 'w1:p2', 'w1:p3', 'w1:p4']);
});

test('row 7: after a restart a closed workspace lends its id to a new one; panes and tabs do not', async () => {
  const world = await openHerdr();
  const first = await world.workspace({ label: 'kept' });
  const second = await world.split(first.pane);
  await world.ask('pane.close', { pane_id: second });
  const { tab } = await world.ask('tab.create', { workspace_id: first.workspace });
  await world.ask('tab.close', { tab_id: text(tab, 'tab_id') });
  const closed = await world.workspace();
  await world.ask('workspace.close', { workspace_id: closed.workspace });
  await world.ask('server.stop');
  await world.herdr.restart();
  expect((await world.workspace()).workspace).toBe(closed.workspace);
  // w1:p2 was closed, w1:p3 was the closed tab's.
  expect(await world.split(first.pane)).toBe('w1:p4');
  const { tab: later } = await world.ask('tab.create', { workspace_id: first.workspace });
  expect(text(later, 'tab_id')).toBe('w1:t3');
});

test('row 7: a restart keeps ids, labels and splits, with fresh shells in new terminals', async () => {
  const world = await openHerdr();
  const first = await world.workspace({ label: 'kept' });
  const second = await world.split(first.pane);
  await world.ask('pane.rename', { pane_id: second, label: 'named' });
  await world.ask('pane.send_text', { pane_id: first.pane, text: 'echo before\r' });
  await world.untilShown(first.pane, 'before');
  await world.ask('server.stop');
  await world.herdr.restart();
  expect(await world.paneIds()).toEqual([first.pane, second]);
  const { workspaces } = await world.ask('workspace.list');
  expect(workspaces).toMatchObject([{ workspace_id: first.workspace, label: 'kept' }]);
  const { pane } = await world.ask('pane.get', { pane_id: second });
  expect(pane).toMatchObject({ label: 'named' });
  const { pane: root } = await world.ask('pane.get', { pane_id: first.pane });
  expect(text(root, 'terminal_id')).not.toBe(first.terminal);
  expect(await world.screen(first.pane, 'recent')).not.toContain('before');
  await world.ask('pane.send_text', { pane_id: first.pane, text: 'echo al""ive\r' });
  await world.untilShown(first.pane, 'alive');
});

test('N7: numbers are base 32 in an alphabet without I, L, O and U', async () => {
  const world = await openHerdr();
  const { workspace } = await world.workspace();
  const ids: string[] = [];
  for (let i = 2; i <= 11; i++) {
    const { tab, root_pane } = await world.ask('tab.create', { workspace_id: workspace });
    ids.push(`${text(tab, 'tab_id')} ${text(root_pane, 'pane_id')}`);
    expect(text(root_pane, 'terminal_id')).toMatch(/^term_[0-9a-f]+$/);
  }
  expect(ids.slice(-3)).toEqual(['w1:t9 w1:p9', 'w1:tA w1:pA', 'w1:tB w1:pB']);
});

test('N8: legacy and positional ids resolve, and answers carry the real ones', async () => {
  const world = await openHerdr();
  const { workspace, pane } = await world.workspace();
  await world.split(pane);
  const { tab } = await world.ask('tab.create', { workspace_id: workspace });
  const answers = [
    await world.ask('workspace.get', { workspace_id: '1' }),
    await world.ask('tab.get', { tab_id: 'w1:2' }),
    await world.ask('pane.get', { pane_id: 'w1-2' }),
  ];
  expect(answers).toMatchObject([
    { workspace: { workspace_id: 'w1' } },
    { tab: { tab_id: text(tab, 'tab_id') } },
    { pane: { pane_id: 'w1:p2' } },
  ]);
});

test('the first workspace is focused whether that was wanted or not, later ones only when it was', async () => {
  const world = await openHerdr();
  const first = await world.workspace({ focus: false });
  await world.workspace({ focus: false });
  expect(await focusedPane(world.ask('session.snapshot'))).toBe(first.pane);
  const third = await world.workspace({ focus: true });
  expect(await focusedPane(world.ask('session.snapshot'))).toBe(third.pane);
});

test('a snapshot holds everything at once', async () => {
  const world = await openHerdr();
  const { workspace, tab, pane, terminal } = await world.workspace({ label: 'one' });
  const { snapshot } = await world.ask('session.snapshot');
  expect(snapshot).toMatchObject({
    focused_workspace_id: workspace,
    workspaces: [{ workspace_id: workspace, label: 'one', number: 1, pane_count: 1 }],
    tabs: [{ tab_id: tab, workspace_id: workspace, number: 1 }],
    panes: [{ pane_id: pane, terminal_id: terminal, tab_id: tab, agent_status: 'unknown' }],
    layouts: [{ tab_id: tab, focused_pane_id: pane, splits: [] }],
    agents: [],
  });
});

test('what is not there is named in the refusal', async () => {
  const world = await openHerdr();
  expect(await world.refusal('tab.create')).toBe('workspace_not_found');
  expect(await world.refusal('workspace.get', { workspace_id: 'w9' })).toBe('workspace_not_found');
  expect(await world.refusal('tab.get', { tab_id: 'w9:t1' })).toBe('tab_not_found');
  expect(await world.refusal('pane.get', { pane_id: 'w9:p9' })).toBe('pane_not_found');
  expect(await world.refusal('agent.get', { target: 'nobody' })).toBe('agent_not_found');
});

onlyFake('without aliases and reuse, ids mean one thing for ever', async () => {
  const world = await openHerdr({ without: ['aliases', 'id-reuse', 'slow-first-line'] });
  await world.workspace();
  const closed = await world.workspace();
  await world.ask('workspace.close', { workspace_id: closed.workspace });
  expect(await world.refusal('workspace.get', { workspace_id: '1' })).toBe('workspace_not_found');
  await world.ask('server.stop');
  await world.herdr.restart();
  expect((await world.workspace()).workspace).toBe('w3');
});

async function focusedPane(asked: Promise<Json>): Promise<string> {
  return text((await asked)['snapshot'], 'focused_pane_id');
}
