import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { ask } from '../../fakes/herdr/cli/client.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { encode, type Json, onlyFake, openHerdr, text, type World } from './world.ts';

const ping = encode({ id: 'p', method: 'ping', params: {} });

onlyFake('an answer is cut at a byte, and once only if that was wanted', async () => {
  const world = await openHerdr();
  await world.herdr.chaos({ do: 'drop', at: 10, times: 1 });
  const cut = world.talk(ping);
  expect(await cut.untilEnded()).toBe('end');
  expect([cut.raw, cut.rest]).toEqual([[], '{"id":"p",']);
  expect(await world.ask('ping')).toMatchObject({ type: 'pong' });
});

onlyFake('a subscription is cut at a byte of all its lines', async () => {
  const world = await openHerdr();
  await world.herdr.chaos({ do: 'drop', at: 80, method: 'events.subscribe' });
  const talk = await world.subscribe('workspace.created');
  await world.workspace();
  expect(await talk.untilEnded()).toBe('end');
  expect(talk.lines).toHaveLength(1);
  expect(talk.rest).toMatch(/^\{"data":/);
});

onlyFake('answers are late, missing or garbage, by method', async () => {
  const world = await openHerdr();
  await world.herdr.chaos({ do: 'delay', ms: 1500, method: 'ping' });
  expect(await inOrder(world, ['ping', 'workspace.list'])).toEqual(['workspace.list', 'ping']);
  await world.herdr.chaos({ do: 'calm' });
  await world.herdr.chaos({ do: 'garbage', method: 'tab.list', times: 1 });
  const garbage = world.talk(encode({ id: 'g', method: 'tab.list', params: {} }));
  await garbage.untilEnded();
  expect(() => garbage.lines).toThrow();
  await world.herdr.chaos({ do: 'hang', method: 'workspace.create' });
  const hung = world.talk(encode({ id: 'h', method: 'workspace.create', params: {} }));
  await waitUntil('it is done', async () => {
    const { workspaces } = await world.ask('workspace.list');
    return (workspaces as Json[]).length === 1;
  });
  expect([hung.ended, hung.raw]).toEqual([undefined, []]);
});

onlyFake('nobody listens for a while, with the socket left behind or without', async () => {
  const world = await openHerdr();
  const talk = await world.subscribe('workspace.created');
  for (const [word, code] of [
    ['refuse', 'ECONNREFUSED'],
    ['vanish', 'ENOENT'],
  ]) {
    await world.herdr.chaos({ do: word, ms: 300 });
    expect(await world.talk(ping).untilEnded()).toBe(code);
    await waitUntil('it listens again', async () => {
      const again = world.talk(ping);
      await waitUntil('an answer', () => again.raw.length > 0 || again.ended);
      return again.raw.length > 0;
    });
  }
  await world.herdr.chaos({ do: 'refuse' });
  await world.herdr.chaos({ do: 'calm' });
  await world.ask('ping');
  expect(talk.ended).toBeUndefined();
  await world.herdr.chaos({ do: 'cut' });
  expect(await talk.untilEnded()).toBe('end');
});

for (const word of ['refuse', 'vanish']) {
  onlyFake(`a server whose place another took after ${word} does not take it back`, async () => {
    const world = await openHerdr();
    const { bin, env, socket } = world.herdr;
    await world.workspace();
    // A connection of its own: the other server takes this socket's place, too.
    const desk = connect(`${socket}.chaos`);
    const tell = async (command: Json): Promise<void> => {
      desk.write(`${JSON.stringify(command)}\n`);
      await once(desk, 'data');
    };
    await tell({ do: word });
    const next = spawn(bin, ['server'], { env, stdio: 'ignore' });
    onTestFinished(() => void next.kill());
    await waitUntil('another answers', () => ask(socket, { id: 'p', method: 'ping', params: {} }));
    const { workspace } = await world.workspace();
    await tell({ do: 'calm' });
    const { workspaces } = await world.ask('workspace.list');
    expect((workspaces as Json[]).map((each) => each['workspace_id'])).toContain(workspace);
    desk.destroy();
    next.kill();
    await once(next, 'exit');
  });
}

onlyFake('a stalled server answers a ping and nothing else', async () => {
  const world = await openHerdr();
  await world.herdr.chaos({ do: 'stall', ms: 1500 });
  expect(await inOrder(world, ['workspace.list', 'ping'])).toEqual(['ping', 'workspace.list']);
});

/** The methods in the order of their answers; they are asked at once. */
async function inOrder(world: World, methods: readonly string[]): Promise<readonly string[]> {
  const answered: string[] = [];
  await Promise.all(
    methods.map((method) => world.ask(method).then(() => void answered.push(method))),
  );
  return answered;
}

onlyFake('old events come again, and lines out of order', async () => {
  const world = await openHerdr();
  const { workspace } = await world.workspace();
  const talk = await world.subscribe('workspace.created', 'workspace.renamed');
  await talk.untilEvent('workspace_created');
  await world.herdr.chaos({ do: 'replay' });
  await waitUntil('it comes again', () => names(talk.events).length === 2);
  await world.herdr.chaos({ do: 'reorder', seed: 3 });
  for (let i = 0; i < 12; i++) {
    await world.ask('workspace.rename', { workspace_id: workspace, label: `${i}` });
  }
  await waitUntil('all of them', () => names(talk.events).length === 14);
  const labels = talk.events.slice(2).map(({ data }) => Number(data['label']));
  expect(labels).not.toEqual([...labels].sort((a, b) => a - b));
  expect(new Set(labels).size).toBe(12);
});

onlyFake('renumbering gives ids to other panes, where ids do that', async () => {
  const world = await openHerdr({ version: '0.6.8' });
  const { pane, terminal } = await world.workspace();
  const second = await world.split(pane);
  await world.herdr.chaos({ do: 'renumber' });
  const { pane: other } = await world.ask('pane.get', { pane_id: second });
  expect(text(other, 'terminal_id')).toBe(terminal);
  const stable = await openHerdr();
  await expect(stable.herdr.chaos({ do: 'renumber' })).rejects.toThrow('stable');
});

onlyFake('what clients did is counted', async () => {
  const world = await openHerdr();
  await world.herdr.chaos({ do: 'reset' });
  await world.ask('ping');
  await world.ask('ping');
  await world.ask('workspace.list');
  await world.request('no.such');
  expect(await world.herdr.chaos({ do: 'count' })).toMatchObject({
    connections: { opened: 4 },
    requests: { ping: 2, 'workspace.list': 1 },
    undecodable: 1,
    scrolls: [],
    faults: [],
  });
});

onlyFake('trouble from the start', async () => {
  const world = await openHerdr({
    env: { FAKE_HERDR_CHAOS: '[{"do":"garbage","text":"no","method":"pane.list"}]' },
  });
  const talk = world.talk(encode({ id: 'x', method: 'pane.list', params: {} }));
  await talk.untilEnded();
  expect(talk.raw).toEqual(['no']);
});

function names(events: readonly { readonly event: string }[]): readonly string[] {
  return events.map(({ event }) => event);
}
