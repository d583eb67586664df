import { describe, expect, test } from 'vitest';
import type { AgentView, RemoveResult } from '../../src/protocol/agents.ts';
import type { StopView } from '../../src/protocol/terminals.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

describe.runIf(hasTmux)('sessions', () => {
  test('launch, ls, stop, restart and rm --session concern its agents alone', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await launch(station, 'a', 'checkout');
    await launch(station, 'b', 'checkout');
    await launch(station, 'c', 'search');
    // One that pulls has nothing to stop, and is no obstacle.
    await station.ask('agents', 'add', 'puller', '--session', 'checkout');
    const listed = await station.ask<{ agents: AgentView[] }>('ls', '--session', 'checkout');
    expect(listed.agents.map(({ name }) => name)).toEqual(['a', 'b', 'puller']);

    const { stopped } = await station.ask<{ stopped: StopView[] }>('stop', '--session', 'checkout');
    expect(stopped.map(({ name }) => name).sort()).toEqual(['a', 'b']);
    expect(await running(station)).toEqual(['c']);

    const { agents } = await station.ask<{ agents: AgentView[] }>(
      ...['restart', '--session', 'checkout'],
    );
    expect(agents.map(({ name, epoch }) => `${name} ${epoch}`).sort()).toEqual(['a 2', 'b 2']);
    expect(await running(station)).toEqual(['a', 'b', 'c']);

    const { removed } = await station.ask<RemoveResult>('rm', '--session', 'checkout');
    expect(removed.map(({ name }) => name).sort()).toEqual(['a', 'b', 'puller']);
    expect(await running(station)).toEqual(['c']);
  });

  test('a session of nobody is not found, by any of them', { tags: ['full'] }, async () => {
    const station = await openStation();
    for (const verb of ['stop', 'restart', 'rm']) {
      const ended = await station.run([verb, '--session', 'nobody', '--json']);
      expectFault(ended, 3, 'agent-not-found', /No agents in session "nobody"/);
    }
    for (const verb of ['stop', 'restart', 'rm']) {
      expectFault(await station.run([verb, '--json']), 2, 'usage', /You named no agent to/);
    }
    const bad = await station.run(['launch', 'generic', '--session', 'x y', '--json', '--', 'cat']);
    expectFault(bad, 2, 'invalid-input', /not a name for a session/);
  });

  test('an agent adds to its own session, and ends in it only what it started', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const lead = await launch(station, 'lead', 'checkout');
    await launch(station, 'other', 'checkout');
    const child = await station.runAs('lead', ['agents', 'add', 'child', '--json']);
    expect(child.json<AgentView>()).toMatchObject({ session: 'checkout', parent: { id: lead.id } });
    const refused = await station.runAs('lead', ['stop', '--session', 'checkout', '--json']);
    expectFault(refused, 5, 'not-allowed', /did not start/);
    expect(await running(station)).toEqual(['lead', 'other']);
  });
});

async function launch(station: Station, name: string, session: string): Promise<AgentView> {
  const named = ['launch', 'generic', '--name', name, '--session', session, '--json'];
  const ended = await station.run([...named, '--', 'sleep', '600']);
  expect(ended.stderr).toBe('');
  return ended.json<AgentView>();
}

async function running(station: Station): Promise<readonly string[]> {
  const { agents } = await station.ask<{ agents: AgentView[] }>('ls');
  const alive = agents.filter(({ backend, status }) => backend !== 'none' && status !== 'exited');
  return alive.map(({ name }) => name).sort();
}
