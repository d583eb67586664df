/** What is handed over with a response, and what becomes of it. */
export interface HandOver {
  readonly document: unknown;
  /** Its last byte has left. */
  finish(): Promise<void>;
  /** Nobody knows how much of it was read. */
  lose(cause: string): Promise<void>;
}

/**
 * Written one after another, each when the socket has taken the one before it; more than Node
 * itself keeps of a response.
 */
const pieceBytes = 64 * 1024;

/**
 * A response that settles what it carries only when it has left the process, and before the client
 * sees its end (rule 16). In pieces, and the line feed is one of its own: @hono/node-server 2.1.6
 * asks for up to three before it writes the first, and waits for the socket only behind those.
 */
export function respondWith(
  { document, finish, lose }: HandOver,
  onTrouble: (error: unknown) => void,
): Response {
  const whole = Buffer.from(JSON.stringify(document));
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < whole.length; at += pieceBytes) {
    pieces.push(whole.subarray(at, at + pieceBytes));
  }
  pieces.push(Buffer.from('\n'));
  let isOver = false;
  const end = async (how: () => Promise<void>): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await how().catch(onTrouble); // Reported there, with whose it was.
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = pieces.shift();
        if (piece) return controller.enqueue(piece);
        await end(finish);
        controller.close();
      },
      cancel: () => end(() => lose('the connection was closed before it was written to its end')),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}
