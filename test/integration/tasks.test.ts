import { describe, expect, test } from 'vitest';
import type { AgentView } from '../../src/protocol/agents.ts';
import type { MessageView } from '../../src/protocol/messages.ts';
import type { AnswerView, TaskView } from '../../src/protocol/tasks.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

const patienceMs = 120_000;
type Answered = AnswerView & { readonly error?: { readonly code: string } };

const list = async (station: Station): Promise<readonly AgentView[]> =>
  (await station.ask<{ agents: readonly AgentView[] }>('ls')).agents;

describe.runIf(hasTmux)('tasks between agents, on the command line', () => {
  test('rule 31: a handoff launches a worker, waits, and prints its answer alone', async () => {
    const station = await openStation();
    const ended = await station.run(['handoff', 'scripted', 'Add up: @@work 200ms @@say 42']);
    expect([ended.code, ended.stdout]).toEqual([0, '42\n']);
    expect(ended.stderr).toMatch(
      /^scripted-1:\d+ given to scripted-1, which was launched for it; waiting/,
    );
    const [worker] = (await list(station)).filter(({ name }) => name === 'scripted-1');
    expect(worker).not.toHaveProperty('owes');
    const inbox = await station.ask<{ messages: unknown[] }>('inbox', 'list');
    expect(inbox.messages).toEqual([]);
  });

  test('E11: a second task goes to the same worker, and a turn too short to be seen is answered', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.launch('worker');
    for (const word of ['one', 'two']) {
      const answer = await station.ask<Answered>('handoff', 'worker', `Now @@say ${word}`);
      expect(answer).toMatchObject({ outcome: 'answered', message: { body: word } });
      expect(answer).not.toHaveProperty('handOver');
    }
  });

  test('rule 30: an assign returns at once, `ls` shows who owes whom, and the answer is a message', async () => {
    const station = await openStation();
    await station.launch('worker');
    const given = await station.ask<TaskView>('assign', 'worker', 'Go @@ask question x @@say done');
    expect(given).toMatchObject({ agent: { name: 'worker' }, launched: false, duplicate: false });
    const owing = (await list(station)).find(({ name }) => name === 'worker');
    expect(owing?.owes).toMatchObject([{ task: given.task, to: { name: 'user' } }]);
    expect((await station.run(['ls'])).stdout).toMatch(
      /^worker .* owes user: Go @@ask question x/m,
    );
    // Its turn lasts until a person has answered.
    await station.untilStatus('worker', 'waiting');
    const { pane } = await station.pane('worker');
    await station.tmux('send-keys', '-t', pane, 'Enter');
    const [answer] = await waitUntil(
      'the answer',
      async () => {
        const { messages } = await station.ask<{ messages: { body: string; replyTo: string[] }[] }>(
          ...['inbox', 'list'],
        );
        return messages.length > 0 ? messages : undefined;
      },
      patienceMs,
    );
    expect(answer).toMatchObject({ body: 'done', replyTo: [given.task] });
  });

  test('rule 33: a key gives the task once, also to a worker that is launched for it', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const give = () =>
      station.ask<TaskView>('assign', 'scripted', 'Go @@work 1s @@say ok', '--key', 'k1');
    const both = await Promise.all([give(), give()]);
    expect(new Set(both.map(({ task }) => task)).size).toBe(1);
    expect(both.map(({ duplicate }) => duplicate).toSorted()).toEqual([false, true]);
    const workers = (await list(station)).filter(({ provider }) => provider === 'scripted');
    expect(workers.map(({ id }) => id)).toEqual([both[0]?.agent.id]);
    const other = await station.run(['assign', 'scripted', 'Another', '--key', 'k1', '--json']);
    expect([other.code, other.json<Answered>().error?.code]).toEqual([5, 'key-conflict']);
  });

  test('E12, rule 31: the limit ends the wait, and the answer comes as a message', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.launch('worker');
    const args = ['handoff', 'worker', 'Go @@work 2s @@say late', '--timeout', '100ms', '--json'];
    const ended = await station.run(args);
    expect(ended.code).toBe(4);
    expect(ended.json<Answered>()).toMatchObject({
      outcome: 'pending',
      error: { code: 'timed-out' },
    });
    await waitUntil(
      'the answer',
      async () => (await station.run(['inbox', 'list'])).stdout.includes('late'),
      patienceMs,
    );
  });

  test('E12: a worker that dies, or is removed, ends the wait at once', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.launch('worker');
    const died = await station.run(['handoff', 'worker', 'Now @@crash', '--json']);
    expect([died.code, died.json<Answered>().outcome]).toEqual([1, 'exited']);
    for (const command of ['handoff', 'assign']) {
      const late = await station.run([command, 'worker', 'Another', '--json']);
      expect([late.code, late.json<Answered>().error?.code]).toEqual([5, 'agent-exited']);
    }
    await station.launch('other');
    const waiting = station.run(['handoff', 'other', 'Go @@work 600s', '--json']);
    await station.untilStatus('other', 'processing');
    await station.ask('rm', 'other');
    const removed = await waiting;
    expect([removed.code, removed.json<Answered>().outcome]).toEqual([1, 'removed']);
    expect(removed.json<Answered>().message?.body).toBe('It was removed in the middle of a turn.');
    // That was the one word about it: nothing bounces as well.
    const inbox = await station.ask<{ messages: unknown[] }>('inbox', 'list');
    expect(inbox.messages).toEqual([]);
  });

  test('rules 30, 39: nobody gives itself or the user a task, nor one that waits for it', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    const { id } = await station.launch('worker');
    const refused = await station.run(['assign', 'user', 'x', '--json']);
    expect([refused.code, refused.json<Answered>().error?.code]).toEqual([5, 'not-allowed']);
    const self = await station.run(['assign', 'worker', 'x'], { env: { SIGNALBOX_AGENT: id } });
    expect(self.stderr).toContain('That is yourself.');
    const { id: lead } = await station.launch('lead');
    const as = { env: { SIGNALBOX_AGENT: lead } };
    expect((await station.run(['assign', 'worker', 'Go @@work 600s'], as)).code).toBe(0);
    const circle = await station.run(['assign', 'lead', 'x'], { env: { SIGNALBOX_AGENT: id } });
    expect([circle.code, circle.stderr]).toEqual([
      5,
      expect.stringContaining('"lead" waits for your own answer'),
    ]);
  });
});

