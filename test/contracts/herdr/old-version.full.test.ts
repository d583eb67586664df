import { expect } from 'vitest';
import { type Json, onlyFake, openHerdr, text } from './world.ts';

/** N9: what differs in herdr 0.6.8. A real one of that age is not expected to be at hand. */
const old = { version: '0.6.8' } as const;

onlyFake('N9: it says protocol 12, and knows nothing of what came later', async () => {
  const world = await openHerdr(old);
  expect(await world.ask('ping')).toMatchObject({ version: '0.6.8', protocol: 12 });
  const { pane } = await world.workspace();
  const later: [string, Json][] = [
    ['session.snapshot', {}],
    ['pane.current', {}],
    ['pane.process_info', {}],
    ['workspace.report_metadata', { workspace_id: 'x', source: 's', tokens: { a: 'b' } }],
    ['layout.apply', { root: { type: 'pane' } }],
    ['agent.prompt', { target: pane, text: 'x' }],
    ['agent.wait', { target: pane }],
    ['agent.send_keys', { target: pane, keys: [] }],
    ['notification.show', { title: 'x' }],
    ['pane.split', { direction: 'down' }],
    ['events.subscribe', { subscriptions: [{ type: 'pane.updated' }] }],
    ['events.subscribe', { subscriptions: [{ type: 'pane.moved' }] }],
    ['events.subscribe', { subscriptions: [{ type: 'layout.updated' }] }],
  ];
  for (const [method, params] of later) {
    const answer = await world.request(method, params);
    expect(answer, method).toMatchObject({ id: '', error: { code: 'invalid_request' } });
  }
});

onlyFake(
  'N9: when a pane closes, every higher number goes down and the last is given again',
  async () => {
    const world = await openHerdr(old);
    const { pane, workspace } = await world.workspace();
    expect(workspace).toMatch(/^w[0-9a-f]+$/);
    const second = await world.split(pane);
    const third = await world.split(second);
    expect([pane, second, third]).toEqual([1, 2, 3].map((n) => `${workspace}-${n}`));
    const { pane: before } = await world.ask('pane.get', { pane_id: third });
    await world.ask('pane.close', { pane_id: second });
    const { pane: after } = await world.ask('pane.get', { pane_id: second });
    expect(text(after, 'terminal_id')).toBe(text(before, 'terminal_id'));
    expect(await world.split(pane)).toBe(third);
  },
);

onlyFake('N9: the same when a program ends by itself', async () => {
  const world = await openHerdr(old);
  const { pane, workspace } = await world.workspace();
  const second = await world.split(pane);
  const { pane: before } = await world.ask('pane.get', { pane_id: second });
  const talk = await world.subscribe('pane.exited');
  await world.ask('pane.send_text', { pane_id: pane, text: 'exit\r' });
  await talk.untilEvent('pane_exited', { pane_id: pane, workspace_id: workspace });
  const { pane: after } = await world.ask('pane.get', { pane_id: pane });
  expect(text(after, 'terminal_id')).toBe(text(before, 'terminal_id'));
});

onlyFake('N9: a tab is named by its place, and the last one cannot be closed', async () => {
  const world = await openHerdr(old);
  const { tab, workspace } = await world.workspace();
  expect(tab).toBe(`${workspace}:1`);
  await world.ask('tab.create', { workspace_id: workspace, label: 'second' });
  await world.ask('tab.close', { tab_id: tab });
  const { tab: left } = await world.ask('tab.get', { tab_id: tab });
  expect(left).toMatchObject({ tab_id: tab, number: 1, label: 'second' });
  expect(await world.refusal('tab.close', { tab_id: tab })).toBe('tab_close_failed');
});

onlyFake('N9: an agent is started by its command, and sent text', async () => {
  const world = await openHerdr(old);
  await world.workspace();
  const argv = ['sh', '-c', 'echo up; while read -r line; do echo "got $line"; done'];
  const talk = await world.subscribe('pane.created');
  await talk.untilEvent('pane_created');
  const { agent } = await world.ask('agent.start', { name: ' The worker! ', argv });
  expect(agent).toMatchObject({ name: 'The worker!', agent_status: 'unknown' });
  expect(agent).not.toHaveProperty('agent');
  const pane = text(agent, 'pane_id');
  await world.untilShown(pane, 'up');
  const { pane: info } = await world.ask('pane.get', { pane_id: pane });
  expect(info).toMatchObject({ label: 'The worker!' });
  expect(talk.events).toHaveLength(1);
  await world.ask('agent.send', { target: 'The worker!', text: 'hello\r' });
  await world.untilShown(pane, 'got hello');
});

onlyFake('N9: an agent is placed beside what is there, or in a workspace of its own', async () => {
  const world = await openHerdr(old);
  const argv = ['cat'];
  const start = async (params: Json) => {
    const { agent } = await world.ask('agent.start', { argv, ...params });
    return agent as Json;
  };
  const first = await start({ name: 'one' });
  const workspace_id = text(first, 'workspace_id');
  const { workspaces } = await world.ask('workspace.list');
  expect(workspaces).toMatchObject([{ workspace_id, pane_count: 1, focused: true }]);
  const other = await world.workspace();
  expect(await start({ name: 'two' })).toMatchObject({ workspace_id });
  expect(await start({ name: 'three', workspace_id: other.workspace })).toMatchObject({
    workspace_id: other.workspace,
    tab_id: other.tab,
  });
  const refusal = (params: Json) => world.refusal('agent.start', { name: 'x', argv, ...params });
  expect(await refusal({ name: ' ' })).toBe('invalid_agent_name');
  expect(await refusal({ name: 'one' })).toBe('agent_name_taken');
  expect(await refusal({ argv: [] })).toBe('invalid_agent_argv');
  expect(await refusal({ argv: ['no-such-program'] })).toBe('agent_start_failed');
  expect(await refusal({ workspace_id: 'w9' })).toBe('agent_placement_not_found');
  expect(await refusal({ workspace_id, tab_id: other.tab })).toBe('agent_placement_conflict');
});

onlyFake('N9: an environment is overlooked wherever it is given', async () => {
  const world = await openHerdr(old);
  await world.workspace();
  const argv = ['sh', '-c', 'printenv FOO || echo is unset; exec cat'];
  const { agent } = await world.ask('agent.start', { name: 'a', argv, env: { FOO: 'set' } });
  await world.untilShown(text(agent, 'pane_id'), 'is unset');
});

onlyFake('N9: history is replayed there as well', async () => {
  const world = await openHerdr(old);
  const { pane } = await world.workspace();
  const second = await world.split(pane);
  await world.ask('pane.close', { pane_id: second });
  await (await world.subscribe('pane.closed')).untilEvent('pane_closed', { pane_id: second });
});
