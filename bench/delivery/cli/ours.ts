import type { Message } from '../../../src/messages/message.ts';
import type { SendResult } from '../../../src/protocol/messages.ts';
import type { Life } from '../../../test/lab/life/life.ts';
import { askDaemon } from '../../terminals/station.ts';

/** How a message of ours comes to the daemon; from there on it is carried like any other. */
export interface Ours {
  /** What it looks like to its reader: what is given by hand has the same form. */
  readonly form: Partial<Message>;
  /** The clock of a sample starts with the call. */
  send(word: string, body: string): Promise<void>;
  /** Asked when the measuring is over. */
  idOf(word: string): Promise<string>;
}

/** Once its CLI is at rest. What it started ends with the life's own box. */
export type OpenOurs = (life: Life) => Promise<Ours>;

/** `POST /messages`, from the user. */
export const openMail: OpenOurs = async ({ box }) => {
  const ids = new Map<string, string>();
  return {
    form: {},
    send: async (word, body) => {
      const asked = { method: 'POST', path: '/messages', body: { to: 'lab', body } };
      ids.set(word, (await askDaemon<SendResult>(box.state, asked)).id);
    },
    idOf: async (word) => ids.get(word) ?? '',
  };
};
