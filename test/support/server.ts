import type { Agent } from '../../src/agents/agent.ts';
import type { Supervisors } from '../../src/config/supervisors.ts';
import type { HookDesk } from '../../src/delivery/hook-desk.ts';
import { Bus } from '../../src/events/bus.ts';
import { add } from '../../src/fleet/add.ts';
import type { LaunchTarget } from '../../src/fleet/launch-target.ts';
import type { EventView } from '../../src/protocol/events.ts';
import type { DashboardWish } from '../../src/requests/context.ts';
import { createApp } from '../../src/server/app.ts';
import type { ServerParts } from '../../src/server/parts.ts';
import type { Carried } from '../../src/server/read-bounded.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { Fault } from '../../src/shared/fault.ts';
import type { Log } from '../../src/shared/log.ts';
import { systemHost } from '../../src/shared/processes.ts';
import { quote } from '../../src/shared/quote.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { FakeFleet } from '../fakes/fleet.ts';
import { FakeHookDesk } from '../fakes/hook-desk.ts';
import { FakeMailDelivery } from '../fakes/mail-delivery.ts';
import { ApiDocument, type Asked } from './api-document.ts';

/** As the shelves of profiles and providers do it: one profile, and a few providers. */
function findTarget(name: string): LaunchTarget {
  if (/^(profile:)?reviewer$/.test(name)) {
    return { provider: 'generic', role: { profile: 'reviewer' } };
  }
  const [, provider = name] = /^provider:(.*)$/.exec(name) ?? [];
  if (['generic', 'scripted', 'codex'].includes(provider)) return { provider, role: {} };
  throw new Fault('provider-not-found', `There is no ${quote(name)}.`, 'Name another.');
}

/** What a request of the user's own shows. */
export const userTokenOfTests = 'usr_00000000000000000000000000';

interface ServerWish {
  readonly boot?: string;
  readonly mailboxLimit?: number;
  readonly hookDesk?: HookDesk;
  readonly ledger?: Ledger;
}

/**
 * The HTTP API on a ledger, by default in memory, and a fleet that does as it is told, without a
 * socket.
 */
export class TestServer {
  readonly ledger: Ledger;
  readonly fleet: FakeFleet;
  readonly hookDesk = new FakeHookDesk();
  readonly delivery = new FakeMailDelivery();
  readonly ending = new AbortController();
  readonly bus: Bus;
  readonly logged: string[] = [];
  /** What links to the dashboard were asked for. */
  readonly dashboards: DashboardWish[] = [];
  readonly parts: ServerParts;
  shutdowns = 0;
  /** Those that the user lets answer: full names, each with the agent that was meant. */
  supervisors: Supervisors | Fault = new Map();
  readonly #app: ReturnType<typeof createApp>;

  constructor({ boot = 'boot1', mailboxLimit = 1000, hookDesk, ledger }: ServerWish = {}) {
    this.ledger = ledger ?? new MemoryLedger();
    this.fleet = new FakeFleet(this.ledger);
    const onError = (error: unknown) => void this.logged.push(String(error));
    this.bus = new Bus({ clock: systemClock, boot, onError, mailboxLimit });
    this.parts = {
      dashboard: {
        open: async (wish) => {
          this.dashboards.push(wish);
          const { readOnly } = wish;
          const expiresAt = '2026-11-19T12:00:00.000Z';
          return { url: 'http://127.0.0.1:1/#link=link_1', port: 1, expiresAt, readOnly };
        },
      },
      team: {
        ledger: this.ledger,
        surroundings: { clock: systemClock, host: systemHost },
        bus: this.bus,
        fleet: this.fleet,
        findTarget: async (name) => findTarget(name),
      },
      ledger: this.ledger,
      ledgerPath: '/ledger.db',
      fleet: this.fleet,
      hookDesk: hookDesk ?? this.hookDesk,
      delivery: this.delivery,
      bus: this.bus,
      clock: systemClock,
      host: systemHost,
      log: this.#log(),
      version: '9.9.9',
      userToken: userTokenOfTests,
      bodyLimit: 1024 * 1024,
      daemon: () => ({ state: 'running', pid: 1 }),
      providers: async () => ({ generic: { state: 'found' } }),
      routesOf: async (provider) => (provider === 'none' ? undefined : ['pull']),
      versionWarningOf: async () => undefined,
      isWokenOf: async (provider) => provider !== 'none',
      toolCallMsOf: async () => undefined,
      supervisorsAnswer: async () => {
        if (this.supervisors instanceof Fault) throw this.supervisors;
        return this.supervisors;
      },
      ownEnv: {},
      shutdown: () => void this.shutdowns++,
      ending: this.ending.signal,
    };
    this.#app = createApp(this.parts);
  }

