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
import { address, listenOn } from './listen-on-port.ts';
import { PortConnections } from './port-connections.ts';
import { PortGate } from './port-gate.ts';

/** Opened for a launch, it stays so long without an agent that uses it. */
const graceMs = 60_000;
/** A port that cannot be had is tried again after so long, then ever more seldom. */
const againMs = { first: 1000, most: 60_000 } as const;
/**
 * Longer than clients keep an idle connection (10 minutes at most in Node's fetch, 90 s in reqwest,
 * 5 s in httpx): a call after a while of thought comes over the same one, or the client is who
 * closes it, and that shows what it has read (rule 17).
 */
const keepAliveMs = 15 * 60_000;

export interface LoopbackParts {
  readonly fetch: Fetch;
  readonly stateFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Requests of strangers that are heard; a thousand, unless it is said otherwise. */
  readonly strangersPerSecond?: number;
  /** Whether it is the token of a life that runs and was given its tools on this port. */
  readonly isGiven: (token: string, port: number) => Promise<boolean>;
  /** The ports that running agents were given. */
  readonly listPorts: () => Promise<readonly number[]>;
  /** Another program holds it: who was given it may have shown that program its token. */
  readonly onTaken: (port: number) => Promise<void>;
  /** Calls whenever a life has ended; returns the end of that. */
  readonly onLifeEnd: (act: () => Promise<void>) => () => void;
}

/**
 * MCP over HTTP on loopback, only while an agent runs that was launched with it. Such an agent
 * knows its address for life: each port is taken again after a restart of the daemon. Anybody on
 * the machine may have taken it meanwhile, and was then shown the tokens of those who called: they
 * are good on no port any more, and new agents are given another one. The old port is still wanted,
 * so that its agents are told what is wrong and the other program is told nothing.
 */
export class Loopback {
  readonly #parts: LoopbackParts;
  readonly #over = new AbortController();
  readonly #connections = new PortConnections(shareDescriptors());
  readonly #gate: PortGate;
  readonly #open = new Map<number, Server>();
  /** For new agents. */
  #port: number | undefined;
  #keptUntilMs = 0;
  #work: Promise<unknown> = Promise.resolve();
  #unfollow: (() => void) | undefined;
  /** Ports that another program had, which the ledger could not be told. */
  readonly #unnoted = new Set<number>();
  #againMs: number = againMs.first;
  #isAgainDue = false;

  constructor(parts: LoopbackParts) {
    this.#parts = parts;
    this.#gate = new PortGate({ ...parts, connections: this.#connections });
  }

  /** The address for an agent that is about to be launched. */
  async open(): Promise<string> {
    this.#keptUntilMs = this.#parts.clock.monotonicMs() + graceMs;
    const port = await this.#inTurn(() => this.#openForNew());
    void this.#reviewAfter(graceMs + 1000);
    return `http://${address}:${port}/mcp`;
  }

  /**
   * Opens what running agents use, closes what none does. Called at the start, and while it is open
   * whenever a life ends.
   */
  async review(): Promise<void> {
    try {
      await this.#inTurn(() => this.#review());
    } catch (error) {
      reportBug('serving the tools over HTTP', error);
      this.#parts.log.error(errorFacts(error), 'the tools cannot be served over HTTP');
    }
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#inTurn(async () => {
      for (const port of [...this.#open.keys()]) await this.#shut(port);
    });
  }

