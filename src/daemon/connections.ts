import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection, ConnectionEnd } from '../server/connection.ts';
import { createSecret } from '../shared/ids.ts';

const known = new WeakMap<Socket, SocketConnection>();

/** The connection that a request came over, and that its answer leaves by. */
export function connectionOf(socket: Socket, answer: ServerResponse): Connection {
  let connection = known.get(socket);
  if (!connection) {
    connection = new SocketConnection(socket);
    known.set(socket, connection);
  }
  const { answers } = connection;
  answers.add(answer);
  answer.once('finish', () => answers.delete(answer));
  return connection;
}

class SocketConnection implements Connection {
  readonly id = createSecret('conn');
  /** Those that have not been given to the system to their last byte. */
  readonly answers = new Set<ServerResponse>();
  readonly #acts = new Set<(end: ConnectionEnd) => void>();
  #end: ConnectionEnd | undefined;

  constructor(socket: Socket) {
    lingerAtEnd(socket);
    let isClosedByClient = false;
    let isCut = false;
    socket.once('end', () => {
      isClosedByClient = true;
      isCut = this.answers.size > 0;
    });
    socket.once('close', (hasFailed: boolean) => {
      if (hasFailed || isCut || this.answers.size > 0) this.#finish('reset');
      else this.#finish(isClosedByClient ? 'closed' : 'dropped');
    });
    if (socket.destroyed) this.#finish('reset');
  }

  get end(): ConnectionEnd | undefined {
    return this.#end;
  }

  onEnd(act: (end: ConnectionEnd) => void): () => void {
    if (this.#end === undefined) this.#acts.add(act);
    else act(this.#end);
    return () => void this.#acts.delete(act);
  }

  #finish(end: ConnectionEnd): void {
    this.#end = end;
    this.answers.clear();
    for (const act of this.#acts) act(end);
    this.#acts.clear();
  }
}

/** A client that wanted the connection closed has so long to close its own side. */
const lingerMs = 2000;

/**
 * After the last answer of a connection that its client wants closed (`Connection: close`), Node 20
 * destroys the socket. Then it never hears the client close its side, which shows that the client
 * has read the answer (rule 17). So only our side is ended at once; the client sees that as before.
 */
function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.writable) socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}
