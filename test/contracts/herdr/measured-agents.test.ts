import { expect } from 'vitest';
import { program, report, status, untilAgent } from './agent-world.ts';
import { measured } from './measured.ts';
import { type Json, type Talk, text, type World } from './world.ts';

measured(
  'H2: the end of an agent is told where its process was detected and its shell lives on',
  'silent-reported-end',
  async (world) => {
    const { pane } = await world.workspace();
    const talk = await world.subscribe('pane.agent_detected', 'pane.exited', 'layout.updated');
    await startIn(world, pane, 'codex');
    await world.ask('pane.send_text', { pane_id: pane, text: '\u0003' });
    await talk.untilEvent('pane_agent_detected', { pane_id: pane, agent: 'codex', released: true });
    // Of a merely reported one only its pane's end is told.
    const second = await world.split(pane);
    await report(world, second, { state: 'working' });
    await world.ask('pane.send_text', { pane_id: second, text: 'exit\r' });
    await talk.untilEvent('pane_exited', { pane_id: second });
    await mark(world, talk);
    expect(released(talk, second)).toEqual([]);
  },
);

measured(
  'H6: a full integration is believed once its session was told with its start',
  'session-before-state',
  async (world) => {
    await world.workspace();
    const pane = await world.run(['sh', '-c', `${await program(world, 'opencode')} one; exec cat`]);
    await untilAgent(world, pane, 'opencode');
    const own = { source: 'herdr:opencode', agent: 'opencode', agent_session_id: 'ses_1' };
    const tell = (seq: number) => report(world, pane, { ...own, state: 'working', seq });
    expect(await tell(1)).toEqual({ type: 'ok' });
    expect(await status(world, pane)).not.toBe('working');
    await world.ask('pane.report_agent_session', { pane_id: pane, ...own, seq: 2 });
    await tell(3);
    expect(await status(world, pane)).not.toBe('working');
    const begin = { pane_id: pane, ...own, session_start_source: 'startup', seq: 4 };
    await world.ask('pane.report_agent_session', begin);
    await tell(5);
    const { agent } = await world.ask('agent.get', { target: pane });
    expect(agent).toMatchObject({ agent_status: 'working', screen_detection_skipped: true });
  },
);

measured(
  'H7: after a release the end of a CLI is not noticed, and a label of one’s own outlives its CLI',
  'missed-end',
  async (world) => {
    const first = (await world.workspace()).pane;
    await startIn(world, first, 'codex');
    await report(world, first, { agent: 'codex', state: 'blocked', seq: 1 });
    const release = { pane_id: first, source: 'custom:test', agent: 'codex', seq: 2 };
    await world.ask('pane.release_agent', release);
    await world.ask('pane.send_text', { pane_id: first, text: '\u0003' });
    const second = (await world.workspace()).pane;
    await startIn(world, second, 'codex');
    await report(world, second, { state: 'working', seq: 3 });
    await world.ask('pane.send_text', { pane_id: second, text: '\u0003' });
    // One whose end is noticed, though it came after the others'.
    const third = (await world.workspace()).pane;
    await startIn(world, third, 'codex');
    await world.ask('pane.send_text', { pane_id: third, text: '\u0003' });
    await untilAgent(world, third, undefined);
    expect(await agentOf(world, first)).toBe('codex');
    expect(await agentOf(world, second)).toBe('my-agent');
    expect(await status(world, second)).toBe('working');
  },
);

