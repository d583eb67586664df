import { type Agent, userAgentId } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import { acknowledge } from '../../src/delivery/acknowledge.ts';
import { claim, recordInjected, type Surroundings } from '../../src/delivery/claim.ts';
import { pull } from '../../src/delivery/routes/pull.ts';
import { add } from '../../src/fleet/add.ts';
import type { MessageDraft } from '../../src/messages/message.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { systemHost } from '../../src/shared/processes.ts';
import type { Ledger } from '../../src/store/ledger.ts';
import { openSqliteLedger } from '../../src/store/sqlite/open.ts';

/** The product's default for `lock-wait`. */
export const lockWaitMs = 30_000;

const surroundings: Surroundings = { clock: systemClock, host: systemHost };
const bytes = 16 * 1024 * 1024;

/**
 * A ledger with one recipient, and the verbs that are measured on it, exactly as the product does
 * them.
 */
export interface BenchLedger {
  readonly ledger: Ledger;
  readonly recipient: string;
  /** In one transaction. */
  send(count: number, key?: string): Promise<void>;
  /** Claimed, injected, acked: three transactions for `count` messages. */
  claimAndAck(count: number): Promise<void>;
  /** Route pull, to the ack: a read and three transactions for `count` messages. */
  drain(count: number): Promise<void>;
}

export async function openBenchLedger(
  path: string,
  options: { readonly busyHandler?: boolean; readonly isLongLived?: boolean } = {},
): Promise<BenchLedger> {
  const ledger = await openSqliteLedger(path, { clock: systemClock, lockWaitMs, ...options });
  const recipient = await findOrAdd(ledger, 'worker');
  const body = 'x'.repeat(500);
  const draft: MessageDraft = { kind: 'message', from: userAgentId, to: recipient.id, body };
  const request = { recipient: recipient.id, epoch: 0, bytes };
  return {
    ledger,
    recipient: recipient.id,
    send: async (count, key) => {
      const drafts: MessageDraft[] = new Array(count).fill(key ? { ...draft, key } : draft);
      for (const { outcome } of await accept(ledger, systemClock, drafts)) {
        if (outcome !== 'accepted') throw new Error(`a send ended as ${outcome}`);
      }
    },
    claimAndAck: async (count) => {
      const taken = await ledger.write((tx) =>
        claim(tx, surroundings, { ...request, route: 'pull', provable: true, count }),
      );
      if (taken.outcome !== 'claimed') throw new Error(`a claim ended as ${taken.outcome}`);
      const { token } = taken.claim;
      const injected = await ledger.write((tx) =>
        recordInjected(tx, systemClock.now(), token, 'handed out'),
      );
      const ids = injected.map((message) => message.id);
      requireAll(ids.length, count);
      await ledger.write((tx) =>
        acknowledge(tx, systemClock.now(), ids, { code: 'acked', cause: 'taken by the bench' }),
      );
    },
    drain: async (count) => {
      const handed = await pull(ledger, surroundings, { ...request, count, by: 'the bench' });
      requireAll(handed.messages.length, count);
      await handed.finish();
    },
  };
}

async function findOrAdd(ledger: Ledger, name: string): Promise<Agent> {
  const found = await ledger.read((tx) => tx.agents.listByName(name));
  return found[0] ?? add(ledger, systemClock, { name, session: 'default', notify: true, cwd: '' });
}

function requireAll(got: number, wanted: number): void {
  if (got !== wanted) throw new Error(`${got} messages were handed out, not ${wanted}`);
}
