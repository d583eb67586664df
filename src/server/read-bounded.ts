/** So much is read and thrown away: whoever is still sending when we answer and close would get a broken pipe for an answer. */
const discardBytes = 64 * 1024 * 1024;

/** A body, unless it is longer than the limit: then nothing of it is kept, whatever its announced length was. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  announced: string | undefined,
): Promise<Buffer | 'too-large'> {
  if (!body) return Buffer.alloc(0);
  let isTooLarge = announced !== undefined && Number(announced) > limit;
  let chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return isTooLarge ? 'too-large' : Buffer.concat(chunks);
    size += value.length;
    isTooLarge ||= size > limit;
    if (!isTooLarge) chunks.push(value);
    else chunks = [];
    if (size > discardBytes) {
      await reader.cancel();
      return 'too-large';
    }
  }
}
