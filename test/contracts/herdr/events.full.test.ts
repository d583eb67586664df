import { expect, test } from 'vitest';
import { encode, type Json, onlyFake, openHerdr, type Talk, text, type World } from './world.ts';

test('row 4: a fresh subscription replays what happened before it, also about panes long gone', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const gone = await world.split(pane);
  await world.ask('pane.close', { pane_id: gone });
  const talk = await world.subscribe('pane.closed');
  await talk.untilEvent('pane_closed', { pane_id: gone });
});

test('row 4: what is replayed are the last 512 events of all kinds', async () => {
  const world = await openHerdr();
  const { tab } = await world.workspace();
  for (let i = 0; i < 11; i++) {
    const rename = () => world.ask('tab.rename', { tab_id: tab, label: `name ${i}` });
    await Promise.all(Array.from({ length: 50 }, rename));
  }
  const talk = await world.subscribe('workspace.created', 'tab.renamed');
  await talk.line(2);
  expect(talk.events.map(({ event }) => event)).not.toContain('workspace_created');
});

test('row 5: one event per entry and tick, in the order of the list: kinds overtake each other', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const second = await world.split(pane);
  await world.ask('pane.close', { pane_id: second });
  const talk = await world.subscribe('pane.closed', 'pane.created');
  await talk.line(3);
  const told = talk.events.map(({ event, data }) => [event, paneOf(data)]);
  expect(told).toEqual([
    ['pane_closed', second],
    ['pane_created', pane],
    ['pane_created', second],
  ]);
});

test('within a tick the order of the list wins over the order of what happened', async () => {
  const world = await openHerdr();
  await world.workspace();
  const { pane, workspace } = await world.workspace();
  const talk = await world.subscribe('workspace.closed', 'pane.closed');
  await world.ask('pane.close', { pane_id: pane });
  await talk.line(2);
  expect(talk.events).toMatchObject([
    { event: 'workspace_closed', data: { workspace_id: workspace } },
    { event: 'pane_closed', data: { pane_id: pane } },
  ]);
});

test('row 8: a program that ends says pane_exited, and takes tab and workspace along in silence', async () => {
  const world = await openHerdr();
  await world.workspace();
  const { pane, workspace } = await world.workspace();
  const talk = await world.subscribe('pane.exited', ...closings);
  await world.ask('pane.send_text', { pane_id: pane, text: 'exit\r' });
  await talk.untilEvent('pane_exited', { pane_id: pane, workspace_id: workspace });
  expect(await world.refusal('workspace.get', { workspace_id: workspace })).toBe(
    'workspace_not_found',
  );
  expect(await closingsUntilMark(world, talk)).toEqual([]);
});

test('row 9: closing a tab or a workspace says nothing about what was in it', async () => {
  const world = await openHerdr();
  const first = await world.workspace();
  const { tab } = await world.ask('tab.create', { workspace_id: first.workspace });
  const other = await world.workspace();
  const talk = await world.subscribe(...closings);
  await world.ask('tab.close', { tab_id: text(tab, 'tab_id') });
  await world.ask('workspace.close', { workspace_id: other.workspace });
  expect(await closingsUntilMark(world, talk)).toEqual([
    `tab_closed ${text(tab, 'tab_id')}`,
    `workspace_closed ${other.workspace}`,
  ]);
});

test("row 9: closing a tab's last pane says pane_closed, and not tab_closed", async () => {
  const world = await openHerdr();
  const { workspace } = await world.workspace();
  const { root_pane, tab } = await world.ask('tab.create', { workspace_id: workspace });
  const talk = await world.subscribe(...closings);
  const pane = text(root_pane, 'pane_id');
  await world.ask('pane.close', { pane_id: pane });
  expect(await world.refusal('tab.get', { tab_id: text(tab, 'tab_id') })).toBe('tab_not_found');
  expect(await closingsUntilMark(world, talk)).toEqual([`pane_closed ${pane}`]);
});

test('row 12: the status of an unknown pane fails the whole subscription, under an id of its own', async () => {
  const world = await openHerdr();
  const subscriptions = [
    { type: 'pane.created' },
    { type: 'pane.agent_status_changed', pane_id: 'w9:p9' },
  ];
  const talk = world.talk(
    encode({ id: 'X', method: 'events.subscribe', params: { subscriptions } }),
  );
  expect(await talk.line(0)).toMatchObject({
    id: 'X:sub:1:probe',
    error: { code: 'pane_not_found' },
  });
  expect(await talk.untilEnded()).toBe('end');
});

