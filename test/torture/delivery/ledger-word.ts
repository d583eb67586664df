import { join } from 'node:path';
import { nameMessages } from '../../../src/delivery/name-messages.ts';
import type { AttemptOutcome } from '../../../src/messages/claim.ts';
import type { MessageKind, MessageState } from '../../../src/messages/message.ts';
import { type Standing, standingOf } from '../../../src/messages/standing.ts';
import { messageStates } from '../../../src/messages/transitions.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { LedgerTransaction } from '../../../src/store/ledger.ts';
import { openSqliteLedger } from '../../../src/store/sqlite/open.ts';

const page = 500;

/** One message as the ledger has it, with every attempt. */
export interface LedgerRow {
  /** The short one, as programs and senders name it. */
  readonly id: string;
  readonly seq: number;
  readonly kind: MessageKind;
  readonly to: string;
  readonly state: MessageState;
  /** What a bounce is about. */
  readonly about?: string;
  readonly attempts: readonly LedgerAttempt[];
  /** As what it was carried last. */
  readonly standing?: Standing;
  /** A person took it back at the terminal (rule 51d). */
  readonly isTakenBack?: true;
  /** Of a message that was given up: how each of its copies was lost sight of, and the end. */
  readonly doubts?: readonly string[];
}

export interface LedgerAttempt {
  readonly mark: string;
  readonly outcome: AttemptOutcome;
  /** The life it was made into is over. */
  readonly isOver: boolean;
}

/** The ledger's own word, asked once everything is at rest. */
export async function readLedger(home: string): Promise<readonly LedgerRow[]> {
  const options = { clock: systemClock, lockWaitMs: 30_000 };
  const ledger = await openSqliteLedger(join(home, 'ledger.db'), options);
  const rows: LedgerRow[] = [];
  try {
    for (let more = true; more; ) {
      const found = await ledger.read(async (tx) => readPage(tx, rows.at(-1)?.seq ?? 0));
      rows.push(...found);
      more = found.length === page;
    }
  } finally {
    await ledger.close();
  }
  return rows;
}

async function readPage(tx: LedgerTransaction, afterSeq: number): Promise<readonly LedgerRow[]> {
  const query = { states: messageStates, includeDiscarded: true, afterSeq, limit: page };
  const messages = await tx.messages.list(query);
  const names = await tx.agents.listNames(messages.map(({ to }) => to));
  const abouts = messages.flatMap(({ replyTo }) => replyTo.slice(0, 1));
  const nameOf = await nameMessages(tx, '', [...messages.map(({ id }) => id), ...abouts]);
  const rows: LedgerRow[] = [];
  for (const message of messages) {
    const { id, seq, kind, to, state, replyTo, reason } = message;
    const [about] = replyTo;
    rows.push({
      ...{ id: nameOf(id), seq, kind, state, standing: standingOf(message) },
      ...(reason === 'withdrawn' ? { isTakenBack: true } : {}),
      to: names.get(to)?.name ?? to,
      ...(about === undefined ? {} : { about: nameOf(about) }),
      attempts: await readAttempts(tx, id, to),
      ...(state === 'dead' ? { doubts: await readDoubts(tx, id) } : {}),
    });
  }
  return rows;
}

async function readAttempts(
  tx: LedgerTransaction,
  id: string,
  to: string,
): Promise<readonly LedgerAttempt[]> {
  const attempts: LedgerAttempt[] = [];
  for (const { token, epoch, outcome } of await tx.claims.listAttempts(id)) {
    const mark = (await tx.claims.find(token))?.mark ?? '';
    const isOver = (await tx.epochs.find(to, epoch))?.endedAt !== undefined;
    attempts.push({ mark, outcome, isOver });
  }
  return attempts;
}

async function readDoubts(tx: LedgerTransaction, id: string): Promise<readonly string[]> {
  const history = await tx.messages.history(id);
  return history.filter(({ to }) => to === 'uncertain').map(({ code = 'no code' }) => code);
}
