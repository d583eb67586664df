import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EventView } from '../../src/protocol/events.ts';
import { start } from '../support/cli.ts';
import { type DaemonBox, openDaemonBox, openRequest } from '../support/daemon.ts';
import { waitUntil } from '../support/wait-until.ts';
import { expectFault } from './fixtures/expect-fault.ts';

describe('requests over the real socket', () => {
  test('a body of 5 MB is refused whether its length is announced or not, and the daemon goes on', async () => {
    const box = await openRunning();
    const body = JSON.stringify({ message: 'x'.repeat(5_000_000) });
    const headers = { 'content-type': 'application/json' };
    const length = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
    for (const given of [length, { ...headers, 'transfer-encoding': 'chunked' }]) {
      const answer = await box.http({ path: '/agents', method: 'POST', headers: given, body });
      expect([answer.status, answer.json().error.code]).toEqual([413, 'body-too-large']);
    }
    expect((await box.http({ path: '/health' })).status).toBe(200);
  });

  test('malformed JSON, an unknown route and an upgrade get fault documents', async () => {
    const box = await openRunning();
    const headers = { 'content-type': 'application/json' };
    const answers = await Promise.all([
      box.http({ path: '/agents', method: 'POST', headers, body: '{"half' }),
      box.http({ path: '/frobnicate' }),
      box.http({ path: '/events', headers: { connection: 'upgrade', upgrade: 'websocket' } }),
    ]);
    expect(answers.map(({ status, json }) => [status, json().error.code])).toEqual([
      [400, 'invalid-input'],
      [404, 'route-not-found'],
      [400, 'invalid-input'],
    ]);
    expect(answers.map(({ headers: given }) => given['signalbox-protocol'])).toEqual([
      '1',
      '1',
      '1',
    ]);
    expect(await subscribers(box)).toBe(0);
  });

  test('a wrong token is 401 on every path, with a body of 5 MB behind it or none, and the daemon goes on', {
    tags: ['full'],
  }, async () => {
    const box = await openRunning();
    const headers = { authorization: 'Bearer tok_00000000000000000000000000' };
    const bodies = ['{}', `"${'x'.repeat(5_000_000)}"`];
    for (const path of ['/hooks/Stop', '/hooks/wait?pid=1', '/shutdown', '/agents', '/mcp']) {
      for (const body of bodies) {
        const answer = await box.http({ path, method: 'POST', headers, body }).catch(cutOff);
        expect([path, answer.status]).toEqual([path, 401]);
      }
    }
    for (const path of ['/agents', '/events', '/health', '/openapi.json', '/nowhere']) {
      expect([path, (await box.http({ path, headers })).status]).toEqual([path, 401]);
    }
    expect((await box.http({ path: '/health' })).status).toBe(200);
    expect((await box.run(['logs'])).stdout).not.toMatch(/tok_0/);
  });

  test('an agent cannot end the daemon with `signalbox down`; the user can', async () => {
    const box = await openRunning();
    await box.ask('agents', 'add', 'worker');
    const refused = await box.runAs('worker', ['down', '--json']);
    expectFault(refused, 5, 'not-allowed', /only the user may/);
    expect((await box.http({ path: '/health' })).status).toBe(200);
    expect(await box.ask('down')).toMatchObject({ outcome: 'stopped' });
  });

  test('garbage instead of HTTP harms nobody', async () => {
    const box = await openRunning();
    await new Promise<void>((resolve) => {
      const socket = connect(box.info().socket, () => socket.write('\u0000\u0001 garbage\r\n\r\n'));
      socket.on('error', () => undefined).on('close', () => resolve());
      socket.resume();
    });
    expect((await box.http({ path: '/health' })).status).toBe(200);
  });
});

describe('event streams over the real socket', () => {
  test('a client that goes away releases its subscription; one that stays is closed by down', {
    tags: ['full'],
  }, async () => {
    const box = await openRunning();
    const leaving = openStream(box);
    const staying = openStream(box);
    await waitUntil('two subscribers', async () => (await subscribers(box)) === 2);
    leaving.close();
    await waitUntil('one to be forgotten', async () => (await subscribers(box)) === 1);
    expect(await box.ask('down')).toMatchObject({ outcome: 'stopped' });
    await staying.ended;
  });

  test('a client that never reads keeps neither the daemon from working nor from ending', {
    tags: ['full'],
  }, async () => {
    const box = await openRunning();
    const socket = connect(box.info().socket, () =>
      socket.write('GET /events HTTP/1.1\r\nhost: x\r\n\r\n'),
    );
    socket.on('error', () => undefined).pause();
    onTestFinished(() => void socket.destroy());
    await waitUntil('a subscriber', async () => (await subscribers(box)) === 1);
    expect(await box.ask('down')).toMatchObject({ outcome: 'stopped' });
  });

  test('E1: events --follow goes on across a restart, with a gap and the status of every agent', async () => {
    const box = await openRunning();
    const child = start(['events', '--follow', '--json'], { home: box.home });
    onTestFinished(() => void child.kill('SIGKILL'));
    const events: EventView[] = [];
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      events.push(...lines.map((line) => JSON.parse(line) as EventView));
    });
    await waitUntil('it to follow', async () => (await subscribers(box)) === 1);
    await box.kill(box.info().pid);
    await box.ask('up');
    await waitUntil('a gap and a status', () => events.length >= 2);
    expect(events[0]).toMatchObject({ topic: 'gap', data: { reason: 'unknown-id' } });
    expect(events[1]).toMatchObject({ topic: 'agent.agt_user.status', data: { name: 'user' } });
    await waitUntil('it to follow again', async () => (await subscribers(box)) === 1);
  });

  test('events --follow ends with exit code 6 when the daemon does not come back', {
    tags: ['full'],
  }, async () => {
    const box = await openRunning();
    const following = box.run(['events', '--follow', '--json']);
    await waitUntil('it to follow', async () => (await subscribers(box)) === 1);
    await box.ask('down');
    const { code, stderr } = await following;
    expect([code, stderr]).toEqual([6, expect.stringMatching(/did not come back/)]);
  });
});

/**
 * Nobody reads a body that is not wanted: whoever goes on sending it may not come to read the
 * answer.
 */
function cutOff(error: NodeJS.ErrnoException): { readonly status: number } {
  if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return { status: 401 };
  throw error;
}

async function openRunning(): Promise<DaemonBox> {
  const box = openDaemonBox();
  await box.ask('up');
  return box;
}

async function subscribers(box: DaemonBox): Promise<number> {
  return (await box.http({ path: '/health' })).json().components.daemon.subscribers;
}

function openStream(box: DaemonBox): { close(): void; ended: Promise<void> } {
  let close = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    const request = openRequest(box.info().socket, { path: '/events' }, (response) => {
      response.resume().on('close', resolve);
    });
    request.on('error', () => resolve()).end();
    close = () => void request.destroy();
  });
  return { close: () => close(), ended };
}
