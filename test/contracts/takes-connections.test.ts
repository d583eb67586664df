import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takesConnections } from '../../src/shared/takes-connections.ts';
import { tempHome } from '../support/home.ts';

/** A server that listens and never comes to take anybody in. */
async function openStopped(): Promise<string> {
  const path = join(tempHome(), 'socket');
  const script = `require('node:net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => {
    require('node:fs').writeSync(1, 'up');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  })`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return path;
}

test('rule 41: a server whose queue is full is there', async () => {
  const path = await openStopped();
  const waiting: Socket[] = [];
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy();
  });
  const refusals = new Set<string>();
  for (let n = 0; n < 10; n++) {
    const socket = connect(path);
    waiting.push(socket);
    const [error] = await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch(
      (said: unknown) => [said],
    );
    if (error instanceof Error) refusals.add((error as NodeJS.ErrnoException).code ?? '');
  }
  expect([...refusals]).toEqual(['EAGAIN']);
  expect(await takesConnections(path)).toBe(true);
});

test('one that listens is there; a path without a server, a file and a folder are none', async () => {
  const home = tempHome();
  const server = createServer().listen(join(home, 'live'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  writeFileSync(join(home, 'file'), '');
  mkdirSync(join(home, 'folder'));
  const asked = ['live', 'nothing', 'file', 'folder', 'file/below'].map((name) =>
    takesConnections(join(home, name)),
  );
  expect(await Promise.all(asked)).toEqual([true, false, false, false, false]);
});
