import type { HookOffer, HookReply } from '../providers/way-in.ts';
import { pause } from '../shared/clock.ts';
import { createSecret } from '../shared/ids.ts';
import { reportBug } from '../shared/report-bug.ts';
import { abandonClaim } from './abandon-claim.ts';
import { commit, type Parcel } from './deliver.ts';
import type { Said } from './hook-desk.ts';
import type { DeliveryParts } from './parts.ts';

/** A client confirms within milliseconds; one that has not by then was too slow, or has died. */
const confirmWithinMs = 1500;

interface Offered {
  readonly parcel: Parcel;
  readonly done: (isConfirmed: boolean) => void;
  readonly over: AbortController;
}

/**
 * What was handed to hook clients and is not yet confirmed. A parcel is printed only after its
 * confirmation is on disk (rule 16); one that is never confirmed was never printed, and its
 * messages are queued again.
 */
export class Spoken {
  readonly #parts: DeliveryParts;
  readonly #offered = new Map<string, Offered>();
  readonly #shown = new Map<string, AbortController>();

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** `confirmed` resolves when its fate is on disk: true when the client prints it. */
  say(parcel: Parcel, offer: HookOffer): { said: Said; confirmed: Promise<boolean> } {
    const id = createSecret('say');
    const over = new AbortController();
    const confirmed = new Promise<boolean>((done) => {
      this.#offered.set(id, { parcel, done, over });
    });
    void this.#expire(id, over.signal);
    return { said: { id, reply: offer.reply(parcel.text, parcel.shown) }, confirmed };
  }

  /** For the person alone: no message is in it, so nothing is committed. */
  show(reply: HookReply): Said {
    const id = createSecret('say');
    const over = new AbortController();
    this.#shown.set(id, over);
    void this.#forget(id, over.signal);
    return { id, reply };
  }

  async confirm(id: string): Promise<boolean> {
    const shown = this.#shown.get(id);
    shown?.abort();
    if (this.#shown.delete(id)) return true;
    const offered = this.#offered.get(id);
    if (!offered) return false;
    this.#offered.delete(id);
    offered.over.abort();
    let isDone = false;
    try {
      isDone = await commit(this.#parts, offered.parcel, 'handed to a hook, which prints it');
      return isDone;
    } finally {
      offered.done(isDone);
    }
  }

  /** On the way out: what was not confirmed is left to its lease, as if we had died. */
  close(): void {
    for (const { over, done } of this.#offered.values()) {
      over.abort();
      done(false);
    }
    this.#offered.clear();
    for (const over of this.#shown.values()) over.abort();
    this.#shown.clear();
  }

  async #forget(id: string, signal: AbortSignal): Promise<void> {
    const isTooLate = await pause(this.#parts.surroundings.clock, confirmWithinMs, signal);
    if (isTooLate) this.#shown.delete(id);
  }

  async #expire(id: string, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts.surroundings;
    if (!(await pause(clock, confirmWithinMs, signal))) return;
    const offered = this.#offered.get(id);
    if (!offered) return;
    this.#offered.delete(id);
    const { token } = offered.parcel.claim;
    const why = {
      code: 'not-confirmed',
      cause: 'the hook did not confirm it, and printed nothing',
    } as const;
    try {
      await this.#parts.ledger.write((tx) => abandonClaim(tx, clock.now(), token, why));
    } catch (error) {
      reportBug('giving up an unconfirmed reply', error);
      this.#parts.log.warn({ error: String(error) }, 'an unconfirmed reply is left to its lease');
    }
    offered.done(false);
  }
}
