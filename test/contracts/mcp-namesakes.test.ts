import { describe, expect, test } from 'vitest';
import { addRunning, fault } from '../support/mail.ts';
import { callTool } from '../support/mcp.ts';
import { read, TestServer } from '../support/server.ts';

const debts = (server: TestServer, of: string) =>
  server.ledger.read((tx) => tx.debts.listOwedBy(of));

describe('an agent that runs, and a profile or provider of its name', () => {
  test('the agent gets the task, and the result says how to name the other', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'reviewer');
    await addRunning(server, 'codex');
    const { result, text } = await callTool(server, lead, 'assign', {
      ...{ profile: 'reviewer', task: 'x' },
    });
    expect(result).toMatchObject({ agent: 'reviewer', also: 'profile:reviewer' });
    expect(await debts(server, worker.id)).toHaveLength(1);
    expect(text).toContain(
      'It was running already; "profile:reviewer" would launch another from the profile of that name.',
    );
    const other = await callTool(server, lead, 'assign', { profile: 'codex', task: 'x' });
    expect(other.result.also).toBe('provider:codex');
    expect(other.text).toContain('"provider:codex" would launch another from the provider');
    const launched = await callTool(server, lead, 'assign', {
      ...{ profile: 'profile:reviewer', task: 'x', name: 'second' },
    });
    expect(launched.result).not.toHaveProperty('also');
    expect(server.fleet.launches.at(-1)).toMatchObject({ role: { profile: 'reviewer' } });
    const asked = { profile: 'reviewer', task: 'y', timeout_seconds: 1 };
    const handed = await callTool(server, lead, 'handoff', asked);
    expect(handed.result).toMatchObject({ outcome: 'pending', also: 'profile:reviewer' });
    const over = { to: 'reviewer', task: 'z', cwd: '/', env: {} };
    expect(await read(await server.post('/tasks', over))).toMatchObject({
      also: 'profile:reviewer',
    });
  });

  test('what is for a launch is not dropped in silence when the agent runs', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'reviewer');
    const named = { profile: 'reviewer', task: 'x', name: 'second' };
    const refused = await callTool(server, lead, 'assign', named);
    expect(refused.text).toBe(
      '"reviewer" is an agent that runs, and a name is for one that is launched; nothing was done. Leave it out, or launch another with "profile:reviewer".',
    );
    const model = { to: 'reviewer', task: 'x', cwd: '/', env: {}, model: 'opus' };
    expect(await fault(await server.post('/tasks', model))).toEqual([400, 'invalid-input']);
    expect(await debts(server, worker.id)).toEqual([]);
    // Its own name takes nothing away.
    const same = { profile: 'reviewer', task: 'x', name: 'reviewer' };
    expect((await callTool(server, lead, 'assign', same)).result.agent).toBe('reviewer');
  });
});
