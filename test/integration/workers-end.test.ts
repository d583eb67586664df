import { describe, expect, test } from 'vitest';
import type { MessageState } from '../../src/messages/message.ts';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { AnswerView } from '../../src/protocol/tasks.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { waitUntil } from '../support/wait-until.ts';
import { attachTo } from './fixtures/attach-to.ts';
import { startProxy } from './fixtures/proxy.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

const every: readonly MessageState[] = [
  ...(['queued', 'claimed', 'injected', 'seen', 'acked', 'uncertain', 'dead', 'expired'] as const),
];

/** A worker that a handoff of the user has launched, and that has ended with it. */
async function endedWorker(station: Station): Promise<AgentView> {
  const first = await station.run(['handoff', 'scripted', 'Add up: @@say 42', '--name', 'worker']);
  expect([first.code, first.stdout]).toEqual([0, '42\n']);
  return station.untilStatus('worker', 'exited');
}

describe.runIf(hasTmux)('workers that end with their tasks', () => {
  test('rule 55: a worker that a handoff launched is stopped once its answer is read, and comes back for the next task', async () => {
    const station = await openStation();
    const ended = await endedWorker(station);
    expect(ended).toMatchObject({ detail: 'task done', endedBy: 'task', epoch: 1 });
    expect(ended.endingCode).toBe('ended-with-task');
    const folded = '1 worker ended with its task → signalbox ls --all';
    expect((await station.run(['ls'])).stdout).toContain(folded);
    expect((await station.run(['ls', '--all'])).stdout).toMatch(/^worker +exited/m);
    const second = await station.ask<AnswerView>('handoff', 'worker', 'And again: @@say 43');
    expect(second).toMatchObject({ outcome: 'answered', message: { body: '43' } });
    const again = await station.untilStatus('worker', 'exited');
    expect(again).toMatchObject({ epoch: 2, endedBy: 'task' });
  });

  test('rule 55: one that a person stopped stays stopped, and the sender is told how to bring it back', async () => {
    const station = await openStation();
    await endedWorker(station);
    await station.ask('stop', 'worker');
    expect(await station.agent('worker')).toMatchObject({ endedBy: 'person' });
    const refused = await station.run(['assign', 'worker', 'Again']);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('signalbox restart worker');
    const sent = await station.run(['send', 'worker', 'Hello']);
    expect(sent.stderr).toContain('it gets its messages after `signalbox restart worker`');
  });

  test('rule 55: two messages at once start it once, and it gets both', async () => {
    const station = await openStation();
    const { id } = await endedWorker(station);
    const sent = await Promise.all(
      ['one', 'two'].map((word) => station.run(['send', 'worker', `Now @@say ${word}`])),
    );
    for (const { code, stderr } of sent) {
      expect([code, stderr]).toEqual([0, expect.stringContaining('comes back')]);
    }
    await waitUntil(
      'both messages',
      async () => {
        const { messages } = await station.list('worker', ['injected', 'seen', 'acked']);
        return messages.length >= 3;
      },
      120_000,
    );
    expect(await station.agent('worker')).toMatchObject({ id, epoch: 2 });
  });

  test('rule 55: it is kept while a person is attached, as `status` says, and ends when nobody is', async () => {
    const station = await openStation();
    const waiting = station.run([
      'handoff',
      'scripted',
      'Go @@work 3s @@say ok',
      '--name',
      'worker',
    ]);
    await station.untilStatus('worker', 'processing');
    const person = await attachTo(station, 'worker');
    expect((await waiting).code).toBe(0);
    await station.until('worker', ({ endingCode }) => endingCode === 'attached', 'attached');
    const shown = (await station.run(['status', 'worker'])).stdout;
    expect(shown).toContain('kept: you are attached to its terminal');
    person.leave();
    expect(await station.untilStatus('worker', 'exited')).toMatchObject({ endedBy: 'task' });
  });

  test('rule 55: a worker of an assign ends after the rest that is set, one that is kept does not', async () => {
    const station = await openStation({ settings: { 'idle-stop': '2s' } });
    await station.ask('assign', 'scripted', 'Go @@say done', '--name', 'worker');
    const unread = ({ endingCode }: AgentView): boolean => endingCode === 'answer-unread';
    await station.until('worker', unread, 'an answer that nobody has read');
    await station.drain('user');
    expect(await station.untilStatus('worker', 'exited')).toMatchObject({ endedBy: 'rest' });
    const kept = await station.run([
      'handoff',
      'scripted',
      'Go @@say kept',
      '--name',
      'kept',
      '--keep',
    ]);
    expect([kept.code, kept.stdout]).toEqual([0, 'kept\n']);
    expect(await station.agent('kept')).not.toHaveProperty('endingCode');
  });

  test('rules 55, 39: stop_agent stops a child of its caller alone, and a task of the parent brings that back', async () => {
    const station = await openStation();
    const other = await station.launch('other');
    const proxy = startProxy(await launchLead(station));
    const child = { profile: 'scripted', name: 'child', task: 'Go @@say one', keep: true };
    expect((await proxy.call('handoff', child)).structuredContent.outcome).toBe('answered');
    const stop = async (agent: string) => proxy.call('stop_agent', { agent });
    expect((await stop('child')).structuredContent).toEqual({ agent: 'child', outcome: 'stopped' });
    expect((await stop(other.name)).isError).toBe(true);
    expect(await station.untilStatus('child', 'exited')).toMatchObject({ endedBy: 'parent' });
    const peer = await station.runAs(other.id, ['assign', 'child', 'Mine', '--json']);
    expect(peer.code).toBe(5);
    const more = { profile: 'child', task: 'Go @@say two' };
    const answer = (await proxy.call('handoff', more)).structuredContent;
    expect(answer).toMatchObject({ outcome: 'answered', answer: 'two' });
    expect((await station.agent('other')).status).toBe('idle');
  });

  const handOff = async (count: number): Promise<void> => {
    // The one before has ended when the next is launched, or there would be no room.
    const station = await openStation({ settings: { 'breadth-limit': 2 } });
    const proxy = startProxy(await launchLead(station));
    for (let n = 1; n <= count; n++) {
      const task = { profile: 'scripted', name: `worker-${n}`, task: `Go @@say ${n}` };
      const { outcome, answer } = (await proxy.call('handoff', task)).structuredContent;
      expect([outcome, answer]).toEqual(['answered', String(n)]);
    }
    // The last answer is read with a further call.
    await proxy.call('list_agents');
    const workers = await waitUntil(
      'no running worker',
      async () => {
        const { agents } = await station.ask<{ agents: readonly AgentView[] }>('ls');
        const found = agents.filter(({ name }) => name.startsWith('worker-'));
        return found.every(({ status }) => status === 'exited') ? found : undefined;
      },
      120_000,
    );
    expect(workers.map(({ endedBy }) => endedBy)).toEqual(Array(count).fill('task'));
    const letters = await station.ask<{ messages: unknown[] }>('dead-letters', 'list');
    expect(letters.messages).toEqual([]);
    for (const { name } of workers) {
      const { messages } = await station.list(name, every);
      expect(messages.map(({ kind }) => kind)).toEqual(['task']);
    }
    const terminals = await station.terminals();
    expect(new Set(terminals).size).toBe(1);
  };

  test('rule 55: four handoffs in a row leave no running worker and no dead letter', () =>
    handOff(4));

  test(
    'rule 55: fifty handoffs in a row leave no running worker and no dead letter',
    {
      tags: ['full'],
      timeout: 1_800_000,
    },
    () => handOff(50),
  );
});

/** What processes of the lead's terminal know. */
async function launchLead(station: Station): Promise<Readonly<Record<string, string>>> {
  await station.launch('lead');
  const { pid } = await station.pane('lead');
  return readEnvironment(pid) ?? {};
}
