import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { onTestFinished, test } from 'vitest';
import { type Herdr, type HerdrOptions, startHerdr } from '../../fakes/herdr/start.ts';
import { waitUntil } from '../../support/wait-until.ts';

export type Json = Record<string, unknown>;

/**
 * The suite describes herdr 0.8.0. It runs against the fake, and against a real one when HERDR_BIN
 * names it; what only the fake can do is then left out.
 */
const binary = process.env['HERDR_BIN'];
export const onlyFake = test.skipIf(binary !== undefined);

/** A server for one test. */
export async function openHerdr(options: HerdrOptions = {}): Promise<World> {
  // The fake would pay up to 100 ms for every request, as the real one does; one test is about
  // that.
  const without = options.without ?? ['slow-first-line'];
  const herdr = await startHerdr({ ...options, without, ...(binary ? { binary } : {}) });
  const world = new World(herdr);
  onTestFinished(() => world.close());
  return world;
}

export class World {
  readonly herdr: Herdr;
  readonly #talks: Talk[] = [];

  constructor(herdr: Herdr) {
    this.herdr = herdr;
  }

  /** A connection on which the text has been written. */
  talk(text: string): Talk {
    const talk = new Talk(this.herdr.socket, text);
    this.#talks.push(talk);
    return talk;
  }

  /** The answer to one request, whatever it is. */
  async request(method: string, params: Json = {}): Promise<Json> {
    const talk = this.talk(encode({ id: 'r', method, params }));
    return talk.line(0);
  }

  async ask(method: string, params: Json = {}): Promise<Json> {
    const answer = await this.request(method, params);
    if (answer['error']) throw new Error(`${method}: ${JSON.stringify(answer['error'])}`);
    return answer['result'] as Json;
  }

  async refusal(method: string, params: Json = {}): Promise<string> {
    const { error } = await this.request(method, params);
    return String((error as Json | undefined)?.['code']);
  }

  /** A subscription that has been confirmed. */
  async subscribe(...subscriptions: (string | Json)[]): Promise<Talk> {
    const list = subscriptions.map((each) => (typeof each === 'string' ? { type: each } : each));
    const params = { subscriptions: list };
    const talk = this.talk(encode({ id: 's', method: 'events.subscribe', params }));
    await talk.line(0);
    return talk;
  }

  /** A new workspace, by the ids in it. */
  async workspace(params: Json = {}): Promise<Ids> {
    const { workspace, tab, root_pane } = await this.ask('workspace.create', {
      cwd: this.herdr.folder,
      ...params,
    });
    return {
      workspace: text(workspace, 'workspace_id'),
      tab: text(tab, 'tab_id'),
      pane: text(root_pane, 'pane_id'),
      terminal: text(root_pane, 'terminal_id'),
    };
  }

  async split(target: string): Promise<string> {
    const { pane } = await this.ask('pane.split', { target_pane_id: target, direction: 'down' });
    return text(pane, 'pane_id');
  }

  async paneIds(): Promise<readonly string[]> {
    const { panes } = await this.ask('pane.list');
    return (panes as Json[]).map((pane) => text(pane, 'pane_id'));
  }

  /** A tab whose one pane runs this program and nothing else. */
  async run(command: readonly string[], leaf: Json = {}): Promise<string> {
    const root = { type: 'pane', command, ...leaf };
    const { layout } = await this.ask('layout.apply', { root });
    return text((layout as Json)['root'], 'pane_id');
  }

  async untilShown(pane: string, value: string, type = 'substring'): Promise<Json> {
    const match = { type, value };
    const params = { pane_id: pane, source: 'recent', match, timeout_ms: 15_000 };
    return this.ask('pane.wait_for_output', params);
  }

  async screen(pane: string, source = 'visible', more: Json = {}): Promise<string> {
    const { read } = await this.ask('pane.read', { pane_id: pane, source, ...more });
    return text(read, 'text');
  }

  cli(...args: readonly string[]): Promise<Ended> {
    return this.cliWith({}, ...args);
  }

  cliWith(env: Record<string, string>, ...args: readonly string[]): Promise<Ended> {
    const child = spawn(this.herdr.bin, args, { env: { ...this.herdr.env, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
    });
    child.stdin.end();
    return new Promise((done) => child.on('close', (code) => done({ code, stdout, stderr })));
  }

  async close(): Promise<void> {
    for (const talk of this.#talks) talk.socket.destroy();
    await this.herdr.stop();
  }
}

interface Ids {
  readonly workspace: string;
  readonly tab: string;
  readonly pane: string;
  readonly terminal: string;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One connection, and everything that came over it. */
export class Talk {
  readonly socket: Socket;
  readonly raw: string[] = [];
  /** How it ended: `end`, or the code of an error. */
  ended: string | undefined;
  /** What came behind the last whole line. */
  rest = '';

  constructor(path: string, text: string) {
    this.socket = connect({ path, allowHalfOpen: true });
    this.socket.setEncoding('utf8');
    this.socket.on('data', (chunk: string) => {
      const lines = `${this.rest}${chunk}`.split('\n');
      this.rest = lines.pop() ?? '';
      this.raw.push(...lines);
    });
    this.socket.on('error', (error: NodeJS.ErrnoException) => {
      this.ended ??= error.code ?? error.message;
    });
    this.socket.on('end', () => {
      this.ended ??= 'end';
      this.socket.end();
    });
    this.socket.on('close', () => {
      this.ended ??= 'close';
    });
    this.socket.write(text);
  }

  get lines(): readonly Json[] {
    return this.raw.map((line) => JSON.parse(line) as Json);
  }

  /** Behind the confirmation. */
  get events(): readonly { readonly event: string; readonly data: Json }[] {
    return this.lines.slice(1) as unknown as { event: string; data: Json }[];
  }

  async line(index: number): Promise<Json> {
    await waitUntil(`line ${index}`, () => this.raw.length > index || this.ended !== undefined);
    const line = this.lines[index];
    if (!line) throw new Error(`no line ${index}: ${this.ended}`);
    return line;
  }

  untilEvent(event: string, parts: Json = {}): Promise<Json> {
    return waitUntil(`${event} ${JSON.stringify(parts)}`, () =>
      this.events
        .filter((each) => each.event === event)
        .map(({ data }) => data)
        .find((data) => Object.entries(parts).every(([key, value]) => data[key] === value)),
    );
  }

  untilEnded(): Promise<string> {
    return waitUntil('the end of the connection', () => this.ended);
  }
}

export function encode(request: Json): string {
  return `${JSON.stringify(request)}\n`;
}

export function text(record: unknown, name: string): string {
  return String((record as Json)[name]);
}
