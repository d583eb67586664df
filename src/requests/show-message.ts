import { createHold, noteArrived } from '../delivery/hand-out.ts';
import { chooseLetter, type Letter, sendOut } from '../delivery/letter.ts';
import { listBegun } from '../delivery/list-begun.ts';
import { isRunning } from '../fleet/is-running.ts';
import { cutParts } from '../messages/parts.ts';
import type { PartView } from '../protocol/messages.ts';
import { viewMessage } from '../protocol/views.ts';
import type { Context } from './context.ts';
import { defineRequest } from './define.ts';
import { findMessage } from './parts/find-message.ts';

export interface ShowWish {
  readonly id: string;
  readonly part?: number | undefined;
  /** Without `part`: to its recipient, in its own terminal, a long body is begun. */
  readonly inParts?: boolean;
}

/** One message, to be printed. */
export interface Shown {
  readonly message: PartView;
  /** It was printed to its end, and flushed. */
  finish(): Promise<void>;
}

/** One message. To its recipient's own terminal this hands out the body of a pointer (rule 13). */
export const showMessage = defineRequest(
  async (context: Context, caller, { id, part, inParts = false }: ShowWish): Promise<Shown> => {
    const { ledger, surroundings } = context;
    const { agent } = caller;
    const { epoch } = agent;
    const found = await findMessage(context, caller, id);
    const { message, letter, isOpen } = await ledger.read(async (tx) => {
      const isOwn = found.to === agent.id && (await isRunning(tx, agent));
      const begun = isOwn ? await listBegun(tx, agent.id, epoch) : [];
      const isOpen = begun.some(({ messageId }) => messageId === found.id);
      const isLong = isOwn && inParts && cutParts(found.body).length > 1;
      const number = part ?? (isLong ? 1 : undefined);
      const wish = { epoch, inParts: false, isClaimed: !isOpen };
      const one = number === undefined ? wish : { ...wish, part: number };
      const whole = { ...found, covers: [], of: 1 };
      const letter: Letter = (await chooseLetter(tx, surroundings, found, one)) ?? whole;
      const { mayRepeat } = isOpen ? letter : found;
      return { message: await viewMessage(tx, { ...letter, mayRepeat }), letter, isOpen };
    });
    if (isOpen) {
      const hold = createHold(surroundings);
      await ledger.write((tx) => sendOut(tx, letter, epoch, hold));
    }
    const to = { epoch, isInTerminal: true, cause: 'shown' };
    return {
      message: { ...message, ...(letter.part ? { part: letter.part } : {}) },
      finish: async () => {
        if (isOpen) await noteArrived(ledger, surroundings, [letter], to);
      },
    };
  },
);
