import type { Letter } from '../../delivery/letter.ts';
import {
  type Correspondent,
  leadOf,
  type NameOf,
  nameLines,
  wantsAnswer,
  writeEnd,
  writeMessage,
} from '../../messages/envelope.ts';
import type { Message } from '../../messages/message.ts';
import { cutParts, wholeBytes } from '../../messages/parts.ts';
import { ownShortId } from '../../messages/short-id.ts';
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
  nameOf?: NameOf,
): Fenced {
  const lead = leadOf(mark);
  const answer = shown.some((letter) => isLast(letter) && wantsAnswer(letter))
    ? ' Answer: send_message with reply_to.'
    : '';
  return new Fenced(mark, [
    // Nobody takes a tool's result for typed.
    `Mail. ${nameLines(mark)}${answer}`,
    ...shown.flatMap((letter) => [
      writeMessage(lead, letter, senderOf(letter.from), nameOf),
      `${writeEnd(lead, letter)}${howToGoOn(letter)}`,
    ]),
  ]);
}

function isLast({ part }: Letter): boolean {
  return part === undefined || part.number === part.of;
}

function howToGoOn(letter: Letter): string {
  const { part } = letter;
  if (part === undefined) return '';
  const where = ` Part ${part.number} of ${part.of}.`;
  if (isLast(letter)) return where;
  return `${where} The next check_inbox hands out the next part; any part again: {"message": "${ownShortId(letter)}", "part": ${part.number}}`;
}

/** The same for programs, as far as a model may see it too. */
export function viewShown(
  letter: Letter,
  { name, role }: Correspondent,
): Readonly<Record<string, unknown>> {
  const { id, number, kind, outcome, replyTo, owes, reports, part } = letter;
  const { urgent, mayRepeat, truncated } = letter;
  return {
    id,
    ...(number === undefined ? {} : { number }),
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
