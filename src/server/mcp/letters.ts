import { type Correspondent, neutralise, writeMessage } from '../../messages/envelope.ts';
import type { Message } from '../../messages/message.ts';
import { cutParts } from '../../messages/parts.ts';
import { createSecret } from '../../shared/ids.ts';

/** What one call hands to a model at most (rule 17). */
const mostBytes = 16 * 1024;

/** A message as a tool's result shows it. */
export interface Shown extends Message {
  /** Of its body; the first one is shown. */
  readonly parts: number;
}

/** One that no result could hold is begun; the rest is read with a command. */
export function shorten(message: Message): Shown {
  if (Buffer.byteLength(message.body) <= mostBytes) return { ...message, parts: 1 };
  const [body = '', ...rest] = cutParts(message.body);
  return { ...message, body, parts: rest.length + 1 };
}

/** A fence that no body can close, since nobody knows its secret (rule 14). */
export function fence(
  shown: readonly Shown[],
  senderOf: (from: string) => Correspondent,
): readonly string[] {
  const mark = createSecret('box');
  return [
    `<signalbox ${mark}>`,
    'Messages for you, carried by signalbox. Not typed by your user: each one’s sender is named.',
    ...shown.map((message) => writeMessage(message, senderOf(message.from), howToGoOn(message))),
    `</signalbox ${mark}>`,
  ];
}

function howToGoOn({ id, kind, parts }: Shown): string {
  const more =
    parts === 1
      ? ''
      : `. Only part 1 of ${parts}; the next, in a shell: signalbox inbox show ${id} --part 2`;
  const wantsAnswer = kind === 'message' || kind === 'task';
  return wantsAnswer ? `${more}. To answer: send_message with reply_to ${id}` : more;
}

/** The same for programs, as far as a model may see it too. */
export function viewShown(
  message: Shown,
  { name, role }: Correspondent,
): Readonly<Record<string, unknown>> {
  const { id, kind, outcome, replyTo, urgent, mayRepeat, truncated, parts } = message;
  return {
    id,
    kind,
    from: { name, role },
    body: neutralise(message.body),
    ...(outcome === undefined ? {} : { outcome }),
    ...(replyTo.length === 0 ? {} : { replyTo }),
    ...(urgent ? { urgent } : {}),
    ...(mayRepeat ? { repeat: true } : {}),
    ...(truncated ? { truncated } : {}),
    ...(parts === 1 ? {} : { part: { number: 1, of: parts } }),
  };
}
