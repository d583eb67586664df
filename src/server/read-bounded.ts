import type { Context } from 'hono';

/** So much is read and thrown away: whoever is still sending when we answer and close would get a broken pipe for an answer. */
const discardBytes = 64 * 1024 * 1024;

/** A body, unless it is longer than the limit: then nothing of it is kept, whatever its announced length was. */
export async function readBounded(c: Context, limit: number): Promise<Buffer | 'too-large'> {
  const announced = c.req.header('content-length');
  let isTooLarge = announced !== undefined && Number(announced) > limit;
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bodyOf(c)) {
    size += chunk.length;
    isTooLarge ||= size > limit;
    if (!isTooLarge) chunks.push(chunk);
    else chunks = [];
    if (size > discardBytes) break;
  }
  return isTooLarge ? 'too-large' : Buffer.concat(chunks);
}

/** What a socket hands over beside the request: its body as it comes, which as a stream of the web costs a millisecond. */
export interface Carried {
  readonly body: AsyncIterable<Uint8Array>;
}

function bodyOf(c: Context): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  const { body } = (c.env ?? {}) as Partial<Carried>;
  return body ?? c.req.raw.body ?? [];
}
