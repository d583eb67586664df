import { connect } from 'node:net';
import type { Json } from '../wire/json.ts';
import { onLine } from '../wire/lines.ts';

/**
 * One connection, one request, one answer; `undefined` where nobody listens or nothing came back.
 */
export function ask(socket: string, request: Json): Promise<Json | undefined> {
  return new Promise((done) => {
    const connection = connect(socket);
    connection.on('error', () => done(undefined));
    connection.on('close', () => done(undefined));
    connection.write(`${JSON.stringify(request)}\n`);
    onLine(connection, (line) => {
      connection.destroy();
      done(JSON.parse(line) as Json);
    });
  });
}
