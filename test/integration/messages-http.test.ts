import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { type DaemonBox, openDaemonBox } from '../support/daemon.ts';
import { waitUntil } from '../support/wait-until.ts';

const type = { 'content-type': 'application/json' };

async function openBox(): Promise<DaemonBox> {
  const box = openDaemonBox();
  await box.ask('agents', 'add', 'puller');
  await box.ask('up');
  return box;
}

const post = (box: DaemonBox, path: string, body: object) =>
  box.http({ path, method: 'POST', headers: type, body: JSON.stringify(body) });

test('200 senders at once over the socket are all accepted, and drained whole', async () => {
  const box = await openBox();
  const bodies = Array.from({ length: 200 }, (_, i) => `${i}`);
  const sent = await Promise.all(
    bodies.map((body) => post(box, '/messages', { to: 'puller', body })),
  );
  expect(sent.map(({ status }) => status)).toEqual(bodies.map(() => 201));
  const { messages } = await box.drain('puller');
  expect(messages.map(({ body }) => body).toSorted()).toEqual(bodies.toSorted());
});

test('rule 16: a check over the socket is acked when its answer was read to its end', async () => {
  const box = await openBox();
  const id = await box.send('puller', 'x'.repeat(300_000));
  const answer = await post(box, '/agents/puller/inbox/check', {});
  expect([answer.status, answer.json().messages[0].body.length]).toEqual([200, 300_000]);
  expect((await box.explain(id)).message.state).toBe('acked');
});

test('rule 16: a client that goes away in the middle of its answer leaves uncertain', {
  tags: ['full'],
}, async () => {
  const box = await openBox();
  await box.ask('config', 'set', 'body-limit', '20MiB');
  // More than the socket holds.
  const id = await box.send('puller', 'x'.repeat(8_000_000));
  const client = connect(box.info().socket);
  const head =
    'POST /agents/puller/inbox/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  client.write(`${head}content-length: 2\r\n\r\n{}`);
  await new Promise<void>((resolve) => client.once('data', () => resolve()));
  client.destroy();
  await waitUntil(
    'the loss to be written down',
    async () => (await box.explain(id)).message.state === 'uncertain',
  );
  expect((await box.drain('puller')).messages).toMatchObject([{ id, repeat: true }]);
});
