import { chmodSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import type { Carried } from '../server/read-bounded.ts';
import { systemClock } from '../shared/clock.ts';
import { createSecret } from '../shared/ids.ts';
import { connectionOf } from './connections.ts';
import { isStream, sendStream } from './send-stream.ts';

export interface Listener {
  /** Whether the socket file is still the one that was made here. */
  isThere(): boolean;
  /** Takes no new requests, lets running ones end for a while, and removes the socket file. */
  close(patienceMs: number): Promise<void>;
}

export type Fetch = (request: Request, carried: Carried) => Response | Promise<Response>;

/** A client that sends its request this slowly does not want an answer. */
const requestMs = 30_000;

/**
 * Listens on a unix socket, for its owner alone; only whoever holds the daemon's lock may call this. The socket is made under
 * another name and renamed into place: a file left behind by a killed daemon is replaced without a moment at which there is
 * none, and libuv, which on closing removes whatever lies under the name it was given, never removes a successor's socket.
 */
export async function listen(path: string, fetch: Fetch): Promise<Listener> {
  removeDrafts(dirname(path));
  // No longer than the name it stands for: that one just fits.
  const draft = join(dirname(path), `${draftPrefix}${createSecret('').slice(1, 7)}`);
  const server = createFetchServer(fetch);
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

export function createFetchServer(fetch: Fetch): Server {
  const server = createAdaptorServer({
    fetch: async (request, { incoming, outgoing }) => {
      const body = incoming as IncomingMessage;
      const connection = connectionOf(body.socket, outgoing as ServerResponse);
      const cameAtMs = systemClock.monotonicMs();
      const response = await fetch(request, { body, connection, cameAtMs });
      return isStream(response) ? sendStream(response, outgoing as ServerResponse) : response;
    },
    overrideGlobalObjects: false,
  }) as Server;
  server.requestTimeout = requestMs;
  return server;
}

const draftPrefix = 'new-';

/** Of daemons that were killed between making and renaming. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(draftPrefix)) rmSync(join(folder, name), { force: true });
  }
}
