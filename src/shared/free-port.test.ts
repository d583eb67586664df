import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePort } from './free-port.ts';

test('ports that are asked for side by side differ, and can be listened on', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, findFreePort));
  expect(new Set(ports).size).toBe(100);
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(ports[0], '127.0.0.1', done);
  });
  await new Promise((done) => server.close(done));
});
