import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { DashboardView } from '../protocol/page.ts';
import type { Dashboard, DashboardWish } from '../requests/context.ts';
import { type Asset, loadAssets } from '../server/page/assets.ts';
import type { LaunchMeans } from '../server/page/forward.ts';
import { guardPage, type PageRefusal } from '../server/page/guard-page.ts';
import { PageSessions } from '../server/page/page-sessions.ts';
import { secureHeaders } from '../server/page/secure-answer.ts';
import { type Clock, pause } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { errorFacts, type Log } from '../shared/log.ts';
import { Rate } from '../shared/rate.ts';
import { reportBug } from '../shared/report-bug.ts';
import { Turns } from '../shared/turns.ts';
import { shareDescriptors } from './descriptors.ts';
import { createFetchServer, type Fetch } from './listen.ts';
import { address, listenOn } from './listen-on-port.ts';
import type { PageBook } from './page-book.ts';
import { PortConnections } from './port-connections.ts';
import { refuseRaw } from './refuse-raw.ts';

/** Requests without a session that are answered: a page is a dozen of them. */
const strangersPerSecond = 100;
/** How often it is looked whether anybody is signed in. */
const reviewMs = 60_000;

export interface PagePortParts {
  readonly book: PageBook;
  /** Of the page as it was built. */
  readonly assetFolder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** What answers, made of these: the app that it is made of knows this port. */
export type MakePage = (made: {
  readonly sessions: PageSessions;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly launchMeans: () => LaunchMeans | undefined;
}) => Fetch;

/**
 * The dashboard's listener, on loopback alone and only while somebody is signed in or has a link. A
 * page knows its address for as long as its window is open: the same port is taken again after a
 * restart of the daemon. Whoever took it meanwhile may have been shown what a page sends: then no
 * session of it is good any more.
 */
export class PagePort implements Dashboard {
  readonly #parts: PagePortParts;
  readonly #over = new AbortController();
  readonly #turns = new Turns();
  readonly #connections = new PortConnections(shareDescriptors());
  readonly #rate: Rate;
  #sessions: PageSessions | undefined;
  #serve: Fetch = () => new Response(null, { status: 503 });
  #make: MakePage | undefined;
  #server: Server | undefined;
  /** The last one that it had. */
  #port = 0;
  #means: LaunchMeans | undefined;
  #hasPage = false;

  constructor(parts: PagePortParts) {
    this.#parts = parts;
    this.#rate = new Rate(parts.clock, strangersPerSecond);
  }

