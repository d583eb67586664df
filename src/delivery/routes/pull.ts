// Tests: test/contracts/pull.test.ts.

import type { Message } from '../../messages/message.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import type { Ledger, LedgerTransaction } from '../../store/ledger.ts';
import { acknowledge } from '../acknowledge.ts';
import { beginAct, claim, loseSight, recordInjected, type Surroundings } from '../claim.ts';
import { findDue, isDue, settleDue } from '../settle-due.ts';

/** What one drain hands out at most (rule 17). */
export const drainBound = { count: 1000, bytes: 16 * 1024 * 1024 } as const;

/**
 * Route `pull`: the recipient takes its messages itself. In this order, each step on disk before
 * the next (rule 16): claimed, injected, then the caller prints and flushes, then `finish` acks. A
 * death anywhere leaves `uncertain`, and the next drain hands the message out again, marked; a
 * confirmation that comes too late hands out nothing. An empty inbox costs one read and not one
 * write (O8).
 */
export interface Handed {
  readonly messages: readonly Message[];
  /** The output is flushed to its last byte: the recipient has them. */
  finish(): Promise<void>;
  /** The output could not be written: nobody knows how much of it was read. */
  lose(cause: string): Promise<void>;
}

export interface PullRequest {
  readonly recipient: string;
  readonly epoch: number;
  readonly count: number;
  readonly bytes: number;
  /** Long bodies go in parts, and count as such. */
  readonly inParts?: boolean;
  /** Prompts stay for a way that keeps their standing (rule 51c). */
  readonly leavesPrompts?: boolean;
  /** This message alone. */
  readonly only?: string;
  /** In the transaction that says that they go out. */
  readonly note?: (tx: LedgerTransaction, messages: readonly Message[]) => Promise<void>;
  /** Who took them, for the history: the agent itself, or the user for it. */
  readonly by: string;
}

export async function pull(
  ledger: Ledger,
  surroundings: Surroundings,
  request: PullRequest,
): Promise<Handed> {
  const { recipient } = request;
  const { clock } = surroundings;
  if (!(await isWorthALook(ledger, surroundings, recipient))) return nothing;
  const taken = await ledger.write(async (tx) => {
    await settleDue(tx, surroundings, recipient);
    const { note: _, by: __, ...wanted } = request;
    return claim(tx, surroundings, { ...wanted, route: 'pull', provable: true });
  });
  if (taken.outcome !== 'claimed') return nothing;
  const { token } = taken.claim;
  await reachFailPoint('drain.claimed');
  const messages = await ledger.write(async (tx) => {
    if ((await beginAct(tx, surroundings, token)) !== 'go') return [];
    const carried = await recordInjected(tx, clock.now(), token, 'handed out');
    await request.note?.(tx, carried);
    return carried;
  });
  await reachFailPoint('drain.injected');
  return {
    messages,
    finish: async () => {
      const ids = messages.map((message) => message.id);
      if (ids.length === 0) return;
      const why = { code: 'taken', cause: `taken by ${request.by}` } as const;
      await ledger.write((tx) => acknowledge(tx, clock.now(), ids, why));
      await reachFailPoint('drain.acked');
    },
    lose: async (cause) => {
      const why = { code: 'not-printed', cause } as const;
      await ledger.write((tx) => loseSight(tx, clock.now(), taken.claim, why));
    },
  };
}

const nothing: Handed = {
  messages: [],
  finish: async () => undefined,
  lose: async () => undefined,
};

function isWorthALook(
  ledger: Ledger,
  surroundings: Surroundings,
  recipient: string,
): Promise<boolean> {
  return ledger.read(async (tx) => {
    const now = surroundings.clock.now();
    const bound = { count: 1, bytes: 0, now, withUncertain: true };
    const waiting = await tx.messages.listWaiting(recipient, bound);
    return waiting.length > 0 || isDue(await findDue(tx, surroundings, recipient));
  });
}
