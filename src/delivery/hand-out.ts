// Tests: test/contracts/hand-out.test.ts.

import { type Attempt, defaultLeaseMs } from '../messages/claim.ts';
import type { PartHold } from '../messages/part-store.ts';
import { sizeAtOnce, wholeBytes } from '../messages/parts.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { createSecret } from '../shared/ids.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import { acknowledge } from './acknowledge.ts';
import type { Surroundings } from './claim.ts';
import { arrive, chooseLetter, doubt, type Letter, sendOut } from './letter.ts';
import { listBegun } from './list-begun.ts';
import { drainBound, pull } from './routes/pull.ts';
import { type LineTest, offerUntaken } from './untaken.ts';

/**
 * What one call hands out inside an agent's terminal: 16 KB as a person or a model sees it
 * (rule 17). A message's heading takes about 130 bytes, so so many of them beside so much text.
 */
const terminalBound = { count: 30, bytes: wholeBytes } as const;

export interface HandOutRequest {
  readonly recipient: string;
  readonly epoch: number;
  readonly max: number | undefined;
  /** Who takes them, for the history. */
  readonly by: string;
  /** It is the agent itself that asks, from its own terminal. */
  readonly isInTerminal: boolean;
  /** It is the agent itself; so it is in its terminal. */
  readonly isOwn?: boolean;
  /** For a model, which reads 16 KB at once: long bodies come in parts. */
  readonly inParts?: boolean;
  /** Prompts of the user come by themselves: they are counted, and stay (rule 51c). */
  readonly leavesPrompts?: boolean;
  /** Only this message, or this part of it, whatever was handed out before. */
  readonly only?: { readonly message: string; readonly part?: number };
  /**
   * Of the calls that handed out before: those that may yet turn out to be read. What the others
   * did is offered again (rule 17).
   */
  readonly isKept?: LineTest;
}

export interface HandOut {
  /**
   * Those that were named or begun before come first: they were offered before the rest was sent,
   * or committed.
   */
  readonly messages: readonly Letter[];
  /** Still to be handed out, in whole or in part. */
  readonly remaining: number;
  /** Prompts that were left for a way that keeps their standing. */
  readonly prompts: number;
  /**
   * The output is flushed. `line`: the call of an MCP client whose answer it is, as a further call
   * finds it (rule 17).
   */
  finish(line?: string): Promise<void>;
  /** Of what was not finished; after that `loseUntaken` does it. */
  lose(cause: string): Promise<void>;
}

/**
 * A drain, or `check_inbox`. Outside a terminal of ours what was flushed is acked (rule 16). Inside
 * one it is left `injected` with a note that it was handed out: the model's next output, the
 * agent's next call or its ack answers for it, and the end of its life makes it uncertain
 * (rule 17). Pointers stay on the route that named them (rule 13). Of a long message each call
 * hands out the next part, and only the last makes it handed out; a part that was cut off is
 * offered again, marked.
 */
export async function handOut(
  ledger: Ledger,
  surroundings: Surroundings,
  request: HandOutRequest,
): Promise<HandOut> {
  const { recipient, epoch, by, only, isInTerminal, inParts = false } = request;
  const leavesPrompts = request.leavesPrompts === true && !only;
  const bound = isInTerminal || inParts ? terminalBound : drainBound;
  const count = only ? 1 : Math.min(request.max ?? Number.POSITIVE_INFINITY, bound.count);
  const hold = createHold(surroundings);
  if (isInTerminal && !only) {
    const { isKept = () => false } = request;
    await offerUntaken(ledger, surroundings, recipient, isKept, { ...bound, count, inParts });
  }
  const begun = await takeBegun(ledger, surroundings, request, hold, { ...bound, count });
  const room = { count: count - begun.length, bytes: bound.bytes - sizeOf(begun) };
  const isFull =
    begun.length > 0 && !(await doesFit(ledger, surroundings, recipient, { ...room, inParts }));
  const letters: Letter[] = [...begun];
  const pulled = isFull
    ? undefined
    : await pull(ledger, surroundings, {
        ...{ recipient, epoch, by, inParts, leavesPrompts, ...room },
        ...(only === undefined ? {} : { only: only.message }),
        note: async (tx, messages) => {
          for (const message of messages) {
            const wish = { epoch, inParts, isClaimed: true, ...partOf(only) };
            const letter = await chooseLetter(tx, surroundings, message, wish);
            if (!letter) continue;
            await sendOut(tx, letter, epoch, hold);
            letters.push(letter);
          }
        },
      });
  if (only && letters.length === 0) return showAgain(ledger, surroundings, request, only);
  const to = { epoch, isInTerminal, cause: `taken by ${by}` };
  return {
    messages: letters,
    ...(await countLeft(ledger, surroundings, { ...request, leavesPrompts }, letters)),
    finish: (line) =>
      noteArrived(ledger, surroundings, letters, line === undefined ? to : { ...to, line }),
    lose: async (cause) => {
      await ledger.write(async (tx) => {
        for (const letter of letters) await doubt(tx, letter, epoch, hold);
      });
      await pulled?.lose(cause);
    },
  };
}

/**
 * The next part of the oldest that was named or begun; where that is short, the next ones too. One
 * read when there are none.
 */