measured(
  'H10: a label of one’s own that came first stays, until it is cleared or the CLI’s own word comes',
  'first-label-stays',
  async (world) => {
    const { pane } = await world.workspace();
    await report(world, pane, { state: 'working', seq: 1 });
    const other = (await world.workspace()).pane;
    await world.ask('pane.send_text', {
      pane_id: pane,
      text: `${await program(world, 'codex')}\r`,
    });
    await world.untilShown(pane, 'up');
    await startIn(world, other, 'codex');
    expect(await agentOf(world, pane)).toBe('my-agent');
    const clear = { pane_id: pane, source: 'custom:test', seq: 2 };
    await world.ask('pane.clear_agent_authority', clear);
    await untilAgent(world, pane, 'codex');

    const word = (await world.workspace()).pane;
    await startIn(world, word, 'opencode');
    await report(world, word, { state: 'blocked', seq: 3 });
    const own = { source: 'herdr:opencode', agent: 'opencode', agent_session_id: 'ses_1' };
    const begin = { pane_id: word, ...own, session_start_source: 'startup', seq: 1 };
    await world.ask('pane.report_agent_session', begin);
    await report(world, word, { ...own, state: 'working', seq: 2 });
    expect([await agentOf(world, word), await status(world, word)]).toEqual([
      'opencode',
      'working',
    ]);
    expect(await report(world, word, { state: 'blocked', seq: 4 })).toEqual({ type: 'ok' });
    expect(await status(world, word)).toBe('working');
  },
);

measured(
  'H11: a helper that is called like an agent is one in the list of agents',
  'helpers-are-agents',
  async (world) => {
    const { workspace } = await world.workspace();
    const tab = await world.ask('tab.create', { workspace_id: workspace });
    const helper = text(tab['root_pane'], 'pane_id');
    const path = await program(world, 'codex');
    await world.ask('pane.send_text', { pane_id: helper, text: `${path} app-server\r` });
    await world.untilShown(helper, 'up app-server');
    // By the time one that came later is known, it is as well.
    await startIn(world, (await world.workspace()).pane, 'codex');
    expect(await agentOf(world, helper)).toBe('codex');
    // In the background of its terminal it is not.
    await world.ask('pane.send_text', { pane_id: helper, text: '\u0003' });
    await untilAgent(world, helper, undefined);
    const words = `set -m; ${path} app-server < /dev/null & sleep 1000\r`;
    await world.ask('pane.send_text', { pane_id: helper, text: words });
    await startIn(world, (await world.workspace()).pane, 'codex');
    expect(await agentOf(world, helper)).toBeUndefined();
  },
);

measured(
  'H12: once an official integration has named a session, what others said stays, until it is cleared',
  'session-mutes',
  async (world) => {
    const { pane } = await world.workspace();
    await startIn(world, pane, 'claude');
    await report(world, pane, { agent: 'claude', state: 'unknown', seq: 1 });
    const official = { source: 'herdr:claude', agent: 'claude', agent_session_id: 'ses_1' };
    const begin = { pane_id: pane, ...official, session_start_source: 'startup', seq: 1 };
    await world.ask('pane.report_agent_session', begin);
    const ours = { agent: 'claude', state: 'working' };
    expect(await report(world, pane, { ...ours, seq: 2 })).toEqual({ type: 'ok' });
    expect(await status(world, pane)).toBe('unknown');
    const { pane: info } = await world.ask('pane.get', { pane_id: pane });
    expect(info).toMatchObject({ agent_session: { source: 'herdr:claude', value: 'ses_1' } });
    const clear = { pane_id: pane, source: 'custom:test', seq: 3 };
    await world.ask('pane.clear_agent_authority', clear);
    expect(['idle', 'done', 'working']).toContain(await status(world, pane));
  },
);

/** Runs in the pane's shell, and herdr has seen it. */
async function startIn(world: World, pane: string, kind: string): Promise<void> {
  const path = await program(world, kind);
  await world.ask('pane.send_text', { pane_id: pane, text: `${path} one\r` });
  await untilAgent(world, pane, kind);
}

async function agentOf(world: World, pane: string): Promise<unknown> {
  const { pane: info } = await world.ask('pane.get', { pane_id: pane });
  return (info as Json)['agent'];
}

/** Everything that happened before has been told on this connection. */
async function mark(world: World, talk: Talk): Promise<void> {
  const { pane } = await world.workspace();
  await report(world, pane, { agent: 'mark', state: 'idle' });
  await talk.untilEvent('pane_agent_detected', { pane_id: pane });
}

function released(talk: Talk, pane: string): readonly unknown[] {
  const found = talk.events.filter(({ event }) => event === 'pane_agent_detected');
  return found.filter(({ data }) => data['pane_id'] === pane && data['released'] === true);
}
