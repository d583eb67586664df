import type { Message } from './message.ts';

/**
 * The head of a list until its bodies exceed `bytes` of UTF-8, as `sizeOf` counts them; at least
 * one message where there is one.
 */
export function takeBounded(
  messages: Iterable<Message>,
  bytes: number,
  sizeOf: (body: string) => number = Buffer.byteLength,
): readonly Message[] {
  const taken: Message[] = [];
  let total = 0;
  for (const message of messages) {
    total += sizeOf(message.body);
    if (taken.length > 0 && total > bytes) break;
    taken.push(message);
  }
  return taken;
}
