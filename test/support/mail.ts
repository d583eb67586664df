import { expect } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { hashToken } from '../../src/agents/token.ts';
import { claim, recordInjected } from '../../src/delivery/claim.ts';
import type { Route } from '../../src/messages/claim.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { systemHost } from '../../src/shared/processes.ts';
import { read, type TestServer } from './server.ts';

/** What tests of the server do with messages. */

export const as = ({ id }: Agent) => ({ 'signalbox-agent': id });
const here = { clock: systemClock, host: systemHost };

export async function fault(response: Response): Promise<[number, string]> {
  return [response.status, (await read(response)).error.code];
}

/** Sends, and insists on being accepted; the id. */
export async function send(
  server: TestServer,
  to: string,
  body = 'hello',
  more = {},
): Promise<string> {
  const response = await server.post('/messages', { to, body, ...more });
  expect(response.status).toBe(201);
  return (await read(response)).id;
}

export async function state(server: TestServer, id: string): Promise<string> {
  return (await read(await server.ask(`/messages/${id}`))).message.state;
}

/** As a route of delivery does it. */
export function inject(
  server: TestServer,
  to: Agent,
  route: Route,
  provable: boolean,
): Promise<void> {
  return server.ledger.write(async (tx) => {
    const wish = { recipient: to.id, route, epoch: to.epoch, provable, count: 10, bytes: 1e6 };
    const taken = await claim(tx, here, wish);
    if (taken.outcome !== 'claimed') throw new Error(taken.outcome);
    await recordInjected(tx, systemClock.now(), taken.claim.token, 'injected');
  });
}

/** With a life in a terminal. */
export async function addRunning(
  server: TestServer,
  name: string,
  token = `tok_${name}`,
  session = 'default',
): Promise<Agent> {
  const { id, createdAt } = await server.add(`${name}-0`, { session });
  const running = { id: `${id}r`, name, session, provider: 'scripted', backend: 'tmux' };
  return server.ledger.write(async (tx) => {
    const agent = await tx.agents.insert({
      ...running,
      ...{ epoch: 1, status: 'idle', source: 'screen', since: createdAt, createdAt },
      notify: true,
      cwd: '/srv/app',
    });
    if (!agent) throw new Error('the name is taken');
    const life = { agent: agent.id, epoch: 1, backend: 'tmux', provider: 'scripted', argv: [] };
    await tx.epochs.insert({
      ...life,
      extraArgs: [],
      tokenHash: hashToken(token),
      startedAt: createdAt,
    });
    return agent;
  });
}

/** Lives whose tokens the fake fleet knows: `right` and `unseen` run, `old` is over. */
export async function addHookLives(server: TestServer): Promise<TestServer> {
  for (const token of ['right', 'unseen', 'old']) await addRunning(server, token, token);
  const { id } = await server.ledger.read(async (tx) => {
    const agent = (await tx.agents.listByName('old'))[0];
    if (!agent) throw new Error('it was just added');
    return agent;
  });
  const end = { at: systemClock.now(), cause: 'exited' };
  await server.ledger.write((tx) => tx.epochs.end(id, 1, end));
  return server;
}
