import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { waitUntil } from '../../support/wait-until.ts';
import { program, report, status, untilAgent } from './agent-world.ts';
import { type Json, openHerdr, text } from './world.ts';

test('a report makes a pane host an agent; a release ends that', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  await report(world, pane, { state: 'working' });
  const { agents } = await world.ask('agent.list');
  expect(agents).toMatchObject([{ pane_id: pane, agent: 'my-agent', agent_status: 'working' }]);
  const talk = await world.subscribe('pane.agent_detected');
  const params = { pane_id: pane, source: 'custom:test', agent: 'my-agent' };
  await world.ask('pane.release_agent', params);
  await talk.untilEvent('pane_agent_detected', { released: true, final_status: 'unknown' });
  expect((await world.ask('agent.list'))['agents']).toEqual([]);
});

test('an end that nobody sees is done, and idle as soon as somebody looks', async () => {
  const world = await openHerdr();
  const { pane, workspace } = await world.workspace();
  const { root_pane } = await world.ask('tab.create', { workspace_id: workspace });
  const hidden = text(root_pane, 'pane_id');
  for (const each of [pane, hidden]) {
    await report(world, each, { state: 'working' });
    await report(world, each, { state: 'idle' });
  }
  expect(await status(world, pane)).toBe('idle');
  expect(await status(world, hidden)).toBe('done');
  await world.screen(hidden);
  expect(await status(world, hidden)).toBe('done');
  await world.ask('pane.focus', { pane_id: hidden });
  expect(await status(world, hidden)).toBe('idle');
});

test('row 17: the revision does not count output and states', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const revision = async () =>
    ((await world.ask('pane.get', { pane_id: pane }))['pane'] as Json)['revision'];
  const before = await revision();
  await world.ask('pane.send_text', { pane_id: pane, text: 'echo ch""anged\r' });
  await world.untilShown(pane, 'changed');
  await report(world, pane, { state: 'working' });
  expect(await revision()).toBe(before);
});

test('row 22: a report with an old sequence number is dropped, and answered with ok', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  await report(world, pane, { state: 'working', seq: 5 });
  expect(await report(world, pane, { state: 'blocked', seq: 5 })).toEqual({ type: 'ok' });
  expect(await status(world, pane)).toBe('working');
  await report(world, pane, { state: 'blocked', seq: 1, source: 'custom:other' });
  expect(await status(world, pane)).toBe('blocked');
});

test('row 22: where an official integration told of a session, nobody else is heard', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const official = { pane_id: pane, source: 'herdr:claude', agent: 'claude' };
  await world.ask('pane.report_agent_session', { ...official, agent_session_id: 's', seq: 1 });
  for (const agent of ['claude', 'my-agent']) {
    expect(await report(world, pane, { agent, state: 'working' })).toEqual({ type: 'ok' });
    expect(await status(world, pane)).toBe('unknown');
  }
});

test("a session is not taken from a source of one's own, a state is", async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const params = { pane_id: pane, source: 'custom:test', agent: 'my-agent', agent_session_id: 's' };
  await world.ask('pane.report_agent_session', params);
  await report(world, pane, { state: 'blocked', agent_session_id: 's' });
  const { pane: info } = await world.ask('pane.get', { pane_id: pane });
  expect(info).toMatchObject({ agent: 'my-agent', agent_status: 'blocked' });
  expect(info).not.toHaveProperty('agent_session');
});

test('row 22: who once gave a sequence number must go on giving them', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  await report(world, pane, { state: 'working', seq: 5 });
  await report(world, pane, { state: 'blocked' });
  expect(await status(world, pane)).toBe('working');
  await world.ask('pane.clear_agent_authority', { pane_id: pane, source: 'custom:test', seq: 5 });
  expect(await status(world, pane)).toBe('working');
  await world.ask('pane.clear_agent_authority', { pane_id: pane, source: 'custom:other', seq: 6 });
  expect(await status(world, pane)).toBe('working');
  await world.ask('pane.clear_agent_authority', { pane_id: pane, seq: 6 });
  expect(await status(world, pane)).toBe('unknown');
});

