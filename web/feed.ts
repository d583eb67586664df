import type { FeedItem, PageSnapshot } from '../src/protocol/page.ts';
import { RollCall } from '../src/views/roll-call.ts';
import { openWorld, takeItems } from '../src/views/world.ts';
import type { Api } from './api.ts';
import { wallNow } from './clock.ts';
import { Lost, Refused } from './fault.ts';
import { Stranger } from './session.ts';
import { type Connection, onFrame, type Store } from './store.ts';

/** The daemon sends a comment every 15 s: two of them missing, and the line is dead. */
const silenceMs = 35_000;
const backOffMs = { first: 500, most: 15_000 };

/**
 * Keeps the store as the ledger is: one snapshot, then what the feed tells, from its number on.
 * Where the line is lost it is tried again, ever more seldom, until the session is over.
 */
export async function followFeed(api: Api, store: Store, over: AbortSignal): Promise<void> {
  let waitMs = backOffMs.first;
  let lostAt: number | undefined;
  while (!over.aborted) {
    try {
      await follow(api, store, over, () => {
        waitMs = backOffMs.first;
        lostAt = undefined;
      });
    } catch (error) {
      if (over.aborted) return;
      if (isOver(error)) return store.change({ connection: { kind: 'over' } });
      api.distrust();
      lostAt ??= wallNow();
      const times = { since: lostAt, tryAt: wallNow() + waitMs };
      store.change({ connection: nameTrouble(error, times) });
      await rest(waitMs, over);
      waitMs = Math.min(backOffMs.most, waitMs * 2);
    }
  }
}

/** Until the line is lost, which throws, or the feed has a gap. */
async function follow(
  api: Api,
  store: Store,
  over: AbortSignal,
  onLive: () => void,
): Promise<void> {
  if (!store.state.world) await takeSnapshot(api, store);
  const cursor = store.state.world?.cursor ?? 0;
  const ending = new AbortController();
  const signal = AbortSignal.any([over, ending.signal]);
  const roll = new RollCall();
  roll.begin();
  const response = await api.open(`/api/feed?after=${cursor}`, signal);
  store.change({ connection: { kind: 'live' } });
  onLive();
  const queue = new Queue(store, roll);
  try {
    for await (const item of readItems(response, ending)) {
      if (item.kind === 'gap') {
        queue.drop();
        await takeSnapshot(api, store);
        return;
      }
      queue.add(item);
    }
    throw new Lost('the feed ended');
  } finally {
    ending.abort();
  }
}

async function takeSnapshot(api: Api, store: Store): Promise<void> {
  store.change({ world: openWorld(await api.get<PageSnapshot>('/api/snapshot')) });
}

/** Items of one frame are taken together. */
class Queue {
  #items: FeedItem[] = [];
  readonly #store: Store;
  readonly #roll: RollCall;

  constructor(store: Store, roll: RollCall) {
    this.#store = store;
    this.#roll = roll;
  }

  add(item: FeedItem): void {
    this.#items.push(item);
    if (this.#items.length === 1) onFrame(() => this.#take());
  }

  drop(): void {
    this.#items = [];
  }

  #take(): void {
    const items = this.#items;
    this.#items = [];
    const { world } = this.#store.state;
    if (!world || items.length === 0) return;
    const after = takeItems(world, this.#roll.take(items, world.agents.keys()));
    if (after) this.#store.change({ world: after });
  }
}

/** The `data:` lines of an event stream. */
async function* readItems(
  response: Response,
  ending: AbortController,
): AsyncGenerator<FeedItem, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Lost('no body');
  let rest = '';
  for (;;) {
    const watch = setTimeout(() => ending.abort(), silenceMs);
    const { value, done } = await reader.read().catch((error: unknown) => {
      throw new Lost(error);
    });
    clearTimeout(watch);
    if (done) return;
    const lines = `${rest}${value}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) yield JSON.parse(line.slice(5)) as FeedItem;
    }
  }
}

function isOver(error: unknown): boolean {
  if (!(error instanceof Refused)) return false;
  return error.status === 410 || error.words.code === 'session-unknown';
}

function nameTrouble(
  error: unknown,
  times: { readonly since: number; readonly tryAt: number },
): Connection {
  return { kind: error instanceof Stranger ? 'stranger' : 'lost', ...times };
}

function rest(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    over.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