  /** One after another: two that open the same port would take each other for a stranger. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#work.then(act);
    // Told to whoever asked for it.
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #openForNew(): Promise<number> {
    if (this.#port !== undefined && this.#open.has(this.#port)) return this.#port;
    const path = join(this.#parts.stateFolder, 'mcp-port');
    const remembered = readPort(path);
    if (remembered === 0 || !(await this.#take(remembered))) {
      this.#port = await this.#listen(0).catch((error) => {
        throw noPort(error);
      });
      writeFileSync(path, `${this.#port}\n`, { mode: 0o600 });
    } else this.#port = remembered;
    return this.#port;
  }

  async #review(): Promise<void> {
    if (this.#over.signal.aborted) return;
    const wanted = await this.#listWanted();
    let isMissing = wanted === undefined;
    for (const port of wanted ?? []) isMissing = !(await this.#take(port)) || isMissing;
    const isKept = this.#parts.clock.monotonicMs() < this.#keptUntilMs;
    for (const port of wanted ? [...this.#open.keys()] : []) {
      if (!wanted?.has(port) && !(isKept && port === this.#port)) await this.#shut(port);
    }
    if (!isMissing) this.#againMs = againMs.first;
    else if (!this.#isAgainDue) {
      this.#isAgainDue = true;
      void this.#reviewAfter(this.#againMs, () => {
        this.#isAgainDue = false;
      });
      this.#againMs = Math.min(2 * this.#againMs, againMs.most);
    }
  }

  /** Undefined: the ledger cannot be read, which says nothing about who uses a port. */
  async #listWanted(): Promise<ReadonlySet<number> | undefined> {
    try {
      return new Set(await this.#parts.listPorts());
    } catch (error) {
      reportBug('listing the ports of the tools', error);
      this.#parts.log.error(errorFacts(error), 'the ports of the tools are unknown; trying again');
      return undefined;
    }
  }

  /** Whether it is ours. Only that somebody else has it says anything about its agents' tokens. */
  async #take(port: number): Promise<boolean> {
    if (this.#open.has(port)) return true;
    // Its agents' tokens were shown to somebody: they must not be good here once more.
    if (this.#unnoted.has(port) && !(await this.#noteTaken(port))) return false;
    try {
      await this.#listen(port);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      reportBug('taking the port for the tools again', error);
      this.#parts.log.warn({ port, code }, 'the port for the tools cannot be had; trying again');
      // Before anything is served elsewhere.
      if (code === 'EADDRINUSE') await this.#noteTaken(port);
      return false;
    }
  }

  async #noteTaken(port: number): Promise<boolean> {
    this.#unnoted.add(port);
    try {
      await this.#parts.onTaken(port);
      return this.#unnoted.delete(port);
    } catch (error) {
      reportBug('noting that a port for the tools is taken', error);
      const facts = { port, ...errorFacts(error) };
      this.#parts.log.error(facts, 'a port is lost, which cannot be noted; trying again');
      return false;
    }
  }

  async #listen(wanted: number): Promise<number> {
    const { fetch, log, onLifeEnd } = this.#parts;
    let port = wanted;
    const server = createFetchServer(fetch, (incoming, outgoing, pass) => {
      void this.#gate.admit(incoming, outgoing, port, pass);
    });
    server.on('connection', (socket) => this.#connections.take(socket));
    server.keepAliveTimeout = keepAliveMs;
    port = await listenOn(server, wanted);
    this.#open.set(port, server);
    this.#unfollow ??= onLifeEnd(() => this.review());
    log.info({ url: `http://${address}:${port}/mcp` }, 'the tools are served over HTTP');
    return port;
  }

  async #shut(port: number): Promise<void> {
    const server = this.#open.get(port);
    this.#open.delete(port);
    if (this.#open.size === 0) {
      this.#unfollow?.();
      this.#unfollow = undefined;
    }
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    this.#parts.log.info({ port }, 'the tools are no longer served over HTTP');
  }

  async #reviewAfter(ms: number, before: () => void = () => undefined): Promise<void> {
    if (!(await pause(this.#parts.clock, ms, this.#over.signal))) return;
    before();
    await this.review();
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

function noPort(cause: unknown): Fault {
  return new Fault(
    'launch-failed',
    'No port of loopback could be opened for the tools.',
    'Take `toolsOver` out of the profile: the tools then come over stdio.',
    { cause },
  );
}
