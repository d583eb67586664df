import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, openDaemonBox } from '../support/daemon.ts';
import { expectFault } from './fixtures/expect-fault.ts';

describe('a daemon that is not ours, of another version or none at all', () => {
  test('a newer daemon is told from ours before anything is asked, and down ends it all the same', async () => {
    const box = openDaemonBox();
    await box.ask('up');
    const info = box.info();
    writeFileSync(join(box.home, 'daemon.json'), JSON.stringify({ ...info, protocol: 2 }));
    const said = /is newer than this command .*: it speaks protocol 2, this 1/;
    expectFault(await box.run(['events', '--json']), 1, 'protocol-mismatch', said);
    expect(await box.ask('down')).toMatchObject({ outcome: 'stopped' });
  });

  test('a shutdown that names another process ends nothing', async () => {
    const box = openDaemonBox();
    const { pid } = await box.ask<{ pid: number }>('up');
    const answer = await box.http({ path: `/shutdown?pid=${pid + 1}`, method: 'POST' });
    expect([answer.status, answer.json().error.code]).toEqual([409, 'wrong-state']);
    expect((await box.http({ path: '/health' })).status).toBe(200);
    expect((await box.http({ path: `/shutdown?pid=${pid}`, method: 'POST' })).status).toBe(200);
  });

  test('an old client gets a clear answer from a new daemon', async () => {
    const box = openDaemonBox();
    await box.ask('up');
    const answer = await box.http({ path: '/agents', headers: { 'signalbox-protocol': '0' } });
    expect([answer.status, answer.json().error.code]).toEqual([426, 'protocol-mismatch']);
  });

  test('something that is no daemon at all behind the socket is a clear error', {
    tags: ['full'],
  }, async () => {
    const box = openDaemonBox();
    await box.ask('up');
    const info = box.info();
    const path = join(box.home, 'run', 's');
    const server = createServer((socket) => {
      socket.on('error', () => undefined).end('SSH-2.0-OpenSSH\r\n');
    });
    await new Promise<void>((done) => server.listen(path, done));
    chmodSync(path, 0o600);
    onTestFinished(() => void server.close());
    writeFileSync(join(box.home, 'daemon.json'), JSON.stringify({ ...info, socket: path }));
    expectFault(await box.run(['events', '--json']), 6, 'daemon-unavailable', /went away/);
    expect((await ask(info.socket, { path: '/shutdown', method: 'POST' })).status).toBe(200);
  });
});
