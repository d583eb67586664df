import { describe, expect, test } from 'vitest';
import { addRunning, as, fault, send, state } from '../support/mail.ts';
import { read, TestServer } from '../support/server.ts';

describe('an inbox', () => {
  test('is looked into by its owner and the user alone; states choose', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const other = await server.add('other');
    await send(server, 'worker', 'x');
    const ask = (path: string, headers = {}) => server.ask(path, { headers });
    for (const path of ['/agents/self/inbox', '/agents/worker/inbox?state=queued&state=dead']) {
      expect((await read(await ask(path, as(worker)))).messages).toHaveLength(1);
    }
    const acked = await read(await ask('/agents/worker/inbox?state=acked'));
    expect(acked).toEqual({ messages: [], remaining: 0 });
    const refused = await ask('/agents/worker/inbox', as(other));
    expect(await fault(refused)).toEqual([403, 'not-allowed']);
    const taken = await server.post('/agents/worker/inbox/check', {}, as(other));
    expect(await fault(taken)).toEqual([403, 'not-allowed']);
    expect((await ask('/agents/worker/inbox?state=nothing')).status).toBe(400);
  });

  test('rule 16: a check acks what it wrote to its end, outside a terminal', async () => {
    const server = new TestServer();
    await server.add('worker');
    const ids = [await send(server, 'worker', 'a'), await send(server, 'worker', 'b')];
    const response = await server.post('/agents/worker/inbox/check', { max: 1 });
    expect(await state(server, ids[0] ?? '')).toBe('injected');
    expect(await read(response)).toMatchObject({
      messages: [{ id: ids[0], body: 'a' }],
      remaining: 1,
      deadLetters: 0,
    });
    expect(await state(server, ids[0] ?? '')).toBe('acked');
    expect(await state(server, ids[1] ?? '')).toBe('queued');
  });

  test('rule 16: an answer that nobody takes leaves uncertain', async () => {
    const server = new TestServer();
    await server.add('worker');
    const id = await send(server, 'worker');
    const response = await server.post('/agents/worker/inbox/check', {});
    await response.body?.cancel();
    expect(await state(server, id)).toBe('uncertain');
    const again = await read(await server.post('/agents/worker/inbox/check', {}));
    expect(again.messages).toMatchObject([{ id, repeat: true }]);
  });

  test('rule 17: in a terminal the next call answers for what a check handed out', async () => {
    const server = new TestServer();
    const worker = await addRunning(server, 'worker');
    const id = await send(server, 'worker');
    const check = async () => read(await server.post('/agents/self/inbox/check', {}, as(worker)));
    expect((await check()).messages).toMatchObject([{ id }]);
    expect(await state(server, id)).toBe('injected');
    expect((await check()).messages).toEqual([]);
    expect(await state(server, id)).toBe('acked');
  });

  test('POST /messages/ack answers for all or none, and only for one’s own', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    const ids = [await send(server, 'worker'), await send(server, 'worker')];
    const foreign = await send(server, 'user');
    const ack = (wanted: readonly string[]) =>
      server.post('/messages/ack', { ids: wanted }, as(worker));
    expect(await fault(await ack([...ids, 'msg_0']))).toEqual([404, 'message-not-found']);
    expect(await fault(await ack([...ids, foreign]))).toEqual([403, 'not-allowed']);
    expect(await state(server, ids[0] ?? '')).toBe('queued');
    const { messages } = await read(await ack([...ids, ...ids]));
    expect(messages).toEqual(ids.map((id) => ({ id, state: 'acked' })));
  });

  test('POST /agents/{agent}/look is a hint for delivery', async () => {
    const server = new TestServer();
    const worker = await server.add('worker');
    expect((await server.post('/agents/worker/look', '')).status).toBe(204);
    expect(server.delivery.looked).toContain(worker.id);
    server.delivery.looked.length = 0;
    expect((await server.post(`/agents/${worker.id}/look`, '')).status).toBe(204);
    expect(server.delivery.looked).toEqual([worker.id]);
    expect((await server.post('/agents/wroker/look', '')).status).toBe(404);
  });
});
