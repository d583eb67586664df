import type { Message } from '../messages/message.ts';
import { takeBounded } from '../messages/take-bounded.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import type { Surroundings } from './claim.ts';
import { drainBound, pull } from './routes/pull.ts';

/**
 * What one call hands out inside an agent's terminal: 16 KB as a person or a model sees it (rule 17). A message's heading takes
 * about 130 bytes, so so many of them beside so much text.
 */
const terminalBound = { count: 30, bytes: 12 * 1024 } as const;

export interface HandOutRequest {
  readonly recipient: string;
  readonly epoch: number;
  readonly max: number | undefined;
  /** Who takes them, for the history. */
  readonly by: string;
  /** It is the agent itself that asks, from its own terminal. */
  readonly isInTerminal: boolean;
  /** It goes to a model all the same, and is bounded like that. */
  readonly isForModel?: boolean;
}

export interface HandOut {
  /** Pointers first: they were named to the model before the rest was sent, or committed. */
  readonly messages: readonly Message[];
  /** Still to be handed out. */
  readonly remaining: number;
  /** The output is flushed. `partly` names those whose bodies were not shown to their end. */
  finish(partly?: readonly string[]): Promise<void>;
  lose(cause: string): Promise<void>;
}

/**
 * A drain, or `check_inbox`. Outside a terminal of ours what was flushed is acked (rule 16). Inside one it is left `injected`
 * with a note that it was handed out: the model's next output, the agent's next call or its ack answers for it, and the end of
 * its life makes it uncertain (rule 17). Pointers stay on the route that named them (rule 13).
 */
export async function handOut(
  ledger: Ledger,
  surroundings: Surroundings,
  request: HandOutRequest,
): Promise<HandOut> {
  const { recipient, epoch, by, isInTerminal, max = Number.POSITIVE_INFINITY } = request;
  const bound = isInTerminal || request.isForModel ? terminalBound : drainBound;
  const count = Math.min(max, bound.count);
  const named = isInTerminal ? await ledger.read((tx) => listPointers(tx, recipient)) : [];
  const pointers = takeBounded(named.slice(0, count), bound.bytes);
  const room = {
    count: count - pointers.length,
    bytes: bound.bytes - sizeOf(pointers),
  };
  const isFull = pointers.length > 0 && !(await doesFit(ledger, surroundings, recipient, room));
  const pulled = isFull
    ? undefined
    : await pull(ledger, surroundings, { recipient, epoch, by, ...room });
  const taken = pulled?.messages ?? [];
  const { queued = 0, uncertain = 0 } = await ledger.read((tx) =>
    tx.messages.countByState(recipient),
  );
  return {
    messages: [...pointers, ...taken],
    remaining: queued + uncertain + named.length - pointers.length,
    finish: async (partly = []) => {
      if (!isInTerminal) return pulled?.finish();
      const whole = pointers.filter(({ id }) => !partly.includes(id));
      await noteHandedOut(ledger, surroundings, [...whole, ...taken]);
    },
    lose: async (cause) => pulled?.lose(cause),
  };
}

/** Named in a text that went in, in one line each; their bodies were not handed out yet (rule 13). */
async function listPointers(tx: LedgerTransaction, recipient: string): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (const attempt of await tx.claims.listByHand(recipient)) {
    if (!attempt.isPointer || attempt.handedOutAt !== undefined) continue;
    const message = await tx.messages.find(attempt.messageId);
    if (message) found.push(message);
  }
  return found;
}

/** A pull takes at least one message, however long: beside others it must fit. */
function doesFit(
  ledger: Ledger,
  { clock }: Surroundings,
  recipient: string,
  room: { readonly count: number; readonly bytes: number },
): Promise<boolean> {
  if (room.count < 1) return Promise.resolve(false);
  return ledger.read(async (tx) => {
    const bound = { count: 1, bytes: 0, now: clock.now(), withUncertain: true };
    const [first] = await tx.messages.listWaiting(recipient, bound);
    return first === undefined || sizeOf([first]) <= room.bytes;
  });
}

/** On disk after the last byte was flushed: a death before it leaves what was pulled uncertain. */
export async function noteHandedOut(
  ledger: Ledger,
  { clock }: Surroundings,
  messages: readonly Pick<Message, 'id' | 'token'>[],
): Promise<void> {
  if (messages.length === 0) return;
  await ledger.write(async (tx) => {
    for (const { id, token } of messages) {
      if (token !== undefined) await tx.claims.setHandedOut(id, token, clock.now());
    }
  });
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
}
