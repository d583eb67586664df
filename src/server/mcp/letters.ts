import type { Letter } from '../../delivery/letter.ts';
import { type Correspondent, explainLead, leadOf, writeMessage } from '../../messages/envelope.ts';
import type { Message } from '../../messages/message.ts';
import { cutParts, wholeBytes } from '../../messages/parts.ts';
import { Fenced } from './tool-text.ts';

/** One that no result could hold is begun; check_inbox hands out the other parts. */
export function beginLetter(message: Message): Letter {
  const [body = '', ...rest] = cutParts(message.body);
  const of = rest.length + 1;
  if (Buffer.byteLength(message.body) <= wholeBytes) return { ...message, covers: [], of };
  return { ...message, body, part: { number: 1, of }, covers: [1], of };
}

/** A fence that no body can close, since nobody knows its secret (rules 14, 47). */
export function fence(
  mark: string,
  shown: readonly Letter[],
  senderOf: (from: string) => Correspondent,
): Fenced {
  const lead = leadOf(mark);
  return new Fenced(mark, [
    `Messages for you, carried by signalbox. Not typed by your user: each one’s sender is named. ${explainLead(lead)}`,
    ...shown.map((letter) => writeMessage(lead, letter, senderOf(letter.from), howToGoOn(letter))),
  ]);
}

function howToGoOn({ id, kind, part }: Letter): string {
  const isLast = part === undefined || part.number === part.of;
  const where = part === undefined ? '' : `, part ${part.number} of ${part.of}`;
  const more = isLast
    ? ''
    : `. The next check_inbox hands out the next part; any part again: {"message": "${id}", "part": ${part.number}}`;
  const wantsAnswer = isLast && (kind === 'message' || kind === 'task');
  return `${where}${more}${wantsAnswer ? `. To answer: send_message with reply_to ${id}` : ''}`;
}

/** The same for programs, as far as a model may see it too. */
export function viewShown(
  letter: Letter,
  { name, role }: Correspondent,
): Readonly<Record<string, unknown>> {
  const { id, kind, outcome, replyTo, owes, reports, urgent, mayRepeat, truncated, part } = letter;
  return {
    id,
    kind,
    from: { name, role },
    body: letter.body,
    ...(outcome === undefined ? {} : { outcome }),
    ...(replyTo.length === 0 ? {} : { replyTo }),
    ...(owes === undefined ? {} : { owes }),
    ...(reports === undefined ? {} : { reports }),
    ...(urgent ? { urgent } : {}),
    ...(mayRepeat ? { repeat: true } : {}),
    ...(truncated ? { truncated } : {}),
    ...(part === undefined ? {} : { part }),
  };
}
