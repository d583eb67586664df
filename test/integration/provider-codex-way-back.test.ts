import { expect, onTestFinished, test } from 'vitest';
import { type FakeAppServer, openFakeAppServer } from '../fakes/app-server.ts';
import { begin, change, count, first, idle, openCodexLife, user } from '../support/codex-life.ts';
import { waitUntil } from '../support/wait-until.ts';

const second = '01a1df43-314b-7581-8d5e-3fb4480e12a8';

test('rule 42: a loaded conversation that a person goes back to is shown again, by the one word that tells it', async () => {
  const { server, native, states } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  await waitUntil('the first is asked for', () => count(server, 'thread/resume') === 1);
  // Answers come in order: with this one, the first is followed, too.
  await native.release?.();
  begin(server, second, { ...user, recencyAt: 2, status: idle });
  await waitUntil('the other conversation', () => states.at(-1)?.conversation === second);
  // Our own following of both has made the server say it, too.
  await waitUntil('it is followed', () => count(server, 'thread/unsubscribe') === 1);
  expect(states.at(-1)?.conversation).toBe(second);
  goal(server, first);
  await waitUntil('the way back', () => states.at(-1)?.conversation === first);
  const injected = await native.inject({
    ...{ mark: 'mark_01a_secret', at: 0, text: 'hello' },
    begin: async () => true,
    signal: AbortSignal.timeout(60_000),
  });
  expect(injected).toMatchObject({ receipt: expect.stringContaining(first) });
});

test('a server that was put up again shows what its terminal loads there, though only its status is told', async () => {
  const { server, native, path, states } = await openCodexLife();
  await waitUntil('the way in', () => native.blocked() === undefined);
  begin(server, second, { ...user, recencyAt: 2, status: idle });
  await waitUntil('the other conversation', () => states.at(-1)?.conversation === second);
  await server.close();
  await waitUntil('the loss', () => native.blocked() !== undefined);
  const next = await openFakeAppServer(path);
  onTestFinished(() => next.close());
  await waitUntil('the connection', () => next.asked.includes('thread/loaded/list'));
  next.threads.set(first, { id: first, ...user, status: idle });
  change(next, first, idle);
  await waitUntil('the way in', () => native.blocked() === undefined);
  expect(states.at(-1)?.conversation).toBe(first);
});

function goal(server: FakeAppServer, threadId: string): void {
  server.notify({ method: 'thread/goal/cleared', params: { threadId } });
}
