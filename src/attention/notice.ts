import { signalbox, userAgentId } from '../agents/agent.ts';
import { supersede } from '../delivery/return-to-queue.ts';
import type { Clock } from '../shared/clock.ts';
import { reachFailPoint } from '../shared/fail-point.ts';
import { createId } from '../shared/ids.ts';
import { revealLine } from '../shared/reveal.ts';
import type { Ledger, LedgerTransaction } from '../store/ledger.ts';
import type { Cause } from './cause.ts';
import { keyOf, type Open, parseKey } from './remember.ts';

interface Parts {
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/**
 * Puts a notice about each question into the user's inbox, in one transaction, once for each key:
 * also when the daemon is killed and the next one finds the same question. It wakes nobody.
 * Returns the keys, in their order.
 */
export async function putNotices(
  { ledger, clock }: Parts,
  causes: readonly Cause[],
): Promise<readonly string[]> {
  const now = clock.now();
  const keys = causes.map(keyOf);
  await ledger.write(
    async (tx) => {
      for (const [i, cause] of causes.entries()) await put(tx, now, cause, keys[i] ?? '');
    },
    { haste: 'last' },
  );
  await reachFailPoint('attention.noticed');
  return keys;
}

async function put(tx: LedgerTransaction, now: number, cause: Cause, key: string): Promise<void> {
  if (await tx.messages.findByKey(signalbox.id, key)) return;
  // Whoever gave the agent a task is told by a completion already (rule 27).
  if (await findCompletion(tx, cause)) return;
  const { agent, text, next } = cause;
  const id = createId('msg', now);
  const body = `${agent.name} waits for you: ${revealLine(text)} → ${next}`;
  const to = userAgentId;
  await tx.messages.insert([
    {
      ...{ id, kind: 'notice', from: signalbox.id, to, key, body, isQuiet: true },
      ...{ state: 'queued', createdAt: now, cause: 'its question has stood for 30 s' },
    },
  ]);
}

/**
 * The questions are gone: what tells of them in the user's inbox and was not taken yet is settled.
 */
export async function settleNotices(
  { ledger, clock }: Parts,
  gone: readonly { readonly cause: Cause; readonly notice: string }[],
): Promise<void> {
  if (gone.length === 0) return;
  await ledger.write(
    async (tx) => {
      for (const { cause, notice } of gone) {
        const told = await tx.messages.findByKey(signalbox.id, notice);
        const completion = await findCompletion(tx, cause);
        for (const message of [told, completion]) {
          if (message?.state !== 'queued') continue;
          await supersede(tx, clock.now(), message.id, 'its question is gone');
        }
      }
    },
    { haste: 'last' },
  );
}

/**
 * Those that nobody has taken, as they stand in the ledger: where the book is lost, the next daemon
 * knows by them what was told, and settles them.
 */
export async function listNoticed({ ledger }: Pick<Parts, 'ledger'>): Promise<readonly Open[]> {
  const found: Open[] = [];
  for (let afterSeq = 0; ; ) {
    const query = { to: userAgentId, states: ['queued'], afterSeq, limit: 1000 } as const;
    const page = await ledger.read((tx) => tx.messages.list({ ...query, bytes: pageBytes }));
    const last = page.at(-1);
    if (!last) return found;
    afterSeq = last.seq;
    for (const { from, key = '' } of page) {
      const open = from === signalbox.id ? parseKey(key) : undefined;
      if (open) found.push(open);
    }
  }
}

const pageBytes = 1024 * 1024;

/** See `fleet/watch-dialogs.ts`, which names a dialog so. */
function findCompletion(tx: LedgerTransaction, { agent, epoch, since }: Cause) {
  const turn = `epoch-${epoch}/dialog-${since}/1`;
  return tx.messages.findByKey(agent.id, `turn:${turn}:${userAgentId}`);
}