describe.runIf(hasTmux)('a daemon killed with -9 during a handoff', () => {
  test('rule 31: while it waits: the next daemon is asked, and the answer is printed once', async () => {
    const station = await openStation();
    await station.launch('worker');
    const waiting = station.run(['handoff', 'worker', 'Go @@work 4s @@say survived', '--json']);
    await station.untilStatus('worker', 'processing');
    await station.killDaemon();
    const ended = await waiting;
    expect(ended.code).toBe(0);
    expect(ended.json<Answered>()).toMatchObject({
      outcome: 'answered',
      message: { body: 'survived' },
    });
    const inbox = await station.ask<{ messages: unknown[] }>('inbox', 'list');
    expect(inbox.messages).toEqual([]);
  });

  test('rule 31: after it took the answer: nothing is lost, and the second copy is marked', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.launch('worker');
    await station.ask('down');
    const env = { SIGNALBOX_FAILPOINTS: 'handoff.taken=kill' };
    expect((await station.run(['up'], { env })).code).toBe(0);
    await station.untilStatus('worker', 'idle');
    const ended = await station.run(['handoff', 'worker', 'Go @@work 1s @@say word', '--json']);
    // Asked again, the next daemon knows that the answer was on its way: it comes as a message.
    expect(ended.json<Answered>().outcome).toMatch(/^(answered|elsewhere)$/);
    if (ended.json<Answered>().outcome === 'elsewhere') {
      const { stdout } = await station.run(['inbox', 'drain']);
      expect(stdout).toContain('word');
      expect(stdout).toMatch(/repeat/i);
    }
  });

  test('rules 27, 31: between the two lives of a restart: whoever gave the worker a task is told', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.launch('worker');
    await station.ask('assign', 'worker', 'Go @@work 600s');
    await station.untilStatus('worker', 'processing');
    await station.ask('down');
    const env = { SIGNALBOX_FAILPOINTS: 'restart.stopped=kill' };
    expect((await station.run(['up'], { env })).code).toBe(0);
    expect((await station.run(['restart', 'worker'])).code).not.toBe(0);
    expect((await station.run(['up'])).code).toBe(0);
    await waitUntil(
      'the word that no answer will come',
      async () => {
        const { messages } = await station.ask<{ messages: MessageView[] }>('inbox', 'list');
        return messages.some(({ body }) => body.includes('before it had answered: restarted'));
      },
      patienceMs,
    );
  });
});