test('row 13: the status of a pane that dies falls silent, and the connection stays', async () => {
  const world = await openHerdr();
  const { pane, tab } = await world.workspace();
  const dying = await world.split(pane);
  const status = { type: 'pane.agent_status_changed', pane_id: dying };
  const talk = await world.subscribe(status, 'pane.closed', 'tab.renamed');
  await report(world, dying, 'working');
  await talk.untilEvent('pane.agent_status_changed', { agent_status: 'working' });
  await world.ask('pane.close', { pane_id: dying });
  await talk.untilEvent('pane_closed', { pane_id: dying });
  const count = talk.events.filter(({ event }) => event === 'pane.agent_status_changed').length;
  await world.ask('tab.rename', { tab_id: tab, label: 'later' });
  await talk.untilEvent('tab_renamed', { label: 'later' });
  expect(talk.ended).toBeUndefined();
  expect(talk.events.filter(({ event }) => event === 'pane.agent_status_changed')).toHaveLength(
    count,
  );
});

test('row 14: events of all panes have underscores and a type, those of one pane dots and none', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const status = { type: 'pane.agent_status_changed', pane_id: pane };
  const match = { type: 'substring', value: 'seen' };
  const output = { type: 'pane.output_matched', pane_id: pane, source: 'visible', match };
  const talk = await world.subscribe('pane.agent_detected', status, output);
  await report(world, pane, 'working');
  await world.ask('pane.send_text', { pane_id: pane, text: 'echo se""en\r' });
  const detected = await talk.untilEvent('pane_agent_detected');
  expect(detected).toMatchObject({ type: 'pane_agent_detected', pane_id: pane, agent: 'my-agent' });
  const changed = await talk.untilEvent('pane.agent_status_changed');
  expect(changed).toMatchObject({ pane_id: pane, agent_status: 'working', agent: 'my-agent' });
  const matched = await talk.untilEvent('pane.output_matched');
  expect(matched).toMatchObject({ pane_id: pane, matched_line: 'seen', read: { pane_id: pane } });
  for (const data of [changed, matched]) expect(data).not.toHaveProperty('type');
});

test('row 15: there is no status of all panes at once, and pane.updated does not tell of it', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const subscriptions = [{ type: 'pane.agent_status_changed' }];
  const talk = world.talk(
    encode({ id: 'X', method: 'events.subscribe', params: { subscriptions } }),
  );
  expect(await talk.line(0)).toMatchObject({ id: '', error: { code: 'invalid_request' } });
  const updates = await world.subscribe('pane.updated', 'tab.renamed');
  await report(world, pane, 'working');
  const { tab_id } = (await world.ask('pane.get', { pane_id: pane }))['pane'] as Json;
  await world.ask('tab.rename', { tab_id, label: 'mark' });
  await updates.untilEvent('tab_renamed');
  expect(updates.events.map(({ event }) => event)).not.toContain('pane_updated');
});

test('row 16: a layout is told of a tab that is closed already', async () => {
  const world = await openHerdr();
  const { workspace } = await world.workspace();
  const { tab } = await world.ask('tab.create', { workspace_id: workspace });
  const tabId = text(tab, 'tab_id');
  await world.ask('tab.close', { tab_id: tabId });
  const talk = await world.subscribe('tab.closed', 'layout.updated');
  await talk.untilEvent('tab_closed', { tab_id: tabId });
  const layouts = () => talk.events.filter(({ event }) => event === 'layout_updated');
  await expect
    .poll(() => layouts().map(({ data }) => text(data['layout'], 'tab_id')), { timeout: 60_000 })
    .toContain(tabId);
  expect(talk.events[0]?.event).toBe('tab_closed');
});

