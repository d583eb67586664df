import { expect, test } from 'vitest';
import { addRunning, inject } from '../support/mail.ts';
import { callTool } from '../support/mcp.ts';
import { read, TestServer } from '../support/server.ts';

const unwoken =
  'worker is not woken while it is at rest: nothing is pasted there. It waits. Do this.';

async function openSleeper() {
  const server = new TestServer();
  const worker = await addRunning(server, 'worker');
  const lead = await addRunning(server, 'lead');
  const why = { code: 'native-blocked', why: 'nothing is pasted there' } as const;
  const sleeper = { why, until: 'It waits', help: () => 'Do this', isHeardAtTurnEnd: true };
  server.delivery.sleeper = sleeper;
  const works = (status: 'idle' | 'processing') =>
    server.ledger.write((tx) =>
      tx.agents.setStatus(worker.id, { status, source: 'screen', since: 1 }),
    );
  const send = async (key: string) =>
    read(await server.post('/messages', { to: 'worker', body: key, key }));
  const give = async (key: string) =>
    read(await server.post('/tasks', { to: 'worker', task: key, key, cwd: '/', env: {} }));
  return { server, worker, lead, works, send, give };
}

test('rule 48: whoever sends to an agent that no message wakes learns at once that it waits', async () => {
  const { server, lead, send, give } = await openSleeper();
  expect(await send('m')).toMatchObject({ state: 'queued', unwoken });
  expect(await give('t')).toMatchObject({ duplicate: false, unwoken });
  const { result, text } = await callTool(server, lead, 'send_message', {
    to: 'worker',
    body: 'x',
  });
  expect(result).toMatchObject({ unwoken });
  expect(text).toContain(unwoken);
});

test('rule 48: nothing is said of what goes in at the end of the turn that runs, or has gone in', async () => {
  const { server, worker, lead, works, send, give } = await openSleeper();
  await send('m');
  await give('t');
  await works('processing');
  const during = [await send('m2'), await give('t2')];
  const { result } = await callTool(server, lead, 'assign', { profile: 'worker', task: 'x' });
  await works('idle');
  await inject(server, worker, 'turn-boundary', false);
  const after = [await send('m'), await give('t')];
  expect(after.map(({ duplicate }) => duplicate)).toEqual([true, true]);
  for (const document of [...during, ...after, result]) {
    expect(document).not.toHaveProperty('unwoken');
  }
});

test('rule 53: what is broken, and is put up again, is said instead', async () => {
  const { server, lead, give } = await openSleeper();
  server.delivery.sleeper = undefined;
  const blocked = { code: 'hook-missing' } as const;
  const trouble = { blocked, cannot: undefined, isTried: true, meanwhile: 'deaf' } as const;
  server.delivery.trouble = trouble;
  expect(await give('t')).not.toHaveProperty('unwoken');
  const { result } = await callTool(server, lead, 'assign', { profile: 'worker', task: 'x' });
  expect(result).toMatchObject({
    broken:
      '"worker": it cannot be woken: no waiting hook of it is connected; it is being put up again',
  });
  expect(result).not.toHaveProperty('unwoken');
});
