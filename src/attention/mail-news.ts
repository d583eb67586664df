import { userAgentId } from '../agents/agent.ts';
import type { Bus } from '../events/bus.ts';
import type { Message } from '../messages/message.ts';
import { reportBug } from '../shared/report-bug.ts';
import { findMailEnd, type LookParts } from './look.ts';

/** Beyond them the ledger is read, and they are forgotten. */
const mostTold = 1000;
const page = { limit: 200, bytes: 1024 * 1024 } as const;

export interface MailNewsParts extends Pick<LookParts, 'ledger'> {
  readonly bus: Pick<Bus, 'publish'>;
}

/**
 * Live views ring for events, and the ledger tells those of this process alone
 * (`store/observe.ts`). What another process has written to the user, such as the `send` of an
 * agent, is published when its command says so. It owns what was published since it last read the
 * ledger, and touches nothing but the bus. With the daemon it dies, and nothing is lost: whoever
 * opens a view sees the inbox.
 */
export class MailNews {
  readonly #parts: MailNewsParts;
  #passed: number | undefined;
  readonly #told = new Set<string>();
  #turn: Promise<void> = Promise.resolve();

  constructor(parts: MailNewsParts) {
    this.#parts = parts;
  }

  /** What lies in the inbox by now is no news. */
  async start(): Promise<void> {
    this.#passed = await findMailEnd(this.#parts);
  }

  /** This process has committed it, and published that. */
  note({ id, state, to }: Pick<Message, 'id' | 'state' | 'to'>): void {
    if (to !== userAgentId || state !== 'queued') return;
    this.#told.add(id);
    if (this.#told.size >= mostTold) void this.look();
  }

  /** Publishes what nobody has. One look at a time; never throws. */
  look(): Promise<void> {
    this.#turn = this.#turn
      .then(() => this.#look())
      .catch((error: unknown) => reportBug('telling live views of a message', error));
    return this.#turn;
  }

  async #look(): Promise<void> {
    const { ledger, bus } = this.#parts;
    const states = ['queued'] as const;
    for (;;) {
      const afterSeq = this.#passed;
      if (afterSeq === undefined) return;
      const query = { to: userAgentId, states, afterSeq, ...page };
      // What is noted from here on may not be in what is read.
      const noted = [...this.#told];
      const found = await ledger.read((tx) => tx.messages.list(query));
      const last = found.at(-1);
      if (!last) {
        for (const id of noted) this.#told.delete(id);
        return;
      }
      for (const { id, from } of found) {
        if (this.#told.delete(id)) continue;
        bus.publish({
          kind: 'message',
          message: id,
          data: { state: 'queued', from, to: userAgentId },
        });
      }
      this.#passed = last.seq;
    }
  }
}
