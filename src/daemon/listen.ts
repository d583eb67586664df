import { chmodSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Carried } from '../server/read-bounded.ts';
import { systemClock } from '../shared/clock.ts';
import { createSecret } from '../shared/ids.ts';
import { connectionOf } from './connections.ts';
import { shareDescriptors } from './descriptors.ts';
import { dropAnswer, isStream, sendStream } from './send-stream.ts';

export interface Listener {
  /** Whether the socket file is still the one that was made here. */
  isThere(): boolean;
  /** Takes no new requests, lets running ones end for a while, and removes the socket file. */
  close(patienceMs: number): Promise<void>;
}

export type Fetch = (request: Request, carried: Carried) => Response | Promise<Response>;

/** A client that sends its request, or the head of it, this slowly does not want an answer. */
const requestMs = 30_000;
const headMs = 10_000;
/** How often that is looked at. */
const checkMs = 2000;

/** Decides by the head whether a request is heard; `pass` hands it on. */
type Gate = (incoming: IncomingMessage, outgoing: ServerResponse, pass: () => void) => void;

/**
 * Listens on a unix socket, for its owner alone; only whoever holds the daemon's lock may call
 * this. The socket is made under another name and renamed into place: a file left behind by a
 * killed daemon is replaced without a moment at which there is none, and libuv, which on closing
 * removes whatever lies under the name it was given, never removes a successor's socket.
 */
export async function listen(path: string, fetch: Fetch): Promise<Listener> {
  removeDrafts(dirname(path));
  // No longer than the name it stands for: that one just fits.
  const draft = join(dirname(path), `${draftPrefix}${createSecret('').slice(1, 7)}`);
  const server = createFetchServer(fetch);
  // Only this user can open them, and a program of theirs that leaks them must not take the
  // descriptors of all else.
  server.maxConnections = shareDescriptors().socket;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Nobody else may connect even in the moment before the mode is set: the folder is 0700.
    server.listen(draft, resolve);
  });
  chmodSync(draft, 0o600);
  const { ino } = lstatSync(draft);
  renameSync(draft, path);
  const isThere = (): boolean => lstatSync(path, { throwIfNoEntry: false })?.ino === ino;
  return {
    isThere,
    close: async (patienceMs) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), patienceMs);
      await closed;
      clearTimeout(timer);
      if (isThere()) rmSync(path, { force: true });
    },
  };
}

export function createFetchServer(fetch: Fetch, gate?: Gate): Server {
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const body = incoming as IncomingMessage;
      const connection = connectionOf(body.socket, outgoing as ServerResponse);
      const cameAtMs = systemClock.monotonicMs();
      const response = await fetch(request, { body, connection, cameAtMs });
      // Whether the connection stays is the client's wish, which Node knows. The MCP SDK 2.4 says
      // `keep-alive` to everybody, and then Node keeps it open whatever the client said.
      response.headers.delete('connection');
      if (outgoing.destroyed) return dropAnswer(response);
      return isStream(response) ? sendStream(response, outgoing as ServerResponse) : response;
    },
    { overrideGlobalObjects: false },
  );
  const hear = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    void listener(incoming, outgoing);
  const server = createServer(
    { requestTimeout: requestMs, headersTimeout: headMs, connectionsCheckingInterval: checkMs },
    gate ? (incoming, outgoing) => gate(incoming, outgoing, () => hear(incoming, outgoing)) : hear,
  );
  if (gate) {
    // Nobody is asked to go on before it may.
    server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      gate(incoming, outgoing, () => {
        outgoing.writeContinue();
        hear(incoming, outgoing);
      });
    });
    // Left to itself, Node answers any other wish with 417, takes the body and keeps the
    // connection.
    server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      gate(incoming, outgoing, () => void outgoing.writeHead(417, { connection: 'close' }).end());
    });
  }
  return server;
}

const draftPrefix = 'new-';

/** Of daemons that were killed between making and renaming. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(draftPrefix)) rmSync(join(folder, name), { force: true });
  }
}