  get routes(): readonly { method: string; path: string }[] {
    return this.#app.routes;
  }

  add(name: string, more: Partial<Parameters<typeof add>[2]> = {}): Promise<Agent> {
    const wanted = { name, session: 'default', notify: true, cwd: '/', ...more };
    return add(this.ledger, systemClock, wanted);
  }

  async ask(path: string, init?: RequestInit): Promise<Response> {
    return this.fetch(new Request(new URL(path, 'http://localhost'), init));
  }

  async fetch(request: Request, carried?: Partial<Carried>): Promise<Response> {
    const response = await this.#app.fetch(request, carried);
    const { pathname, search } = new URL(request.url);
    askedFor.set(response, { method: request.method, path: `${pathname}${search}` });
    api ??= readApi(this.#app);
    return response;
  }

  /** What the daemon says of itself. */
  async describeApi(): Promise<ApiDocument> {
    await this.ask('/openapi.json');
    if (!api) throw new Error('it was asked for');
    return api;
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  #log(): Log {
    const write = (facts: object, text: string) =>
      void this.logged.push(`${text} ${JSON.stringify(facts)}`);
    return { debug: write, info: write, warn: write, error: write };
  }
}

/** The same for every server. */
let api: Promise<ApiDocument> | undefined;

async function readApi(app: ReturnType<typeof createApp>): Promise<ApiDocument> {
  const described = await app.request('/openapi.json');
  return new ApiDocument((await described.json()) as Readonly<Record<string, unknown>>);
}

const askedFor = new WeakMap<Response, Pick<Asked, 'method' | 'path'>>();

/** A document, to be looked at with `expect`. One that the OpenAPI document forbids throws. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects, and fails where it is not there
export async function read(response: Response): Promise<any> {
  const body = await response.json();
  const asked = askedFor.get(response);
  const { status, headers } = response;
  const answer = { status, type: headers.get('content-type'), body };
  const wrong = asked && (await api)?.findWrongAnswer(asked, answer);
  if (wrong !== undefined) throw new Error(wrong);
  return body;
}

/** Events of a stream, one by one. */
export class StreamReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #response: Response;
  #text = '';

  constructor(response: Response) {
    if (!response.body) throw new Error('no body');
    this.#response = response;
    this.#reader = response.body.getReader();
  }

  /**
   * The next event's lines, or undefined at the end. One that the OpenAPI document forbids throws.
   */
  async next(): Promise<string | undefined> {
    for (;;) {
      const event = await this.nextBlock();
      const data = /^data: (.*)$/m.exec(event ?? '')?.[1];
      if (event !== undefined && data === undefined) continue;
      const asked = askedFor.get(this.#response);
      const wrong = data && asked && (await api)?.findWrongEvent(asked, JSON.parse(data));
      if (wrong) throw new Error(wrong);
      return event;
    }
  }

  /** As it came: an event, a comment, or how soon to come again. */
  async nextBlock(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += new TextDecoder().decode(value);
    }
  }

  async nextView(): Promise<EventView> {
    const event = (await this.next()) ?? '';
    return JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? 'null');
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}
