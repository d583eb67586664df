/** A body, unless it is longer than the limit: then reading stops there, whatever its announced length was. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  announced: string | undefined,
): Promise<Buffer | 'too-large'> {
  if (announced !== undefined && Number(announced) > limit) {
    await body?.cancel();
    return 'too-large';
  }
  if (!body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      return 'too-large';
    }
    chunks.push(value);
  }
}
