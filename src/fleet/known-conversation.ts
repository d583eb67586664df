import { isConversationId } from '../agents/conversation-id.ts';
import type { Clock } from '../shared/clock.ts';
import type { Learned } from './keep-conversation.ts';
import { NewestWrite } from './newest-write.ts';

/**
 * Which conversation one life is in, as its CLI has told, and where that is on record. What is
 * learned reaches the ledger in its order; of several that wait, only the newest is written.
 */
export class KnownConversation {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #writes: NewestWrite<Learned>;
  #current: string | undefined;
  /** Where its CLI says that it writes it. */
  transcriptPath: string | undefined;
  /** The one in which a turn has ended last. */
  lastTurnIn: string | undefined;

  constructor(
    clock: Pick<Clock, 'now'>,
    current: string | undefined,
    write: (learned: Learned) => Promise<void>,
  ) {
    this.#clock = clock;
    this.#current = current;
    this.#writes = new NewestWrite(write, (waiting, newest) => ({
      ...newest,
      leftAt: newest.leftAt ?? waiting.leftAt,
    }));
  }

  get current(): string | undefined {
    return this.#current;
  }

  /** Whether that is news. */
  learn(conversation: string): boolean {
    if (conversation === this.#current || !isConversationId(conversation)) return false;
    const leftAt = this.#current === undefined ? undefined : this.#clock.now();
    this.#current = conversation;
    this.#writes.put({ conversation, leftAt });
    return true;
  }

  settled(): Promise<void> {
    return this.#writes.settled();
  }
}
