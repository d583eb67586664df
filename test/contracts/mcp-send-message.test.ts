import { describe, expect, test } from 'vitest';
import { userAgentId } from '../../src/agents/agent.ts';
import { addRunning, send, state } from '../support/mail.ts';
import { callTool, give } from '../support/mcp.ts';
import { TestServer } from '../support/server.ts';

const debts = (server: TestServer, of: string) =>
  server.ledger.read((tx) => tx.debts.listOwedBy(of));

describe('send_message', () => {
  test('rule 30: without `to` it goes to the giver of the open task and settles nothing; `reply_to` does', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'worker');
    const task = await give(server, lead.id, worker.id);
    const begun = await callTool(server, worker, 'send_message', { body: 'I have started.' });
    expect(begun.result).toMatchObject({ to: { name: 'lead' }, owes: [task] });
    expect(begun.result).not.toHaveProperty('replyTo');
    expect(begun.text).toBe(
      'Sent to lead as lead:1. It answers no task: task 1 is still open. End your turn with the answer, or call send_message with reply_to 1.',
    );
    expect(await debts(server, worker.id)).toHaveLength(1);
    const answer = { body: 'Done.', reply_to: task };
    const { result, text } = await callTool(server, worker, 'send_message', answer);
    expect(result).toMatchObject({ to: { name: 'lead' }, replyTo: task, duplicate: false });
    expect(result).not.toHaveProperty('owes');
    expect(text).toBe('Sent to lead as lead:2, about 1.');
    expect(await debts(server, worker.id)).toEqual([]);
  });

  test('rule 30: a question keeps its task open, with `to` and without it', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'worker');
    const task = await give(server, lead.id, worker.id);
    for (const way of [{}, { to: 'lead' }, { receiver_id: 'lead' }, { reply_to: task }]) {
      const asked = { body: 'Why?', question: true, ...way };
      const { result, text } = await callTool(server, worker, 'send_message', asked);
      expect(result).toMatchObject({ to: { name: 'lead' }, replyTo: task, owes: [task] });
      expect(text).toContain('Task 1 stays open until it is answered');
      expect(await debts(server, worker.id)).toMatchObject([{ task, askedBy: result.id }]);
    }
  });

  test('rule 30: tasks of several givers are refused with their ids; `reply_to` or `to` chooses', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'worker');
    const first = await give(server, lead.id, worker.id, 'a');
    await give(server, userAgentId, worker.id, 'b');
    const refused = await callTool(server, worker, 'send_message', { body: 'Done.' });
    expect(refused.result.error.code).toBe('invalid-input');
    for (const part of ['1 (from lead)', '2 (from user)', 'reply_to', '`to`']) {
      expect(refused.text).toContain(part);
    }
    const chosen = { body: 'Done.', reply_to: 2 };
    expect((await callTool(server, worker, 'send_message', chosen)).result.to.name).toBe('user');
    expect((await debts(server, worker.id)).map(({ task }) => task)).toEqual([first]);
    // Of one giver: there is no doubt where it goes, only which task a question is about.
    const third = await give(server, lead.id, worker.id, 'c');
    const told = await callTool(server, worker, 'send_message', { body: 'Soon.' });
    expect(told.result).toMatchObject({ to: { name: 'lead' }, owes: [first, third] });
    const asked = await callTool(server, worker, 'send_message', { body: 'Why?', question: true });
    expect(asked.result.error.code).toBe('invalid-input');
  });

  test('rule 30: a giver that was removed is nobody to report to: it goes to the other one, else to the parent', async () => {
    const server = new TestServer();
    const [lead, gone] = [await addRunning(server, 'lead'), await addRunning(server, 'gone')];
    const worker = await addRunning(server, 'worker');
    await give(server, gone.id, worker.id, 'a');
    const task = await give(server, lead.id, worker.id, 'b');
    await server.ledger.write((tx) => tx.agents.markRemoved(gone.id, Date.now(), true));
    const told = await callTool(server, worker, 'send_message', { body: 'Soon.' });
    expect(told.result).toMatchObject({ to: { name: 'lead' }, owes: [task] });
    await callTool(server, worker, 'send_message', { body: 'Done.', reply_to: task });
    await server.ledger.write((tx) => tx.agents.setParent(worker.id, lead.id));
    const after = await callTool(server, worker, 'send_message', { body: 'What now?' });
    expect(after.result).toMatchObject({ to: { name: 'lead' } });
    expect(after.result).not.toHaveProperty('owes');
  });

  test('without a debt it goes to the parent; without a parent it says what to give', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'worker');
    const lost = await callTool(server, worker, 'send_message', { body: 'Hello?' });
    expect(lost.text).toMatch(/no parent; nothing was sent\. Give `to`/);
    await server.ledger.write((tx) => tx.agents.setParent(worker.id, lead.id));
    const sent = await callTool(server, worker, 'send_message', { body: 'Hello?' });
    expect(sent.result.to.name).toBe('lead');
  });

  test('rule 33: a key makes it repeatable, also when the debt it answered is settled', async () => {
    const server = new TestServer();
    const lead = await addRunning(server, 'lead');
    const worker = await addRunning(server, 'worker');
    const task = await give(server, lead.id, worker.id);
    const answer = { body: 'Done.', key: 'answer-1', reply_to: task };
    const first = await callTool(server, worker, 'send_message', answer);
    const again = await callTool(server, worker, 'send_message', answer);
    expect(again.result).toMatchObject({ id: first.result.id, duplicate: true });
    const other = await callTool(server, worker, 'send_message', { ...answer, body: 'Other.' });
    expect(other.result.error.code).toBe('key-conflict');
    // Without `to` it went to whoever gave the task; said again it goes nowhere else, although that
    // one is settled.
    const second = await give(server, lead.id, worker.id);
    const report = { body: 'Half of it.', key: 'report-1' };
    const told = await callTool(server, worker, 'send_message', report);
    await callTool(server, worker, 'send_message', { body: 'Done.', reply_to: second });
    const repeated = await callTool(server, worker, 'send_message', report);
    expect(repeated.result).toMatchObject({ id: told.result.id, duplicate: true });
  });

  test('a reply goes to the sender of what it answers, and only to messages of one’s own', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const other = await addRunning(server, 'other');
    const id = await send(server, 'worker', 'How is it?');
    const reply = { body: 'Fine.', reply_to: id };
    const refused = await callTool(server, other, 'send_message', reply);
    expect(refused.result.error.code).toBe('not-allowed');
    const sent = await callTool(server, worker, 'send_message', reply);
    expect(sent.result).toMatchObject({ to: { name: 'user' }, replyTo: id });
    expect(await state(server, id)).toBe('acked');
  });

  test('what cannot be sent says what to do: empty, huge, to nobody, half a character', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const say = async (args: object) =>
      (await callTool(server, worker, 'send_message', args)).result.error.code;
    expect(await say({ body: '', to: 'user' })).toBe('invalid-input');
    expect(await say({ body: 7, to: 'user' })).toBe('invalid-input');
    expect(await say({ body: 'x', to: 'wroker' })).toBe('agent-not-found');
    expect(await say({ body: 'x'.repeat(1024 * 1024 + 1), to: 'user' })).toBe('body-too-large');
    expect(await say({ body: 'x', to: 'user', key: '\n' })).toBe('invalid-input');
    // Models fill in what they leave out.
    const blank = { body: 'x', to: 'user', reply_to: '', key: null };
    expect((await callTool(server, worker, 'send_message', blank)).result.duplicate).toBe(false);
  });
});