async function takeBegun(
  ledger: Ledger,
  surroundings: Surroundings,
  { recipient, epoch, isInTerminal, isOwn = isInTerminal, inParts = false, only }: HandOutRequest,
  hold: PartHold,
  bound: { readonly count: number; readonly bytes: number },
): Promise<readonly Letter[]> {
  if (!isOwn) return [];
  const list = async (tx: LedgerTransaction): Promise<readonly Attempt[]> => {
    const begun = await listBegun(tx, recipient, epoch);
    return only ? begun.filter(({ messageId }) => messageId === only.message) : begun;
  };
  if ((await ledger.read(list)).length === 0) return [];
  const taken = await ledger.write(async (tx) => {
    const letters: Letter[] = [];
    for (const { messageId } of await list(tx)) {
      const message = await tx.messages.find(messageId);
      const wish = { epoch, inParts, isClaimed: false, ...partOf(only) };
      const letter = message && (await chooseLetter(tx, surroundings, message, wish));
      if (!letter) continue;
      const isTooMuch = sizeOf([...letters, letter]) > bound.bytes;
      if (letters.length >= bound.count || (letters.length > 0 && isTooMuch)) break;
      letters.push(letter);
      await sendOut(tx, letter, epoch, hold);
    }
    return letters;
  });
  await reachFailPoint('drain.part-out');
  return taken;
}

/**
 * It is asked for by its id and nothing of it is left to be handed out: it is shown once more, and
 * nothing moves.
 */
async function showAgain(
  ledger: Ledger,
  surroundings: Surroundings,
  request: HandOutRequest,
  { message: id, part }: NonNullable<HandOutRequest['only']>,
): Promise<HandOut> {
  const shown = await ledger.read(async (tx) => {
    const message = await tx.messages.find(id);
    if (message?.to !== request.recipient) return [];
    const isLong = request.inParts === true && Buffer.byteLength(message.body) > wholeBytes;
    const number = part ?? (isLong ? 1 : undefined);
    const wish = { epoch: request.epoch, inParts: false, isClaimed: true };
    const one = number === undefined ? {} : { part: number };
    const letter = await chooseLetter(tx, surroundings, message, { ...wish, ...one });
    return letter ? [{ ...letter, mayRepeat: true }] : [];
  });
  const left = await countLeft(ledger, surroundings, request, []);
  const nothing = async (): Promise<void> => undefined;
  return { messages: shown, ...left, finish: nothing, lose: nothing };
}

function partOf(only: HandOutRequest['only']): { readonly part?: number } {
  return only?.part === undefined ? {} : { part: only.part };
}

/** A pull takes at least one message, however long: beside others it must fit. */
function doesFit(
  ledger: Ledger,
  { clock }: Surroundings,
  recipient: string,
  room: { readonly count: number; readonly bytes: number; readonly inParts: boolean },
): Promise<boolean> {
  if (room.count < 1) return Promise.resolve(false);
  return ledger.read(async (tx) => {
    const bound = { count: 1, bytes: 0, now: clock.now(), withUncertain: true };
    const [first] = await tx.messages.listWaiting(recipient, bound);
    if (!first) return true;
    const size = room.inParts ? sizeAtOnce(first.body) : Buffer.byteLength(first.body);
    return size <= room.bytes;
  });
}

/** What waits, and what was begun and is not at its end when these letters have arrived. */
function countLeft(
  ledger: Ledger,
  { clock }: Surroundings,
  { recipient, epoch, isInTerminal, isOwn = isInTerminal, leavesPrompts }: HandOutRequest,
  letters: readonly Letter[],
): Promise<Pick<HandOut, 'remaining' | 'prompts'>> {
  return ledger.read(async (tx) => {
    const { queued = 0, uncertain = 0 } = await tx.messages.countByState(recipient);
    const begun = isOwn ? await listBegun(tx, recipient, epoch) : [];
    const open = new Set(begun.map(({ messageId }) => messageId));
    for (const { id, covers, of } of letters) {
      const known = await tx.parts.list(id);
      const had = known.filter((row) => row.epoch === epoch && row.state === 'handed');
      const has = new Set([...had.map(({ part }) => part), ...covers]);
      if (covers.length === 0 || has.size >= of) open.delete(id);
      else open.add(id);
    }
    const bound = { count: 1000, bytes: Number.POSITIVE_INFINITY, withUncertain: false } as const;
    const wanted = { ...bound, now: clock.now(), standing: 'prompt' } as const;
    const prompts = leavesPrompts ? (await tx.messages.listWaiting(recipient, wanted)).length : 0;
    return { remaining: Math.max(0, queued - prompts) + uncertain + open.size, prompts };
  });
}

interface Arrival {
  readonly epoch: number;
  readonly isInTerminal: boolean;
  readonly cause: string;
  readonly line?: string;
}

/**
 * On disk after the last byte was flushed: a death before it leaves what was pulled, or this part
 * of it, uncertain. Only with its last part a message is handed out; whoever has no terminal of
 * ours has answered for it then.
 */
export async function noteArrived(
  ledger: Ledger,
  { clock }: Surroundings,
  letters: readonly Pick<Letter, 'id' | 'token' | 'covers' | 'of'>[],
  to: Arrival,
): Promise<void> {
  if (letters.length === 0) return;
  await ledger.write(async (tx) => {
    const at = clock.now();
    for (const letter of letters) {
      if (!(await arrive(tx, letter, to))) continue;
      if (!to.isInTerminal)
        await acknowledge(tx, at, [letter.id], { code: 'taken', cause: to.cause });
      else if (letter.token !== undefined)
        await tx.claims.setHandedOut(letter.id, letter.token, { at, ...lineOf(to) });
    }
  });
  if (!to.isInTerminal) await reachFailPoint('drain.acked');
}

function lineOf({ line }: Arrival): { readonly line?: string } {
  return line === undefined ? {} : { line };
}

export function createHold({ clock, host }: Surroundings): PartHold {
  const [takenAtMs, leaseMs] = [clock.monotonicMs(), defaultLeaseMs];
  return { id: createSecret('hold'), holder: host.identity, takenAtMs, leaseMs };
}

function sizeOf(letters: readonly Letter[]): number {
  return letters.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
}
