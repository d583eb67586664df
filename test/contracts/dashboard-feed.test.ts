import { expect, onTestFinished, test } from 'vitest';
import { userAgentId } from '../../src/agents/agent.ts';
import { createDirectClient } from '../../src/client/direct/create.ts';
import { openContext } from '../../src/client/direct/open.ts';
import { findFolders, ledgerPath } from '../../src/config/folders.ts';
import type { FeedItem, PageSnapshot } from '../../src/protocol/page.ts';
import { feedItemSchema, pageSnapshotSchema } from '../../src/protocol/schemas/page.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { openSqliteLedger } from '../../src/store/sqlite/open.ts';
import { tempHome } from '../support/home.ts';
import { addRunning } from '../support/mail.ts';
import { bearer, readJson, TestPage } from '../support/page.ts';
import { placeLedger } from '../support/place-ledger.ts';
import { TestServer } from '../support/server.ts';

/** A ledger on disk: the daemon's page on it, and commands that write to it beside the daemon. */
async function openBoth() {
  const home = tempHome();
  const path = ledgerPath(findFolders({ SIGNALBOX_HOME: home }));
  await placeLedger(path);
  const ledger = await openSqliteLedger(path, { clock: systemClock, lockWaitMs: 10_000 });
  onTestFinished(() => ledger.close());
  const server = new TestServer({ ledger });
  const page = new TestPage(server);
  const signedIn = await page.signIn();
  const look = async (): Promise<PageSnapshot> => {
    const response = await page.ask('/api/snapshot', { headers: bearer(signedIn) });
    expect(response.status).toBe(200);
    const document = await readJson(response);
    expect(pageSnapshotSchema.strict().safeParse(document).error).toBeUndefined();
    return document;
  };
  const follow = async (after: number) => {
    const reader = await page.follow(signedIn, after);
    onTestFinished(() => reader.close());
    return reader;
  };
  /** Another process: it opens the ledger itself and says nothing to the daemon. */
  const command = async <T>(
    work: (client: ReturnType<typeof createDirectClient>) => Promise<T>,
  ) => {
    const client = createDirectClient(await openContext({ SIGNALBOX_HOME: home }));
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  };
  return { home, server, page, signedIn, look, follow, command };
}

const isAgent = (item: FeedItem): item is Extract<FeedItem, { kind: 'agent' }> =>
  item.kind === 'agent';
const isGone = (item: FeedItem): item is Extract<FeedItem, { kind: 'agent-gone' }> =>
  item.kind === 'agent-gone';

test('B4: the snapshot has the agents, the open messages in one line each, what needs a person and where to follow from', async () => {
  const { server, look } = await openBoth();
  const { id: to } = await addRunning(server, 'worker');
  const body = `\u001b[2Jfirst\u202e line\n${'x'.repeat(5000)}`;
  const sent = await server.post('/messages', { to, body });
  const { id } = await readJson(sent);
  const snapshot = await look();
  expect(snapshot.agents.map(({ name }) => name)).toContain('worker');
  expect(snapshot).toMatchObject({ readOnly: false, user: userAgentId, omitted: 0 });
  expect(snapshot.cursor).toBeGreaterThan(0);
  const [message] = snapshot.messages.filter((one) => one.id === id);
  expect(message).toMatchObject({
    state: 'queued',
    to: { id: to },
    waitsForCode: 'just-looked-at',
  });
  expect(message?.first.startsWith('<U+001B>[2Jfirst<U+202E> line<U+000A>xxx')).toBe(true);
  expect([...(message?.first ?? '')]).toHaveLength(120);
  expect(snapshot.attention.items).toEqual([]);
});

test('B4: a move of a command that tells the daemon nothing is in the feed', async () => {
  const { server, look, follow, command } = await openBoth();
  const worker = await addRunning(server, 'worker');
  const { cursor } = await look();
  const feed = await follow(cursor);
  const { id } = await command((client) => client.send({ to: worker.id, body: 'hello' }));
  const item = await feed.message(id);
  expect(feedItemSchema.safeParse(item).error).toBeUndefined();
  expect(item.message).toMatchObject({ state: 'queued', first: 'hello', to: { name: 'worker' } });
  expect(item.cursor).toBeGreaterThan(cursor);
  await command((client) => client.cancel(id));
  const dead = await feed.message(id, 'dead');
  expect(dead.message).toMatchObject({ reason: 'withdrawn' });
});