test('row 24: the keys of an event stand in another order than those of an answer', async () => {
  const world = await openHerdr();
  await world.workspace();
  const talk = await world.subscribe('workspace.created');
  await talk.line(1);
  expect(talk.raw[1]).toMatch(/^\{"data":/);
});

test('creating a workspace tells of it, its tab, its pane, its layout and the focus', async () => {
  const world = await openHerdr();
  const kinds = ['workspace.created', 'tab.created', 'pane.created', 'layout.updated'];
  const focus = ['workspace.focused', 'tab.focused', 'pane.focused'];
  const talk = await world.subscribe(...kinds, ...focus);
  const { pane, workspace } = await world.workspace({ focus: false });
  await talk.untilEvent('pane_focused', { pane_id: pane, workspace_id: workspace });
  const wanted = [...kinds, ...focus].map((kind) => kind.replace('.', '_'));
  const told = () => [...new Set(talk.events.map(({ event }) => event))].sort();
  await expect.poll(told, { timeout: 60_000 }).toEqual(wanted.sort());
});

test('a status that is there already is told at once to whoever asks for it', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  await report(world, pane, 'blocked');
  const status = { type: 'pane.agent_status_changed', pane_id: pane, agent_status: 'blocked' };
  const talk = await world.subscribe(status);
  await talk.untilEvent('pane.agent_status_changed', { agent_status: 'blocked' });
});

test('a pane that moves to a workspace of its own gets a new id, and is neither closed nor created', async () => {
  const world = await openHerdr();
  const { pane, workspace } = await world.workspace();
  const second = await world.split(pane);
  const before = (await world.ask('pane.get', { pane_id: second }))['pane'] as Json;
  const talk = await world.subscribe('pane.moved', ...closings);
  const destination = { type: 'new_workspace' };
  await world.ask('pane.move', { pane_id: second, destination });
  const moved = await talk.untilEvent('pane_moved', { previous_pane_id: second });
  const now = moved['pane'] as Json;
  expect(now['workspace_id']).not.toBe(workspace);
  expect(now['terminal_id']).toBe(before['terminal_id']);
  const old = (await world.ask('pane.get', { pane_id: second }))['pane'] as Json;
  expect(old['pane_id']).toBe(now['pane_id']);
  expect(await closingsUntilMark(world, talk)).toEqual([]);
});

onlyFake('without replay and throttle, events come once and in their order', async () => {
  const world = await openHerdr({
    without: ['replay', 'throttle', 'two-namings', 'slow-first-line'],
  });
  const { pane } = await world.workspace();
  const status = { type: 'pane.agent_status_changed', pane_id: pane };
  const talk = await world.subscribe('pane.closed', 'pane.created', status);
  const second = await world.split(pane);
  await world.ask('pane.close', { pane_id: second });
  await report(world, pane, 'working');
  await talk.untilEvent('pane_agent_status_changed');
  expect(talk.events.map(({ event }) => event)).toEqual([
    'pane_created',
    'pane_closed',
    'pane_agent_status_changed',
  ]);
});

const closings = ['pane.closed', 'tab.closed', 'workspace.closed'];

/**
 * What was closed so far: kinds do not keep their order among each other, so the mark is one of
 * each kind.
 */
async function closingsUntilMark(world: World, talk: Talk): Promise<readonly string[]> {
  const { pane, tab, workspace } = await world.workspace();
  const extra = await world.split(pane);
  const { tab: second } = await world.ask('tab.create', { workspace_id: workspace });
  await world.ask('pane.close', { pane_id: extra });
  await world.ask('tab.close', { tab_id: text(second, 'tab_id') });
  await world.ask('workspace.close', { workspace_id: workspace });
  await talk.untilEvent('pane_closed', { pane_id: extra });
  await talk.untilEvent('tab_closed', { tab_id: text(second, 'tab_id') });
  await talk.untilEvent('workspace_closed', { workspace_id: workspace });
  const marks = [extra, text(second, 'tab_id'), workspace, tab];
  return talk.events
    .filter(({ event }) => event.endsWith('_closed'))
    .map(
      ({ event, data }) => `${event} ${data['pane_id'] ?? data['tab_id'] ?? data['workspace_id']}`,
    )
    .filter((line) => !marks.some((mark) => line.endsWith(` ${mark}`)));
}

function paneOf(data: Json): unknown {
  return data['pane_id'] ?? text(data['pane'], 'pane_id');
}

function report(world: World, pane: string, state: string): Promise<Json> {
  const params = { pane_id: pane, source: 'custom:test', agent: 'my-agent', state };
  return world.ask('pane.report_agent', params);
}
