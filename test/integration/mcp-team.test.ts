import { describe, expect, test } from 'vitest';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startProxy } from './fixtures/proxy.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

describe.runIf(hasTmux)('tasks by the tools, with real workers', () => {
  test('rule 31: handoff launches a worker, waits for its turn and returns its words; again, and to its end', async () => {
    const station = await openStation();
    const proxy = startProxy(await launchLead(station));
    const handoff = async (task: object) => (await proxy.call('handoff', task)).structuredContent;
    // It is asked about after its answer.
    const first = { profile: scriptedProvider, name: 'worker', task: '@@say seven', keep: true };
    expect(await handoff(first)).toMatchObject({
      outcome: 'answered',
      agent: 'worker',
      answer: 'seven',
    });
    expect((await station.agent('worker')).parent?.name).toBe('lead');
    const second = await handoff({ profile: 'worker', task: '@@say eight' });
    expect(second).toMatchObject({ outcome: 'answered', agent: 'worker', answer: 'eight' });
    const output = (await proxy.call('get_output', { agent: 'worker' })).structuredContent;
    expect(output).toMatchObject({ agent: 'worker', what: 'answer', text: 'eight' });
    const third = await handoff({ profile: 'worker', task: '@@exit 3' });
    expect(third).toMatchObject({ outcome: 'exited', agent: 'worker' });
    expect(third.reason).toBeTruthy();
  });

  test('rule 31: a proxy killed with the answer in its hands loses nothing: it comes as a message, marked', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const env = await launchLead(station);
    const proxy = startProxy(env, { failPoint: 'mcp.answered' });
    const task = { profile: scriptedProvider, name: 'worker', task: '@@say seven' };
    proxy.begin('tools/call', { name: 'handoff', arguments: task });
    await proxy.held();
    await proxy.kill();
    const found = await waitUntil('the answer, offered again', async () => {
      const states = ['injected', 'seen', 'acked', 'queued', 'uncertain'] as const;
      const { messages } = await station.list('lead', states);
      return messages.find(({ body, repeat }) => body === 'seven' && repeat);
    });
    expect(found.kind).toBe('completion');
  });
});

/** What processes of the lead's terminal know. */
async function launchLead(station: Station): Promise<Readonly<Record<string, string>>> {
  await station.launch('lead');
  const { pid } = await station.pane('lead');
  return readEnvironment(pid) ?? {};
}
