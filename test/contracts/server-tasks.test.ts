import { expect, test } from 'vitest';
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
