import type { Message } from '../../src/messages/message.ts';

/** How a message begins in a text that carries it, behind the line's lead. */
export function headOf({ number, kind }: Pick<Message, 'number' | 'kind'>): string {
  return ` ${number} ${kind} from `;
}
