import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import type { HerdrPlace } from './place.ts';
import { identifySocket, startServer } from './server.ts';

/** A folder with a program named `herdr` that runs this. */
function makePlace(script: string): HerdrPlace {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-herdr-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'herdr'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  return { socket: join(folder, 's'), session: 'x', env, isOwn: false, folder };
}

/** As after a start of herdr; says who came. */
async function listen({ socket }: HerdrPlace): Promise<{ readonly count: number }> {
  const seen = { count: 0 };
  const server = createServer((peer) => {
    seen.count++;
    peer.destroy();
  });
  await new Promise<void>((done) => server.listen(socket, done));
  onTestFinished(() => new Promise((done) => server.close(() => done())));
  return seen;
}

const { signal } = new AbortController();

test('B11: one that cannot start is not asked whether it has, also where a socket is left of the last one', async () => {
  const place = makePlace('exit 1');
  const seen = await listen(place);
  const started = startServer(place, systemClock, identifySocket(place.socket), signal);
  await expect(started).rejects.toThrow('herdr did not start (exit 1)');
  expect(seen.count).toBe(0);
});

test('one that somebody else has started meanwhile is as good', async () => {
  const place = makePlace('exit 1');
  const before = identifySocket(place.socket);
  await listen(place);
  await startServer(place, systemClock, before, signal);
});

test('one that takes its time is waited for', async () => {
  const place = makePlace('exec sleep 1');
  const started = startServer(place, systemClock, '', signal);
  await systemClock.sleep(100);
  await listen(place);
  await started;
});

test.each([
  { session: 'x', words: '--session x server', path: '' },
  { session: 'default', words: 'server', path: '' },
  { session: undefined, words: 'server', path: '/run/mine.sock' },
])('the one that was looked for is started: $session', async ({ session, words, path }) => {
  const made = makePlace(`echo "$* $HERDR_SOCKET_PATH" > "$HOME/told"; exit 3`);
  const env = { ...made.env, HOME: made.folder, HERDR_SOCKET_PATH: '/run/mine.sock' };
  const started = startServer({ ...made, env, session }, systemClock, '', signal);
  await expect(started).rejects.toThrow('herdr did not start (exit 3)');
  const told = readFileSync(join(made.folder, 'told'), 'utf8').trim();
  expect(told).toBe(`${words} ${path}`.trim());
});