test('what is reported goes before what herdr sees, and ends with the process', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const path = await program(world, 'codex');
  await world.ask('pane.send_text', { pane_id: pane, text: `${path} one\r` });
  await untilAgent(world, pane, 'codex');
  const codex = { agent: 'codex' };
  await report(world, pane, { ...codex, state: 'working', seq: 1 });
  expect(await status(world, pane)).toBe('working');
  await report(world, pane, { agent: 'claude', state: 'blocked', seq: 2 });
  expect(await status(world, pane)).toBe('working');
  const { agents } = await world.ask('agent.list');
  expect((agents as Json[])[0]).not.toHaveProperty('screen_detection_skipped');
  await world.ask('pane.clear_agent_authority', { pane_id: pane, seq: 3 });
  expect(['idle', 'done']).toContain(await status(world, pane));
  await report(world, pane, { ...codex, state: 'blocked', seq: 4 });
  await world.ask('pane.send_text', { pane_id: pane, text: '\u0003' });
  await untilAgent(world, pane, undefined);
  await report(world, pane, { ...codex, state: 'working', seq: 6 });
  expect(await status(world, pane)).toBe('unknown');
  // A label of one's own has no process that could have ended.
  await report(world, pane, { state: 'working', seq: 7 });
  expect(await status(world, pane)).toBe('working');
});

test('only full integrations make herdr look away from the screen', async () => {
  const world = await openHerdr();
  await world.workspace();
  const pane = await world.run(['sh', '-c', `${await program(world, 'pi')} one; exec cat`]);
  await untilAgent(world, pane, 'pi');
  const own = { source: 'herdr:pi', agent: 'pi', agent_session_path: '/x' };
  const begin = { pane_id: pane, ...own, session_start_source: 'startup', seq: 0 };
  await world.ask('pane.report_agent_session', begin);
  await report(world, pane, { ...own, state: 'working', seq: 1 });
  const { agent } = await world.ask('agent.get', { target: pane });
  expect(agent).toMatchObject({
    agent_status: 'working',
    screen_detection_skipped: true,
    agent_session: { source: 'herdr:pi', agent: 'pi', kind: 'path', value: '/x' },
  });
  // Of somebody whose session this is not.
  await report(world, pane, { agent: 'pi', state: 'blocked' });
  expect(await status(world, pane)).toBe('working');
});

test('a wait for an agent ends with its status, with the time, or with the agent', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const second = await world.split(pane);
  await report(world, second, { state: 'working' });
  expect(await world.refusal('agent.wait', { target: second, timeout_ms: 200 })).toBe('timeout');
  const finished = world.ask('agent.wait', { target: second });
  await report(world, second, { state: 'idle' });
  expect(await finished).toMatchObject({ type: 'agent_info', agent: { pane_id: second } });
  await report(world, second, { state: 'working' });
  const lost = world.refusal('agent.wait', { target: second });
  await world.ask('pane.close', { pane_id: second });
  expect(['agent_not_running', 'agent_not_found']).toContain(await lost);
});

test('a wait for an event knows the status of one pane and nothing else', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const wait = (match_event: Json, timeout_ms = 10_000) =>
    world.request('events.wait', { match_event, timeout_ms });
  const event = 'pane_agent_status_changed';
  const working = wait({ event, pane_id: pane, agent_status: 'working' });
  await report(world, pane, { state: 'working' });
  expect(await working).toMatchObject({
    result: { type: 'wait_matched', event: { event, data: { pane_id: pane } } },
  });
  expect(await wait({ event, pane_id: pane, agent_status: 'blocked' }, 200)).toMatchObject({
    error: { code: 'timeout' },
  });
});

test('an agent is started in a pane, named, prompted and gone with its process', async () => {
  const world = await openHerdr();
  const bin = dirname(await program(world, 'codex'));
  const { pane } = await world.workspace({ env: { PATH: `${bin}:${process.env['PATH']}` } });
  await world.untilShown(pane, '$');
  const start = { name: 'first', kind: 'codex', pane_id: pane, args: ['--flag'] };
  const started = await world.ask('agent.start', start);
  expect(started).toMatchObject({ type: 'agent_started', agent: { launch_pending: true } });
  await waitUntil('the agent is ready', async () => {
    const { agent } = await world.ask('agent.get', { target: 'first' });
    return (agent as Json)['interactive_ready'];
  });
  await world.untilShown(pane, 'up --flag');
  await world.ask('agent.prompt', { target: 'first', text: 'hello there' });
  await world.untilShown(pane, 'got hello there');
  await world.ask('agent.send_keys', { target: 'first', keys: ['ctrl+c'] });
  await waitUntil('the agent is gone', async () => {
    const { agents } = await world.ask('agent.list');
    return (agents as Json[]).length === 0;
  });
});

test('a notification is not shown by default', async () => {
  const world = await openHerdr();
  const shown = await world.ask('notification.show', { title: 'hello' });
  expect(shown).toMatchObject({ type: 'notification_show', shown: false, reason: 'disabled' });
});
