import type { Message } from './message.ts';

/**
 * A message as people and models name it: `412` in the reader's own inbox, `lead:412` or
 * `shop/lead:412` in another's. Full ids (`msg_…`) mean the same message everywhere.
 */
export interface ShortId {
  readonly number: number;
  /** Name or id of the recipient; undefined: whoever asks. */
  readonly inbox?: string;
  readonly session?: string;
}

/** Undefined for anything else, such as a full id. */
export function parseShortId(text: string): ShortId | undefined {
  const { inbox, session, digits = '' } = form.exec(text.normalize('NFC'))?.groups ?? {};
  if (digits === '') return undefined;
  return {
    number: Number(digits),
    ...(inbox === undefined ? {} : { inbox }),
    ...(session === undefined ? {} : { session }),
  };
}

/** A number is never written with zeros before it, so one that is must be a mistake. */
const form = /^(?:(?:(?<session>[^:/]+)\/)?(?<inbox>[^:/]+):)?(?<digits>[1-9]\d{0,14})$/u;

/** As its recipient names it. */
export function ownShortId({ id, number }: Pick<Message, 'id' | 'number'>): string {
  return number === undefined ? id : String(number);
}

/**
 * In a text of ours that asks its recipient for it: the number stands beside it in their
 * conversation, and by the full id we know later what a turn was about (rule 30).
 */
export function nameBoth({ id, number }: Pick<Message, 'id' | 'number'>): string {
  return number === undefined ? id : `${id} (${number})`;
}

/** As anybody else names it. */
export function shortIdIn(
  recipient: string,
  { id, number }: Pick<Message, 'id' | 'number'>,
): string {
  return number === undefined ? id : `${recipient}:${number}`;
}
