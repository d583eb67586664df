import { expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { read, TestServer } from '../support/server.ts';

const herdr = { name: 'herdr', isDefault: false } as const;
const down = { ...herdr, state: 'down', detail: 'its socket is gone.' } as const;

test('B2: health names the default backend and the state of each that is in use', async () => {
  const server = new TestServer();
  server.fleet.otherBackends.push(down);
  const shown = { isDefault: false, state: 'down', detail: 'its socket is gone.' };
  // Tried once, and missed by nobody.
  expect(await read(await server.ask('/health'))).toMatchObject({
    ok: true,
    terminalBackend: 'tmux',
    components: {
      backend: { state: 'ready' },
      backends: { tmux: { isDefault: true, state: 'ready' }, herdr: { ...shown, agents: 0 } },
    },
  });
  await launched(server, 'hidden', 'idle');
  await launched(server, 'ended', 'exited');
  expect(await read(await server.ask('/health'))).toMatchObject({
    ok: false,
    components: { backend: { state: 'ready' }, backends: { herdr: { ...shown, agents: 1 } } },
  });
});

test('B10, B14: an agent whose backend cannot be asked is shown as last known, and says so; what waits for it says why', async () => {
  const server = new TestServer();
  server.fleet.otherBackends.push(down);
  const hidden = await launched(server, 'hidden', 'idle');
  await launched(server, 'ended', 'exited');
  await server.add('other');
  const { agents } = await read(await server.ask('/agents'));
  const why = 'its terminal backend, herdr, cannot be asked just now (its socket is gone)';
  const notes = (agents as { name: string; notes?: string[] }[]).map((one) => [
    one.name,
    one.notes?.[0],
  ]);
  expect(notes).toEqual([
    ['ended', undefined],
    ['hidden', `${why}; this is what was last known`],
    ['other', undefined],
    ['user', undefined],
  ]);
  expect(agents[1]).toMatchObject({ status: 'idle', backend: 'herdr' });
  const sent = await read(await server.post('/messages', { to: 'hidden', body: 'hello' }));
  const { id } = sent.messages?.[0] ?? sent;
  expect((await read(await server.ask(`/messages/${id}`))).waitsFor).toBe(why);
  expect((await read(await server.ask(`/agents/${hidden.id}`))).waitsFor).toBe(why);
});

async function launched(
  server: TestServer,
  name: string,
  status: 'idle' | 'exited',
): Promise<Agent> {
  const agent: Agent = {
    ...{ id: `agt_${name}`, name, session: 'default', provider: 'generic', backend: 'herdr' },
    ...{ epoch: 1, status, source: 'process', since: 0, notify: true, cwd: '/', createdAt: 0 },
  };
  await server.ledger.write((tx) => tx.agents.insert(agent));
  return agent;
}
