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
  const { agent } = await world.ask('agent.start', { name: 'worker', argv });
  const pane = text(agent, 'pane_id');
  await world.untilShown(pane, 'up');
  await world.ask('agent.send', { target: 'worker', text: 'hello\r' });
  await world.untilShown(pane, 'got hello');
});

onlyFake('N9: history is replayed there as well', async () => {
  const world = await openHerdr(old);
  const { pane } = await world.workspace();
  const second = await world.split(pane);
  await world.ask('pane.close', { pane_id: second });
  await (await world.subscribe('pane.closed')).untilEvent('pane_closed', { pane_id: second });
});
