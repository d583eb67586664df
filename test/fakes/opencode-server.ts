import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../src/shared/json.ts';

export interface FakeMessage {
  readonly info: Json;
  readonly parts: readonly Json[];
}

/** What a request is answered with instead; `drop`: the connection ends without an answer. */
export type Fault = number | 'drop';

/** Speaks as OpenCode 1.18.33 does about sessions and messages. */
export class FakeOpenCode {
  readonly sessions = new Map<string, Json>();
  readonly messages = new Map<string, FakeMessage[]>();
  readonly status: Record<string, Json> = {};
  /** What it waits for; a reply takes it away. */
  readonly permissions: Json[] = [];
  readonly posts: { readonly path: string; readonly body: Json }[] = [];
  /** By method and path, `*` for any id. */
  readonly faults = new Map<string, Fault>();
  /** Before a question is answered. */
  onGet: (path: string) => void = () => undefined;
  /** Before a request that changes something is done. */
  onPost: () => void = () => undefined;
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  /** Connections to the stream of events, closed ones too. */
  opened = 0;
  #isCut = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(password: string): Promise<FakeOpenCode> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const fake = new FakeOpenCode(server);
    server.on('connection', (socket) => fake.#isCut && socket.destroy());
    const authorization = `Basic ${btoa(`opencode:${password}`)}`;
    server.on('request', (request, response) => {
      if (request.headers.authorization !== authorization) response.writeHead(401).end();
      else void fake.#answer(request, response);
    });
    return fake;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  send(event: Json): void {
    for (const stream of this.#streams) {
      stream.write(`data: ${JSON.stringify({ id: 'evt_1', ...event })}\n\n`);
    }
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Every connection ends, and so does every new one until it is mended. */
  cut(): void {
    this.#isCut = true;
    this.#server.closeAllConnections();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const body = await readBody(request);
    const method = request.method ?? 'GET';
    if (method === 'POST') this.posts.push({ path: pathname, body });
    const shape = `${method} ${pathname.replaceAll(/(ses|msg|per)_\w+/g, '*')}`;
    const fault = this.faults.get(`${method} ${pathname}`) ?? this.faults.get(shape);
    if (fault === 'drop') return void response.destroy();
    if (fault !== undefined) return void response.writeHead(fault).end();
    if (pathname === '/event') return this.#stream(response);
    if (method === 'GET') this.onGet(pathname);
    else this.onPost();
    const answer = method === 'GET' ? this.#get(pathname) : this.#post(pathname, body);
    if (answer === undefined) response.writeHead(404).end('{}');
    else if (answer === 'nothing') response.writeHead(204).end();
    else response.writeHead(200).end(JSON.stringify(answer));
  }

  ask(permission: Json): void {
    this.permissions.push(permission);
    this.send({ type: 'permission.asked', properties: permission });
  }

  /** A no takes all of the conversation with it (1.18.33). Undefined: there is no such one. */
  reply(id: string, reply: unknown): true | undefined {
    const found = this.permissions.find((asked) => asked['id'] === id);
    if (!found) return undefined;
    const isOver = (asked: Json): boolean =>
      asked === found || (reply === 'reject' && asked['sessionID'] === found['sessionID']);
    for (const asked of this.permissions.filter(isOver)) {
      this.permissions.splice(this.permissions.indexOf(asked), 1);
      const { id: requestID, sessionID } = asked;
      this.send({ type: 'permission.replied', properties: { sessionID, requestID, reply } });
    }
    return true;
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#streams.add(response);
    this.opened++;
    response.once('close', () => this.#streams.delete(response));
    response.write('data: {"id":"evt_0","type":"server.connected","properties":{}}\n\n');
  }

  #get(pathname: string): unknown {
    if (pathname === '/session/status') return this.status;
    if (pathname === '/permission') return this.permissions;
    if (pathname === '/session') return [...this.sessions.values()];
    const [, session = '', rest, message] =
      /^\/session\/(\w+)(\/message)?(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (rest === undefined) return this.sessions.get(session);
    const all = this.messages.get(session) ?? [];
    if (!this.sessions.has(session)) return undefined;
    return message === undefined ? all : all.find(({ info }) => info['id'] === message);
  }

  #post(pathname: string, body: Json): unknown {
    if (pathname === '/tui/select-session') return true;
    const [, permission] = /^\/permission\/(\w+)\/reply$/.exec(pathname) ?? [];
    if (permission !== undefined) return this.reply(permission, body['reply']);
    if (pathname === '/session') {
      const made = { id: `ses_${this.sessions.size + 1}`, time: { updated: 0 } };
      this.sessions.set(made.id, made);
      return made;
    }
    const [, aborted] = /^\/session\/(\w+)\/abort$/.exec(pathname) ?? [];
    if (aborted !== undefined) {
      delete this.status[aborted];
      return this.sessions.has(aborted) ? true : undefined;
    }
    const [, session = ''] = /^\/session\/(\w+)\/prompt_async$/.exec(pathname) ?? [];
    if (!this.sessions.has(session)) return undefined;
    const { messageID: id, parts } = body;
    const message = { info: { id, role: 'user' }, parts: parts as readonly Json[] };
    this.messages.set(session, [...(this.messages.get(session) ?? []), message]);
    return 'nothing';
  }
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Json);
}