test('B4: agents that commands add and remove come and go in the feed', async () => {
  const { look, follow, command } = await openBoth();
  const { cursor } = await look();
  const feed = await follow(cursor);
  const added = await command((client) => client.addAgent({ name: 'new', notify: true, cwd: '/' }));
  for (;;) if ((await feed.find(isAgent)).agent.id === added.id) break;
  await command((client) => client.removeAgents({ names: ['new'] }));
  expect((await feed.find(isGone)).id).toBe(added.id);
});

test('B4: the feed begins with every agent and what needs a person, then has what was missed, each message once', async () => {
  const { server, look, follow, command } = await openBoth();
  const worker = await addRunning(server, 'worker');
  const { cursor } = await look();
  const sent = await command(async (client) => {
    const { id } = await client.send({ to: worker.id, body: 'one' });
    await client.cancel(id);
    return [id, (await client.send({ to: worker.id, body: 'two' })).id];
  });
  const feed = await follow(cursor);
  const kinds: string[] = [];
  const messages: string[] = [];
  while (messages.length < 2) {
    const item = await feed.next();
    if (!item) throw new Error('the feed has ended');
    if (item.kind === 'message') messages.push(`${item.message.id} ${item.message.state}`);
    else kinds.push(item.kind);
  }
  // Those of the user, the worker and the one that it was added beside.
  expect(kinds).toEqual(['agent', 'agent', 'agent', 'attention']);
  expect(messages).toEqual([`${sent[0]} dead`, `${sent[1]} queued`]);
});

test('B4: a status is told at once, and what needs a person with it', async () => {
  const { server, look, follow } = await openBoth();
  const { id, name, session } = await addRunning(server, 'worker');
  const { cursor } = await look();
  const feed = await follow(cursor);
  await feed.find(
    (item): item is Extract<FeedItem, { kind: 'attention' }> => item.kind === 'attention',
  );
  const asks = {
    status: 'waiting',
    detail: 'permission',
    source: 'hook',
    since: 1,
    composer: 'hidden',
  } as const;
  const live = { ...asks, question: 'make?', notes: [] } as const;
  server.fleet.lives.set(id, live);
  server.bus.publish({ kind: 'status', agent: id, data: { name, session, ...asks } });
  expect((await feed.find(isAgent)).agent).toMatchObject({
    id,
    status: 'waiting',
    question: 'make?',
  });
  const told = await feed.find(
    (item): item is Extract<FeedItem, { kind: 'attention' }> => item.kind === 'attention',
  );
  expect(told.attention.items).toMatchObject([{ kind: 'question', agent: { id } }]);
});

test('B4: a number that is too old or of another ledger gives one gap and the end', async () => {
  const { follow, look } = await openBoth();
  const { cursor } = await look();
  const feed = await follow(cursor + 1000);
  expect(await feed.next()).toEqual({ kind: 'gap' });
  expect(await feed.next()).toBeUndefined();
});

test('a reader that takes nothing is told once that it missed something, and holds nothing more', async () => {
  const { server, page, signedIn, look, command } = await openBoth();
  const worker = await addRunning(server, 'worker');
  const { cursor } = await look();
  const reader = await page.follow(signedIn, cursor);
  onTestFinished(() => reader.close());
  // Nobody reads; more changes than one look tells of, of one message.
  const { id } = await command((client) => client.send({ to: worker.id, body: 'x' }));
  const moves = [
    { from: 'queued', to: 'claimed' },
    { from: 'claimed', to: 'queued' },
  ] as const;
  await server.ledger.write(async (tx) => {
    for (let i = 0; i < 30_000; i++) {
      const move = { ...moves[i % 2 === 0 ? 0 : 1], at: 2, code: 'put-in', cause: 'x' } as const;
      await tx.messages.move([id], move);
    }
  });
  await reader.find((item): item is Extract<FeedItem, { kind: 'gap' }> => item.kind === 'gap');
  expect(await reader.next()).toBeUndefined();
});

test('the feed ends with the daemon', async () => {
  const { server, look, follow } = await openBoth();
  const { cursor } = await look();
  const feed = await follow(cursor);
  server.ending.abort();
  let item = await feed.next();
  while (item) item = await feed.next();
  expect(item).toBeUndefined();
});
