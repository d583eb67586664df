import type { Window } from '../children.ts';

/**
 * Every crash window of the ledger, by who falls into it. Fail-points stand in the program at these
 * places.
 */
export const windows = {
  send: [
    { name: 'ledger.uncommitted (send)', place: 'ledger.uncommitted' },
    { name: 'send.committed', place: 'send.committed' },
  ],
  drain: [
    { name: 'ledger.uncommitted (drain)', place: 'ledger.uncommitted' },
    { name: 'drain.claimed', place: 'drain.claimed' },
    { name: 'drain.injected', place: 'drain.injected' },
    { name: 'drain.printed', place: 'drain.printed' },
    { name: 'drain.acked', place: 'drain.acked' },
  ],
  ack: [
    { name: 'ledger.uncommitted (ack)', place: 'ledger.uncommitted' },
    { name: 'ledger.committed (ack)', place: 'ledger.committed' },
  ],
  remove: [
    { name: 'ledger.uncommitted (rm)', place: 'ledger.uncommitted' },
    { name: 'ledger.committed (rm)', place: 'ledger.committed' },
  ],
  /**
   * No fail-point: the harness kills it when the first part of the document has come, and not the
   * last.
   */
  halfPrinted: [{ name: 'drain, half printed', place: '' }],
} as const satisfies Readonly<Record<string, readonly Window[]>>;

export type WindowKind = 'send' | 'drain' | 'ack' | 'remove';