  /** Where a page is open since before, it is served again. */
  start(make: MakePage): Promise<void> {
    return this.#turns.take(async () => {
      this.#make = make;
      try {
        const sessions = this.#know();
        if (!sessions.isEmpty) await this.#take(sessions);
      } catch (error) {
        // The user is told with the next `signalbox dashboard`.
        reportBug('serving the dashboard again', error);
        this.#parts.log.error(errorFacts(error), 'the dashboard is not served again');
      }
    });
  }

  /** A link for one sign-in. */
  async open({ readOnly, ...means }: DashboardWish): Promise<DashboardView> {
    return this.#turns.take(async () => {
      const sessions = this.#know();
      if (!(await this.#take(sessions))) await this.#listen(sessions, 0);
      this.#means = means;
      const { link, expiresAt } = sessions.offer(readOnly);
      const port = this.#port;
      const view = { url: `http://${address}:${port}/#link=${link}`, port, expiresAt, readOnly };
      return this.#hasPage ? view : { ...view, missing: true };
    });
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#turns.take(() => this.#shut());
  }

  #know(): PageSessions {
    if (this.#sessions) return this.#sessions;
    const { book, clock } = this.#parts;
    const { port, sessions: kept } = book.read();
    this.#port = port;
    const sessions = new PageSessions({ clock, kept, keep: (open) => this.#keep(open) });
    this.#sessions = sessions;
    return sessions;
  }

  #keep(sessions: Parameters<PageBook['write']>[0]['sessions']): void {
    try {
      this.#parts.book.write({ port: this.#port, sessions });
    } catch (error) {
      // They are good for as long as this daemon lives.
      reportBug('keeping the sessions of the dashboard', error);
      this.#parts.log.warn(errorFacts(error), 'the sessions of the dashboard cannot be kept');
    }
  }

  /** The port that its pages know. False: another program has it, or it never had one. */
  async #take(sessions: PageSessions): Promise<boolean> {
    if (this.#server) return true;
    if (this.#port === 0) return false;
    try {
      await this.#listen(sessions, this.#port);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      reportBug('taking the port of the dashboard again', error);
      const { log } = this.#parts;
      log.warn({ port: this.#port, code }, 'the port of the dashboard cannot be had again');
      this.#port = 0;
      sessions.endAll();
      return false;
    }
  }

  async #listen(sessions: PageSessions, wanted: number): Promise<void> {
    const { assetFolder, log } = this.#parts;
    const assets = loadAssets(assetFolder);
    this.#hasPage = assets.has('/');
    const launchMeans = () => this.#means;
    if (this.#make) this.#serve = this.#make({ sessions, assets, launchMeans });
    const gate = (incoming: IncomingMessage, outgoing: ServerResponse, pass: () => void): void =>
      this.#admit(sessions, { incoming, outgoing, pass });
    const server = createFetchServer((request, carried) => this.#serve(request, carried), gate);
    server.on('connection', (socket) => this.#connections.take(socket));
    // Node hands an upgrade to whoever listens for it, and keeps its connection open where nobody
    // does.
    server.on('upgrade', (incoming: IncomingMessage) => {
      refuse(incoming, guardPage(incoming) ?? noUpgrade);
    });
    const port = await listenOn(server, wanted).catch((error: unknown) => {
      throw wanted === 0 ? noPort(error) : error;
    });
    this.#server = server;
    if (port !== this.#port) {
      this.#port = port;
      sessions.endAll();
    }
    log.info({ url: `http://${address}:${port}/`, files: assets.size }, 'the dashboard is served');
    void this.#review(sessions, server);
  }

  #admit(
    sessions: PageSessions,
    {
      incoming,
      outgoing,
      pass,
    }: {
      readonly incoming: IncomingMessage;
      readonly outgoing: ServerResponse;
      readonly pass: () => void;
    },
  ): void {
    const refused = guardPage(incoming);
    const isKnown = sessions.find(incoming.headers.authorization) !== undefined;
    if (refused) refuse(incoming, refused);
    else if (!isKnown && !this.#rate.take()) refuse(incoming, tooMany);
    else {
      if (isKnown) this.#connections.know(incoming.socket, outgoing);
      pass();
    }
  }

  /** Closed once nobody is signed in, and no link can be used. */
  async #review(sessions: PageSessions, server: Server): Promise<void> {
    while (await pause(this.#parts.clock, reviewMs, this.#over.signal)) {
      if (this.#server !== server) return;
      if (sessions.isEmpty) return this.#turns.take(() => this.#shut());
    }
  }

  async #shut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    this.#parts.log.info({ port: this.#port }, 'the dashboard is no longer served');
  }
}

function refuse(incoming: IncomingMessage, { status, code, message }: PageRefusal): void {
  const next = 'Open the address that `signalbox dashboard` gives.';
  const body = JSON.stringify({ error: { code, message, next } });
  refuseRaw(incoming, { status, reason: reasons[status], headers: secureHeaders, body });
}

const reasons = {
  400: 'Bad Request',
  403: 'Forbidden',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
} as const;

const tooMany: PageRefusal = {
  status: 429,
  code: 'too-many',
  message: 'Too many requests without a session; come again.',
};

const noUpgrade: PageRefusal = {
  status: 400,
  code: 'invalid-input',
  message: 'There are no upgrades here.',
};

function noPort(cause: unknown): Fault {
  return new Fault(
    'too-many',
    'No port of loopback could be opened for the dashboard.',
    'See `signalbox logs`; `signalbox ls` shows the same in the terminal.',
    { cause },
  );
}
