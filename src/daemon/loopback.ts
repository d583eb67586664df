import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Clock } from '../shared/clock.ts';
import { pause } from '../shared/clock.ts';
import { Fault } from '../shared/fault.ts';
import { errorFacts, type Log } from '../shared/log.ts';
import { reportBug } from '../shared/report-bug.ts';
import { shareDescriptors } from './descriptors.ts';
import { createFetchServer, type Fetch } from './listen.ts';
import { PortConnections } from './port-connections.ts';
import { PortGate } from './port-gate.ts';

/** Opened for a launch, it stays so long without an agent that uses it. */
const graceMs = 60_000;
const address = '127.0.0.1';
/**
 * Longer than clients keep an idle connection (10 minutes at most in Node's fetch, 90 s in reqwest, 5 s in httpx): a call after a
 * while of thought comes over the same one, or the client is who closes it, and that shows what it has read (rule 17).
 */
const keepAliveMs = 15 * 60_000;

export interface LoopbackParts {
  readonly fetch: Fetch;
  readonly stateFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Requests of strangers that are heard; a thousand, unless it is said otherwise. */
  readonly strangersPerSecond?: number;
  /** Whether it is the token of a life that runs. */
  readonly isLiving: (token: string) => Promise<boolean>;
  /** Whether an agent runs whose tools come this way. */
  readonly isWanted: () => Promise<boolean>;
  /** Calls whenever a life has ended; returns the end of that. */
  readonly onLifeEnd: (act: () => Promise<void>) => () => void;
}

interface Opened {
  readonly server: Server;
  readonly url: string;
  readonly unfollow: () => void;
}

/**
 * MCP over HTTP on loopback, only while an agent runs that was launched with it. Such an agent knows its address for life: the
 * port is remembered, and taken again after a restart of the daemon.
 */
export class Loopback {
  readonly #parts: LoopbackParts;
  readonly #over = new AbortController();
  #opening: Promise<Opened> | undefined;
  #keptUntilMs = 0;

  constructor(parts: LoopbackParts) {
    this.#parts = parts;
  }

  /** The address for an agent that is about to be launched. */
  async open(): Promise<string> {
    this.#keptUntilMs = this.#parts.clock.monotonicMs() + graceMs;
    const { url } = await this.#ensure();
    void this.#reviewLater();
    return url;
  }

  /** Opens what running agents use, closes what none does. Called at the start, and while it is open whenever a life ends. */
  async review(): Promise<void> {
    const { clock, isWanted, log } = this.#parts;
    try {
      if (await isWanted()) await this.#ensure();
      else if (clock.monotonicMs() >= this.#keptUntilMs) await this.#close();
    } catch (error) {
      reportBug('serving the tools over HTTP', error);
      log.error(errorFacts(error), 'the tools cannot be served over HTTP');
    }
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#close();
  }

  async #ensure(): Promise<Opened> {
    this.#opening ??= this.#listen();
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #listen(): Promise<Opened> {
    const { fetch, stateFolder, log, onLifeEnd } = this.#parts;
    const path = join(stateFolder, 'mcp-port');
    let port = 0;
    const connections = new PortConnections(shareDescriptors());
    const gate = new PortGate({ ...this.#parts, connections });
    const server = createFetchServer(fetch, (incoming, outgoing, pass) => {
      void gate.admit(incoming, outgoing, port, pass);
    });
    server.on('connection', (socket) => connections.take(socket));
    server.keepAliveTimeout = keepAliveMs;
    port = await bind(server, readPort(path));
    writeFileSync(path, `${port}\n`, { mode: 0o600 });
    const url = `http://${address}:${port}/mcp`;
    log.info({ url }, 'the tools are served over HTTP');
    const unfollow = onLifeEnd(() => this.review());
    return { server, url, unfollow };
  }

  async #reviewLater(): Promise<void> {
    if (await pause(this.#parts.clock, graceMs + 1000, this.#over.signal)) await this.review();
  }

  async #close(): Promise<void> {
    const opened = this.#opening;
    this.#opening = undefined;
    // Whoever asked for it was told why it could not be opened.
    const { server, unfollow } = (await opened?.catch(() => undefined)) ?? {};
    if (!server) return;
    unfollow?.();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    this.#parts.log.info({}, 'the tools are no longer served over HTTP');
  }
}

function readPort(path: string): number {
  try {
    const port = Number(readFileSync(path, 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
  } catch {
    // None was written yet, or it cannot be read: any port does.
    return 0;
  }
}

/** The remembered one; another when somebody has taken that, which agents that know the old one will not find. */
async function bind(server: Server, wanted: number): Promise<number> {
  try {
    return await listenOn(server, wanted);
  } catch (error) {
    if (wanted === 0) throw noPort(error);
    return listenOn(server, 0);
  }
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, exclusive: true }, () => {
      server.off('error', reject);
      const bound = server.address();
      if (bound === null || typeof bound === 'string') reject(new Error('no port'));
      else resolve(bound.port);
    });
  });
}

function noPort(cause: unknown): Fault {
  return new Fault(
    'launch-failed',
    'No port of loopback could be opened for the tools.',
    'Take `toolsOver` out of the profile: the tools then come over stdio.',
    { cause },
  );
}
