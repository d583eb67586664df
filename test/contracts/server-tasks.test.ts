import { expect, test } from 'vitest';
import type { Role } from '../../src/agents/role.ts';
import { as, fault, state } from '../support/mail.ts';
import { read, TestServer } from '../support/server.ts';

test('rule 31: the answer to a task is for whoever gave it; its worker cannot take it', async () => {
  const server = new TestServer();
  const lead = await server.add('lead');
  const worker = await server.add('worker');
  const wanted = { to: 'worker', task: 'Count.', cwd: '/', env: {} };
  const { task } = await read(await server.post('/tasks', wanted, as(lead)));
  const reply = { to: 'lead', body: '42', replyTo: task };
  const { id } = await read(await server.post('/messages', reply, as(worker)));
  const path = `/tasks/${task}/answer?timeoutMs=0`;
  expect(await fault(await server.ask(path, { headers: as(worker) }))).toEqual([
    403,
    'not-allowed',
  ]);
  expect(await state(server, id)).toBe('queued');
  const answer = await read(await server.ask(path, { headers: as(lead) }));
  expect(answer).toMatchObject({ outcome: 'answered', message: { id, body: '42' } });
});

test('rule 51: a task of its parent is a prompt only for a worker whose profile says so', async () => {
  const server = new TestServer();
  const lead = await server.add('lead');
  const peer = await server.add('peer');
  const role: Role = { takesTasksAsPrompts: true };
  await server.add('asked', { parent: lead.id, role });
  await server.add('usual', { parent: lead.id });
  const give = async (to: string, from: Record<string, string>): Promise<boolean | undefined> => {
    const wanted = { to, task: `For ${to}.`, cwd: '/', env: {} };
    const { task } = await read(await server.post('/tasks', wanted, from));
    return (await server.ledger.read((tx) => tx.messages.find(task)))?.isPrompt;
  };
  expect(await give('asked', as(lead))).toBe(true);
  expect(await give('usual', as(lead))).toBe(false);
  expect(await give('asked', as(peer))).toBe(false);
  // A request that shows no token is a script's.
  expect(await give('asked', {})).toBe(false);
});
