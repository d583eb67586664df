import { createHmac, randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import { expect } from 'vitest';
import type {
  FeedItem,
  Proven,
  ProveRequest,
  SignedIn,
  SignInRequest,
} from '../../src/protocol/page.ts';
import { createContext } from '../../src/server/context.ts';
import type { Asset } from '../../src/server/page/assets.ts';
import type { LaunchMeans } from '../../src/server/page/forward.ts';
import { createPage } from '../../src/server/page/page-app.ts';
import { type PageSession, PageSessions } from '../../src/server/page/page-sessions.ts';
import { type Clock, systemClock } from '../../src/shared/clock.ts';
import { StreamReader, type TestServer } from './server.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects, and fails where it is not there
export const readJson = (response: Response): Promise<any> => response.json() as Promise<any>;

export const newNonce = (): string => randomBytes(24).toString('hex');

/** As the page reckons it. */
export function proofOf(key: string, nonce: string): string {
  return createHmac('sha256', key).update(`signalbox-page:${nonce}`).digest('hex');
}

export const bearer = ({ session, key }: Pick<SignedIn, 'session' | 'key'>) => ({
  authorization: `Bearer ${session}.${key}`,
});

interface PageWish {
  readonly assets?: ReadonlyMap<string, Asset>;
  readonly clock?: Clock;
  readonly means?: LaunchMeans;
}

/** The page of a server, without a socket; `guardPage` stands in front of it elsewhere. */
export class TestPage {
  readonly sessions: PageSessions;
  readonly kept: (readonly PageSession[])[] = [];
  means: LaunchMeans | undefined;
  readonly #app: Pick<Hono, 'fetch'>;

  constructor(
    server: TestServer,
    { assets = new Map(), clock = systemClock, means }: PageWish = {},
  ) {
    this.means = means;
    this.sessions = new PageSessions({ clock, keep: (open) => void this.kept.push(open) });
    this.#app = createPage({
      api: (request, carried) => server.fetch(request, carried),
      context: createContext(server.parts),
      ...{ sessions: this.sessions, assets, log: server.parts.log },
      daemon: { version: '9.9.9', startedAt: '2026-11-19T12:00:00.000Z' },
      launchMeans: () => this.means,
    }) as Pick<Hono, 'fetch'>;
  }

  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#app.fetch(new Request(new URL(path, 'http://127.0.0.1'), init));
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  async prove(session: string, nonce = newNonce()): Promise<Proven> {
    const wish: ProveRequest = { session, nonce };
    return readJson(await this.post('/page/prove', wish));
  }

  async signIn(readOnly = false): Promise<SignedIn> {
    const { link } = this.sessions.offer(readOnly);
    const wish: SignInRequest = { link, nonce: newNonce() };
    const response = await this.post('/page/sign-in', wish);
    expect(response.status).toBe(200);
    return readJson(response);
  }

  async follow(signedIn: SignedIn, after: number): Promise<FeedReader> {
    const response = await this.ask(`/api/feed?after=${after}`, { headers: bearer(signedIn) });
    expect(response.status).toBe(200);
    return new FeedReader(response);
  }
}

/** What the feed says, one item after another. */
export class FeedReader {
  readonly #stream: StreamReader;

  constructor(response: Response) {
    this.#stream = new StreamReader(response);
  }

  async next(): Promise<FeedItem | undefined> {
    for (;;) {
      const block = await this.#stream.nextBlock();
      if (block === undefined) return undefined;
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) return JSON.parse(data) as FeedItem;
    }
  }

  /** The first that is wanted; what comes before it is passed over. */
  async find<Item extends FeedItem>(isIt: (item: FeedItem) => item is Item): Promise<Item> {
    for (;;) {
      const item = await this.next();
      if (item === undefined) throw new Error('the feed has ended');
      if (isIt(item)) return item;
    }
  }

  message(id: string, state?: string) {
    return this.find(
      (item): item is Extract<FeedItem, { kind: 'message' }> =>
        item.kind === 'message' &&
        item.message.id === id &&
        (state === undefined || item.message.state === state),
    );
  }

  close(): Promise<void> {
    return this.#stream.cancel();
  }
}
