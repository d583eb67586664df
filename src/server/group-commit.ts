import type { Accepted } from '../delivery/accept.ts';
import type { MessageDraft } from '../messages/message.ts';
import { Fault } from '../shared/fault.ts';

/** One transaction keeps every other writer waiting: so many messages, or so many bytes of bodies, take a few milliseconds. */
const mostDrafts = 500;
const mostBytes = 8 * 1024 * 1024;

type Commit = (drafts: readonly MessageDraft[]) => Promise<readonly Accepted[]>;

interface Waiting {
  readonly draft: MessageDraft;
  readonly resolve: (accepted: Accepted) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Many senders share one fsync: while one commit is under way the next drafts gather, and go together. The first waits for
 * nobody but the requests that have arrived with it. Each sender has an outcome of its own, and is answered when its message is
 * on disk.
 */
export class GroupCommit {
  readonly #commit: Commit;
  readonly #bounds: { readonly drafts: number; readonly bytes: number };
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(commit: Commit, bounds = { drafts: mostDrafts, bytes: mostBytes }) {
    this.#commit = commit;
    this.#bounds = bounds;
  }

  submit(draft: MessageDraft): Promise<Accepted> {
    const accepted = new Promise<Accepted>((resolve, reject) => {
      this.#waiting.push({ draft, resolve, reject });
    });
    if (!this.#isRunning) void this.#run();
    return accepted;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // A commit stops the event loop: what already lies in the sockets is read first.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.#take();
      const drafts = batch.map(({ draft }) => draft);
      try {
        const results = await this.#commit(drafts);
        for (const [i, { resolve, reject }] of batch.entries()) {
          const accepted = results[i];
          if (accepted) resolve(accepted);
          else reject(new Error('one draft has one outcome'));
        }
      } catch (error) {
        await this.#fail(batch, error);
      }
    }
    this.#isRunning = false;
  }

  #take(): readonly Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { draft } of this.#waiting) {
      bytes += Buffer.byteLength(draft.body);
      if (count > 0 && (count >= this.#bounds.drafts || bytes > this.#bounds.bytes)) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  /** Undone as a whole. A ledger that takes nothing takes none of them; anything else is one draft's fault, not the others'. */
  async #fail(batch: readonly Waiting[], error: unknown): Promise<void> {
    if (error instanceof Fault || batch.length === 1) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { draft, resolve, reject } of batch) {
      try {
        const [accepted] = await this.#commit([draft]);
        if (accepted) resolve(accepted);
        else reject(new Error('one draft has one outcome'));
      } catch (own) {
        reject(own);
      }
    }
  }
}
