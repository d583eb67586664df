import { expect, test } from 'vitest';
import type { SignalEvent } from '../../src/events/topics.ts';
import { read, StreamReader, TestServer } from '../support/server.ts';
import { waitFor } from '../support/wait-for.ts';

test('E1: the event stream follows the topics that were asked for', async () => {
  const server = new TestServer();
  const stream = new StreamReader(
    await server.ask('/events?topic=agent.*.exited&topic=message.*.dead'),
  );
  server.bus.publish(message('msg_1', 'queued'));
  server.bus.publish(exited('agt_1'));
  server.bus.publish(message('msg_2', 'dead'));
  expect(await stream.nextView()).toMatchObject({ id: 'boot1-2', topic: 'agent.agt_1.exited' });
  expect(await stream.nextView()).toEqual({
    id: 'boot1-3',
    topic: 'message.msg_2.dead',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    data: { state: 'dead', from: 'agt_a', to: 'agt_b' },
  });
  await stream.cancel();
});

test('E1: Last-Event-ID brings what was missed, then goes on, without a gap or a double', async () => {
  const server = new TestServer();
  for (let i = 1; i <= 4; i++) server.bus.publish(message(`msg_${i}`, 'queued'));
  const headers = { 'last-event-id': 'boot1-2' };
  const stream = new StreamReader(await server.ask('/events', { headers }));
  server.bus.publish(message('msg_5', 'queued'));
  const ids = [await stream.nextView(), await stream.nextView(), await stream.nextView()];
  expect(ids.map(({ id }) => id)).toEqual(['boot1-3', 'boot1-4', 'boot1-5']);
  await stream.cancel();
});

test("E1: an earlier daemon's id is answered with a gap and the current status of every agent", async () => {
  const server = new TestServer({ boot: 'boot2' });
  const { id } = await server.add('worker');
  const known = { status: 'idle', source: 'hook', since: 0, composer: 'empty', notes: [] } as const;
  server.fleet.lives.set(id, known);
  server.bus.publish(message('msg_1', 'queued'));
  const headers = { 'last-event-id': 'boot1-7' };
  const stream = new StreamReader(await server.ask('/events?topic=agent.*.status', { headers }));
  const gap = await stream.next();
  expect(gap).toMatch(/^event: gap\nid: boot2-1\ndata: \{.*"reason":"unknown-id"/);
  expect((await stream.nextView()).data).toMatchObject({ name: 'user' });
  expect(await stream.nextView()).toMatchObject({
    id: 'boot2-1',
    topic: `agent.${id}.status`,
    data: { name: 'worker', status: 'idle', since: '1970-01-01T00:00:00.000Z' },
  });
  await stream.cancel();
});

test('E1: a client that does not read loses events within bounds, is told so, and gets the state', async () => {
  const server = new TestServer({ mailboxLimit: 10 });
  const stream = new StreamReader(await server.ask('/events'));
  for (let i = 0; i < 100; i++) server.bus.publish(message(`msg_${i}`, 'queued'));
  for (let i = 0; i < 10; i++) {
    expect((await stream.nextView()).topic).toBe(`message.msg_${i}.queued`);
  }
  expect(await stream.nextView()).toMatchObject({
    topic: 'gap',
    data: { reason: 'too-slow', lost: 90 },
  });
  expect((await stream.nextView()).data).toMatchObject({ name: 'user' });
  server.bus.publish(message('msg_100', 'queued'));
  expect((await stream.nextView()).topic).toBe('message.msg_100.queued');
  await stream.cancel();
});

test('a client that goes away releases its subscription', async () => {
  const server = new TestServer();
  const stream = new StreamReader(await server.ask('/events'));
  expect(server.bus.subscribers).toBe(1);
  const next = stream.next();
  await stream.cancel();
  await next;
  await waitFor(() => expect(server.bus.subscribers).toBe(0));
});

test('the end of the bus ends the streams', async () => {
  const server = new TestServer();
  const stream = new StreamReader(await server.ask('/events'));
  server.bus.close();
  expect(await stream.next()).toBeUndefined();
});

test('recent events are one document, oldest first', async () => {
  const server = new TestServer();
  server.bus.publish(exited('agt_1'));
  server.bus.publish(exited('agt_2'));
  const { events } = await read(await server.ask('/events/recent?topic=agent.*.*'));
  expect(events.map(({ topic }: { topic: string }) => topic)).toEqual([
    'agent.agt_1.exited',
    'agent.agt_2.exited',
  ]);
});

test('raw output is followed, joined, bounded with the loss told, and ends with the agent', async () => {
  const server = new TestServer();
  const { id } = await server.add('worker');
  const stream = new StreamReader(await server.ask('/agents/worker/stream'));
  const tell = (bytes: Buffer) => {
    for (const follower of server.fleet.followers) follower({ kind: 'bytes', bytes });
  };
  tell(Buffer.from([0xff]));
  tell(Buffer.from('b'));
  expect(await piece(stream)).toEqual({ bytes: Buffer.from([0xff, 0x62]).toString('base64') });
  for (let i = 0; i < 20; i++) tell(Buffer.alloc(100_000));
  let [kept, lost] = [0, 0];
  server.bus.publish(exited(id));
  for (let next = await piece(stream); next; next = await piece(stream)) {
    kept += Buffer.from(next.bytes ?? '', 'base64').length;
    lost += next.lost ?? 0;
  }
  expect([kept, lost]).toEqual([1_000_000, 1_000_000]);
  expect([server.fleet.followers.size, server.bus.subscribers]).toEqual([0, 0]);
});

test('whoever stops following raw output is forgotten', async () => {
  const server = new TestServer();
  await server.add('worker');
  const stream = new StreamReader(await server.ask('/agents/worker/stream'));
  expect([server.fleet.followers.size, server.bus.subscribers]).toEqual([1, 1]);
  await stream.cancel();
  expect([server.fleet.followers.size, server.bus.subscribers]).toEqual([0, 0]);
});

async function piece(stream: StreamReader): Promise<{ bytes?: string; lost?: number } | undefined> {
  const event = await stream.next();
  return event === undefined ? undefined : JSON.parse(event.replace(/^data: /, ''));
}

function exited(agent: string): SignalEvent {
  return {
    kind: 'exited',
    agent,
    data: { session: 'default', name: agent, epoch: 1, cause: 'exit' },
  };
}

function message(id: string, state: 'queued' | 'dead'): SignalEvent {
  return { kind: 'message', message: id, data: { state, from: 'agt_a', to: 'agt_b' } };
}
