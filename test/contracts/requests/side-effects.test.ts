import { expect, test } from 'vitest';
import { headers } from '../../../src/protocol/daemon.ts';
import { Fault } from '../../../src/shared/fault.ts';
import { read } from '../../support/server.ts';
import { Stage } from './stage.ts';

/** What a request does beside its answer: what it counts as read, what it tells, what it leaves. */

/** Hands the worker its message, as a command in its terminal does. */
async function drainInTerminal(stage: Stage): Promise<void> {
  await stage.command('agent', async (client) => {
    const { finish } = await client.drain('self', {});
    await finish();
  });
  expect(await stateOf(stage)).toBe('injected');
}

async function stateOf({ server, messages }: Stage): Promise<string | undefined> {
  return (await server.ledger.read((tx) => tx.messages.find(messages.own)))?.state;
}

const token = { authorization: 'Bearer tok_worker' };

for (const [method, path] of [
  ['POST', '/agents/worker/look'],
  ['GET', '/agents'],
  ['GET', '/agents/worker'],
  ['GET', '/events/recent'],
  ['POST', '/agents/peer/stop'],
] as const) {
  test(`rule 17: ${method} ${path} of the command that printed a message does not show that it was read`, async () => {
    const stage = await Stage.open();
    await drainInTerminal(stage);
    await stage.server.ask(path, { method, headers: { ...token, [headers.command]: 'heard' } });
    expect(await stateOf(stage)).toBe('injected');
    // A further call of a program of the agent's own does.
    await stage.server.ask(path, { method, headers: token });
    expect(await stateOf(stage)).toBe('acked');
  });
}

test('rule 17: the next command of an agent shows that it has read what the last one printed', async () => {
  const stage = await Stage.open();
  await drainInTerminal(stage);
  await stage.command('agent', (client) => client.listAgents());
  expect(await stateOf(stage)).toBe('acked');
});

test('B14: agents are shown although what is due in an inbox cannot be settled', async () => {
  const stage = await Stage.open();
  const { ledger } = stage.server;
  const expired = { to: 'peer', body: 'late', ttlMs: 1 };
  await stage.http('user', 'POST', '/messages', expired);
  const write = ledger.write.bind(ledger);
  ledger.write = async () => {
    throw new Fault('ledger-unwritable', 'The disk is full.', 'Free some space.');
  };
  try {
    for (const path of ['/agents', '/agents/worker', '/agents/peer']) {
      expect([path, await stage.http('user', 'GET', path)]).toEqual([
        path,
        { result: expect.anything() },
      ]);
    }
    expect(await stage.tool('agent', 'list_agents')).toEqual({ result: expect.anything() });
  } finally {
    ledger.write = write;
  }
});

test('an agent that pulls is removed by the fleet, which tells of it, where a daemon runs', async () => {
  const stage = await Stage.open();
  const removed: string[] = [];
  const { fleet } = stage.server;
  const remove = fleet.remove.bind(fleet);
  fleet.remove = async (id) => {
    removed.push(id);
    return remove(id);
  };
  await stage.http('user', 'DELETE', '/agents/puller');
  expect(removed).toEqual([stage.agents.puller.id]);
});

test('rule 13: to look at a long message of its own hands an agent no part of it', async () => {
  const stage = await Stage.open();
  const body = 'a long line\n'.repeat(4000);
  const sent = await stage.http('user', 'POST', '/messages', { to: 'worker', body });
  const { id } = 'result' in sent ? (sent.result as { id: string }) : { id: '' };
  await stage.command('agent', async (client) => {
    const { finish } = await client.drain('self', { inParts: true });
    await finish();
  });
  const partsOf = () => stage.server.ledger.read((tx) => tx.parts.list(id));
  const before = await partsOf();
  await stage.command('agent', (client) => client.show(id));
  expect((await partsOf()).map(({ part, state }) => [part, state])).toEqual(
    before.map(({ part, state }) => [part, state]),
  );
});

test('list_agents says how many it left out', async () => {
  const stage = await Stage.open();
  const answer = await stage.tool('agent', 'list_agents');
  expect(answer).toMatchObject({ result: { remaining: 0 } });
  expect((await read(await stage.server.ask('/agents'))).agents.length).toBeGreaterThan(4);
});
