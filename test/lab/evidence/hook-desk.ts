import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { HookPayload, Provider } from '../../../src/providers/provider.ts';
import type { HookReply } from '../../../src/providers/way-in.ts';
import { parseObject } from '../../../src/shared/json.ts';

/**
 * Where a CLI's hooks ask in the lab: everything is kept, and a text that is armed answers the next
 * offer of a turn boundary.
 */
export class LabHookDesk {
  readonly hooks: HookPayload[] = [];
  readonly #provider: Provider;
  readonly #onHook: (hook: HookPayload) => void;
  #armed: string | undefined;
  #held: { readonly event: string; readonly until: Promise<void> } | undefined;
  readonly #folder: string;
  readonly #server;

  constructor(folder: string, provider: Provider, onHook: (hook: HookPayload) => void) {
    this.#folder = folder;
    this.#provider = provider;
    this.#onHook = onHook;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const event = (request.url ?? '').slice(1);
        const body = parseObject(Buffer.concat(chunks).toString()) ?? {};
        void this.#answer({ event, body }).then((reply) => response.end(JSON.stringify(reply)));
      });
    });
  }

  async open(): Promise<void> {
    writeFileSync(join(this.#folder, 'hook.mjs'), client);
    await new Promise<void>((done) => this.#server.listen(join(this.#folder, 'desk'), done));
  }

  command(event: string): string {
    return `${process.execPath} ${this.#folder}/hook.mjs ${this.#folder}/desk ${event}`;
  }

  /** Says this at the next turn boundary. */
  arm(text: string): void {
    this.#armed = text;
  }

  get isArmed(): boolean {
    return this.#armed !== undefined;
  }

  /** Keeps every call of this hook waiting, until let go. */
  hold(event: string): () => void {
    let go: () => void = () => undefined;
    const until = new Promise<void>((done) => {
      go = done;
    });
    this.#held = { event, until };
    return () => {
      this.#held = undefined;
      go();
    };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(hook: HookPayload): Promise<HookReply> {
    this.hooks.push(hook);
    this.#onHook(hook);
    if (this.#held?.event === hook.event) await this.#held.until;
    const offer = this.#provider.readOffer?.(hook);
    const text = this.#armed;
    if (offer?.route !== 'turn-boundary' || text === undefined) return { exitCode: 0 };
    this.#armed = undefined;
    return offer.reply(text);
  }
}

const client = `import { request } from 'node:http';
const [socketPath, event] = process.argv.slice(2);
const ask = request({ socketPath, path: '/' + event, method: 'POST' });
ask.on('error', () => process.exit(0)).on('response', async (response) => {
  let text = '';
  for await (const chunk of response) text += chunk;
  const { stdout = '', stderr = '', exitCode } = JSON.parse(text);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
});
process.stdin.pipe(ask);
`;
