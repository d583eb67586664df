import { describe, expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { completeTurn } from '../../src/fleet/complete-turn.ts';
import { headers } from '../../src/protocol/daemon.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { addRunning, send, state } from '../support/mail.ts';
import { callTool, give, postTool, readCall } from '../support/mcp.ts';
import { StreamReader, TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';

async function openTeam() {
  const server = new TestServer();
  const lead = await addRunning(server, 'lead');
  const worker = await addRunning(server, 'worker');
  await server.ledger.write((tx) => tx.agents.setParent(worker.id, lead.id));
  return { server, lead, worker };
}

/** The task of a call that waits for its answer. */
async function waitedFor(server: TestServer, { id }: Agent): Promise<string> {
  const find = async () => {
    const [debt] = await server.ledger.read((tx) => tx.debts.listOwedBy(id));
    return debt?.waiter && debt.task;
  };
  return waitUntil('a waiter', find);
}

const tell = async (server: TestServer, { name }: Agent, body: string, more: object = {}) =>
  (await callTool(server, { name }, 'send_message', { body, ...more })).result.id as string;

/** The worker's turn, which read the task, ends with these words. */
async function end(server: TestServer, { id }: Agent, task: string, summary: string) {
  const turn = { session: 's1', id: task, stop: 1 };
  const given = { child: id, turn, outcome: 'completed', summary, entered: [task] } as const;
  const [completion] = await completeTurn(server.ledger, systemClock, given);
  return completion;
}

const inboxOf = async (server: TestServer, { name }: Agent) =>
  (await callTool(server, { name }, 'check_inbox')).result.messages;

describe('what a worker sends its giver during a handoff', () => {
  test('rule 31: is in the result before its last words, and is not delivered again', async () => {
    const { server, lead, worker } = await openTeam();
    const early = await send(server, 'lead', 'of somebody else');
    const waiting = callTool(server, lead, 'handoff', { profile: 'worker', task: 'Count.' });
    const task = await waitedFor(server, worker);
    const first = await tell(server, worker, 'It is 41.');
    const second = await tell(server, worker, 'No, 42.', { receiver_id: 'lead' });
    // Nobody else may carry it meanwhile.
    expect(await state(server, first)).toBe('claimed');
    await end(server, worker, task, 'Done.');
    const { result, text } = await waiting;
    expect(result).toMatchObject({
      ...{ outcome: 'answered', answer: 'Done.', task },
      reports: [
        { id: first, body: 'It is 41.', from: { name: 'worker', role: 'child' } },
        { id: second, body: 'No, 42.' },
      ],
    });
    // Codex 0.166.0 shows its model the document alone.
    const fields = Object.keys(result);
    expect(fields.indexOf('reports')).toBeLessThan(fields.indexOf('answer'));
    const places = ['has answered your task', 'It is 41.', 'No, 42.', '\nDone.'];
    const at = places.map((place) => text.indexOf(place));
    expect(at.toSorted((a, b) => a - b)).toEqual(at);
    expect(at).not.toContain(-1);
    expect(text).toMatch(
      /it sent you before this: \d+, \d+ · |it sent you before this: \d+, \d+\n/,
    );
    const messages = await inboxOf(server, lead);
    expect(messages.map(({ id }: { id: string }) => id)).toEqual([early]);
    for (const id of [first, second, result.message]) expect(await state(server, id)).toBe('acked');
  });

  test('rule 17: is taken only with the answer, by the same proof; lost with it, it comes again, marked', async () => {
    const { server, lead, worker } = await openTeam();
    const confirmed = { [headers.handOver]: 'confirmed' };
    const call = { profile: 'worker', task: 'Count.' };
    const response = postTool(server, lead, 'handoff', call, confirmed);
    const task = await waitedFor(server, worker);
    const report = await tell(server, worker, 'It is 42.');
    const completion = await end(server, worker, task, 'Done.');
    const stream = new StreamReader(await response);
    const { result } = readCall((await stream.next()) ?? '');
    expect(result.reports).toMatchObject([{ id: report }]);
    expect(await state(server, report)).toBe('injected');
    await stream.cancel();
    expect(await state(server, report)).toBe('uncertain');
    const again = await inboxOf(server, lead);
    expect(again).toMatchObject([
      { id: report, repeat: true },
      { id: completion?.id, repeat: true },
    ]);
  });

  test('rule 31: of a call that was cancelled comes as the message it is, unmarked', async () => {
    const { server, lead, worker } = await openTeam();
    const gone = new AbortController();
    const body = {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'handoff', arguments: { profile: 'worker', task: 'Count.' } },
    };
    const request = new Request('http://localhost/mcp', {
      ...{ method: 'POST', body: JSON.stringify(body), signal: gone.signal },
      headers: { 'content-type': 'application/json', authorization: 'Bearer tok_lead' },
    });
    const response = await server.fetch(request);
    const task = await waitedFor(server, worker);
    const report = await tell(server, worker, 'It is 42.');
    gone.abort();
    await response.body?.cancel();
    await waitUntil(
      'the report in the queue',
      async () => (await state(server, report)) === 'queued',
    );
    await end(server, worker, task, 'Done.');
    const messages = await inboxOf(server, lead);
    expect(messages).toMatchObject([{ id: report }, { body: 'Done.', reports: [report] }]);
    for (const message of messages) expect(message).not.toHaveProperty('repeat');
  });

  test('rule 31: is in the handle, too, and said again with the same key only what came since', async () => {
    const { server, lead, worker } = await openTeam();
    const call = { profile: 'worker', task: 'Count.', timeout_seconds: 1, key: 'k' };
    const waiting = callTool(server, lead, 'handoff', call);
    const task = await waitedFor(server, worker);
    const first = await tell(server, worker, 'I have started.');
    const handle = await waiting;
    expect(handle.result).toMatchObject({ outcome: 'pending', task, reports: [{ id: first }] });
    const second = await tell(server, worker, 'Half of it.');
    const urgent = await tell(server, worker, 'Look!', { urgent: true });
    const more = callTool(server, lead, 'handoff', call);
    await waitedFor(server, worker);
    await end(server, worker, task, 'Done.');
    expect((await more).result).toMatchObject({ answer: 'Done.', reports: [{ id: second }] });
    // It may go in at any moment, and takes its own way.
    expect(await inboxOf(server, lead)).toMatchObject([{ id: urgent }]);
    expect(await state(server, first)).toBe('acked');
  });

  test('rules 30, 31: a question ends the wait: its worker will not go on before it is answered', async () => {
    const { server, lead, worker } = await openTeam();
    const waiting = callTool(server, lead, 'handoff', { profile: 'worker', task: 'Count.' });
    const task = await waitedFor(server, worker);
    const question = await tell(server, worker, 'What?', { question: true });
    const { result, text } = await waiting;
    expect(result).toMatchObject({ outcome: 'pending', task, reports: [{ id: question }] });
    expect(text).toContain('It asks you something and waits for your word');
    expect(text).toContain('Answer: send_message with reply_to.');
    expect(text).toContain(' 1 message from worker (child) · answers worker:1');
    await callTool(server, lead, 'send_message', { body: 'Sheep.', reply_to: question });
    await end(server, worker, task, 'Seven sheep.');
    expect(await inboxOf(server, lead)).toMatchObject([{ body: 'Seven sheep.', replyTo: [task] }]);
  });

  test('rule 17: is bounded: what has no room beside the answer comes as a message', async () => {
    const { server, lead, worker } = await openTeam();
    const waiting = callTool(server, lead, 'handoff', { profile: 'worker', task: 'Count.' });
    const task = await waitedFor(server, worker);
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(await tell(server, worker, `${n}${'x'.repeat(5000)}`));
    await end(server, worker, task, 'Done.');
    const { result, text } = await waiting;
    expect(result.reports.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(Buffer.byteLength(text)).toBeLessThan(16 * 1024);
    const left = await inboxOf(server, lead);
    expect(left).toMatchObject([{ id: ids[2] }]);
    expect(left[0]).not.toHaveProperty('repeat');
  });

  test('rule 13: one that is long is begun there, and goes on with check_inbox', async () => {
    const { server, lead, worker } = await openTeam();
    const waiting = callTool(server, lead, 'handoff', { profile: 'worker', task: 'Count.' });
    const task = await waitedFor(server, worker);
    const report = await tell(server, worker, 'a long line\n'.repeat(2000));
    await end(server, worker, task, 'Done.');
    expect((await waiting).result.reports).toMatchObject([
      { id: report, part: { number: 1, of: 3 } },
    ]);
    expect(await inboxOf(server, lead)).toMatchObject([{ id: report, part: { number: 2, of: 3 } }]);
  });
});

describe('what a worker sends its giver after an assign', () => {
  test('rule 30: settles nothing, comes as messages, and the completion names it', async () => {
    const { server, lead, worker } = await openTeam();
    const task = await give(server, lead.id, worker.id);
    const reports = [
      await tell(server, worker, 'It is 41.'),
      await tell(server, worker, 'No, 42.', { to: 'lead' }),
    ];
    await tell(server, worker, 'for another', { to: 'user' });
    const completion = await end(server, worker, task, 'Done.');
    expect(completion).toMatchObject({ replyTo: [task], reports });
    const { result, text } = await callTool(server, lead, 'check_inbox');
    expect(result.messages).toMatchObject([
      { id: reports[0] },
      { id: reports[1] },
      { body: 'Done.', replyTo: [task], reports },
    ]);
    expect(text).toContain('answers worker:1 · it sent you before this: 1, 2');
    // The next task begins anew.
    const next = await give(server, lead.id, worker.id);
    expect(await end(server, worker, next, 'Done.')).not.toHaveProperty('reports');
  });

  test('what answers one task is no report on another', async () => {
    const { server, lead, worker } = await openTeam();
    const [first, second] = [
      await give(server, lead.id, worker.id),
      await give(server, lead.id, worker.id),
    ];
    await tell(server, worker, 'This is it.', { reply_to: first });
    expect(await end(server, worker, second, 'Done.')).not.toHaveProperty('reports');
  });
});

test('rule 48: a timeout_seconds above what one call may take says so in the result', async () => {
  const { server, lead, worker } = await openTeam();
  const waiting = callTool(server, lead, 'handoff', {
    ...{ profile: 'worker', task: 'Count.', timeout_seconds: 600 },
  });
  const task = await waitedFor(server, worker);
  await end(server, worker, task, '42');
  const { result, text } = await waiting;
  expect(result.limit).toMatch(/600 is more than a call of yours may take; .* at most 45 s\.$/);
  expect(text).toContain(result.limit);
});
