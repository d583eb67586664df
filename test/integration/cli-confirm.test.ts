import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import { openPerson } from '../support/person.ts';
import { expectFault } from './fixtures/expect-fault.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

describe.skipIf(!hasTmux)('a person who ends agents is asked about exactly those', () => {
  test('beside names --session says where they are looked for, and nobody else of it is asked about', async () => {
    const station = await openStation();
    const { id } = await station.ask<AgentView>('agents', 'add', 'lead', '--session', 'shop');
    const other = await station.ask<AgentView>('agents', 'add', 'lead', '--session', 'blog');
    const { control } = await station.launch('worker', '--session', 'shop');
    void control.tell('@@work 600s');
    await station.untilStatus('worker', 'processing');
    const person = await openPerson(station.home);
    const removed = await person.type(['rm', '--session', 'shop', 'lead']);
    expect(removed.screen).toContain('lead removed');
    expect(removed.screen).not.toContain('worker is at work');
    const left = (await station.ask<{ agents: AgentView[] }>('ls')).agents.map((one) => one.id);
    expect(left).not.toContain(id);
    expect(left).toContain(other.id);
    const kept = await person.type(['rm', '--session', 'shop', 'worker'], ['n']);
    expect([kept.code, kept.screen]).toEqual([1, expect.stringContaining('worker is at work')]);
    expect((await station.agent('worker')).status).toBe('processing');
  });

  test('--all beside --session is refused: whoever meant all of that session would end everybody', async () => {
    const station = await openStation();
    await station.ask('agents', 'add', 'lead', '--session', 'blog');
    await station.launch('worker', '--session', 'shop');
    for (const verb of ['stop', 'restart']) {
      const ended = await station.run([verb, '--all', '--session', 'blog', '--json']);
      expectFault(ended, 2, 'usage', /--all is every agent of every session/);
    }
    expect(await station.agent('worker')).toMatchObject({ epoch: 1, status: 'idle' });
  });
});
