import type { Readable } from 'node:stream';
import type { Context } from 'hono';
import { Fault } from '../shared/fault.ts';
import type { Connection } from './connection.ts';
import { seeApi } from './fault-response.ts';

/**
 * So much is read and thrown away: whoever is still sending when we answer and close would get a
 * broken pipe for an answer.
 */
const discardBytes = 64 * 1024 * 1024;

/**
 * What a socket hands over beside the request: its body as it comes, which as a stream of the web
 * costs a millisecond.
 */
export interface Carried {
  readonly body: Readable;
  /** The agent, by its id, that was looked at for this request already. */
  readonly looked?: string;
  readonly connection?: Connection;
  /** A session of the page asks, and so the user; no header of a request says that. */
  readonly place?: 'dashboard';
  /** When its head had come; monotonic. Its body may take long. */
  readonly cameAtMs?: number;
}

/**
 * A body, unless it is longer than the limit: then nothing of it is kept, whatever its announced
 * length was.
 */
export async function readBounded(c: Context, limit: number): Promise<Buffer | 'too-large'> {
  const gathered = new Gathered(limit, Number(c.req.header('content-length') ?? 0));
  const { body } = (c.env ?? {}) as Partial<Carried>;
  if (body) await gathered.takeAll(body);
  else {
    for await (const chunk of c.req.raw.body ?? []) if (!gathered.take(chunk)) break;
  }
  return gathered.end();
}

class Gathered {
  readonly #limit: number;
  #isTooLarge: boolean;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(limit: number, announced: number) {
    this.#limit = limit;
    this.#isTooLarge = announced > limit;
  }

  /** Says whether it wants more. */
  take(chunk: Uint8Array): boolean {
    this.#size += chunk.length;
    this.#isTooLarge ||= this.#size > this.#limit;
    if (this.#isTooLarge) this.#chunks = [];
    else this.#chunks.push(chunk);
    return this.#size <= discardBytes;
  }

  /** By its events: an iterator over a stream costs more than what it reads. */
  takeAll(body: Readable): Promise<void> {
    return new Promise((resolve, reject) => {
      if (body.readableEnded) return resolve();
      if (body.destroyed) return reject(cutShort());
      body.on('data', (chunk: Buffer) => {
        if (this.take(chunk)) return;
        body.destroy();
        resolve();
      });
      body.once('end', resolve);
      body.once('error', () => reject(cutShort()));
      body.once('close', () => reject(cutShort()));
    });
  }

  end(): Buffer | 'too-large' {
    return this.#isTooLarge ? 'too-large' : Buffer.concat(this.#chunks);
  }
}

/** Nobody is there to be told, and it is no fault of ours. */
function cutShort(): Fault {
  return new Fault('invalid-input', 'The request ended before its body did.', seeApi);
}
