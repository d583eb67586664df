import type { ActStep } from '../../messages/claim.ts';
import type { WaitReason } from '../../messages/wait-reason.ts';
import type { Clock } from '../../shared/clock.ts';
import { reachFailPoint } from '../../shared/fail-point.ts';
import type { PreparedWrite, WriteGuard, WriteOptions, Written } from '../../terminals/writing.ts';
import type { Carried } from '../carried.ts';
import type { DeliveryParts } from '../parts.ts';
import type { Pen, RecipientView } from '../recipient.ts';
import { objectToFound, type PastedText } from './holds-text.ts';
import { explainUnwritten, isSteady, object, type Seen, sinceLook } from './judge-look.ts';
import { objectToUnsteady, seeBefore } from './look-at-pen.ts';
import { pressEnter } from './press-enter.ts';
import { notShown, verifyEntered, waitUntilShown } from './watch-paste.ts';

/** A look so old, from its asking, still says what is there; and so old if nothing was printed. */
const freshMs = 50;
const quietFreshMs = 1000;
/** What the act needs of its attempt. */
interface PasteOrder {
  readonly text: string;
  /** Asked immediately before the write; false: nothing is written (rule 2). */
  readonly begin: () => Promise<boolean>;
  /** Each step on disk before the next (rule 12). */
  readonly note: (step: Exclude<ActStep, 'begun'>) => Promise<void>;
}

type NotTaken = Exclude<Carried, { readonly outcome: 'taken' }>;

type Phase = 'open' | 'pasted' | 'entered' | 'over';

export interface PasteManner {
  /** How many commands of the backend write the text and press Enter. */
  readonly commands?: 'one' | 'two';
  /** Of two: how soon after the whole text is seen Enter may follow; milliseconds. */
  readonly soonMs?: number | undefined;
}

/**
 * One text on its way into one terminal by route `paste`: one bracketed paste and Enter, verified
 * by looking (rule 24). Nothing is typed unless the composer is proven empty twice; a person's
 * draft is never touched. In two commands, Enter is pressed only while the text is there and nobody
 * else has typed. In one, nobody can come in between, the text is not looked at before Enter, and
 * Enter is never pressed again. Every command carries the condition that no person has
 * typed since the look, and what the provider says of the screen: the backend itself asks for both.
 *
 * Its phases, and where each call leads; every other call is a bug and throws:
 *
 * | phase     | `look`                   | `prepare` | `act`               | `verify` | `drop` |
 * | --------- | ------------------------ | --------- | ------------------- | -------- | ------ |
 * | `open`    | `open`: may it be pasted | `open`    | two: `pasted`       |          | `over` |
 * |           |                          |           | one: `entered`      |          |        |
 * |           |                          |           | not written: `over` |          |        |
 * | `pasted`  | `pasted`: is it there    |           |                     | `over`   | `over` |
 * | `entered` |                          |           |                     | `over`   | `over` |
 * | `over`    |                          |           |                     |          | `over` |
 *
 * A new one is `open`; one that an earlier life has left in the composer (`found`, rule 12) begins
 * as `pasted`. `look` costs no claim and `prepare` touches no program, so both may come before the
 * claim is on disk. Whoever has prepared a text calls `drop` at the end, whatever came of it.
 */
export class Paste {
  readonly #clock: Clock;
  readonly #pen: Pen;
  readonly #view: () => RecipientView;
  readonly #commands: 'one' | 'two';
  readonly #soonMs: number | undefined;
  #phase: Phase = 'open';
  /** When the last look was asked for, on the monotonic clock, and since when all stood then. */
  #askedAt = Number.NEGATIVE_INFINITY;
  #emptySince: number | undefined;
  #isSteady = false;
  #seen: Seen = 'unseen';
  #objection: WaitReason | undefined;
  #prepared: { readonly text: string; readonly write: PreparedWrite } | undefined;
  #pastedAt: number | undefined;
  #found: PastedText | undefined;
  #note: PasteOrder['note'] = async () => undefined;
  #text = '';

  constructor(
    { surroundings }: Pick<DeliveryParts, 'surroundings'>,
    pen: Pen,
    view: () => RecipientView,
    { commands = 'two', soonMs }: PasteManner = {},
  ) {
    this.#commands = commands;
    this.#soonMs = soonMs;
    this.#clock = surroundings.clock;
    this.#pen = pen;
    this.#view = view;
  }

  /** What was pasted before we died, or lost sight, and was not entered. */
  static found(
    parts: Pick<DeliveryParts, 'surroundings'>,
    pen: Pen,
    view: () => RecipientView,
    { note, ...found }: PastedText & Pick<PasteOrder, 'note'>,
  ): Paste {
    const paste = new Paste(parts, pen, view);
    paste.#phase = 'pasted';
    paste.#found = found;
    paste.#text = found.text;
    // Until a look has shown that it is ours.
    paste.#objection = { code: 'composer-not-ours' };
    paste.#note = note;
    return paste;
  }

  /** By its last look the terminal stood still: that look is the last one that is needed. */
  get isSteady(): boolean {
    return this.#isSteady;
  }

  /** It may be written any moment now. */
  get isUnderWay(): boolean {
    return this.#phase === 'open' && this.#isSteady;
  }

  /** Why nothing may be pasted, or entered, at this moment; undefined when it may. */
  async look(): Promise<WaitReason | undefined> {
    this.#expect('open', 'pasted');
    const view = this.#view();
    this.#askedAt = this.#clock.monotonicMs();
    this.#emptySince = view.emptySince;
    this.#isSteady = isSteady(view, this.#askedAt);
    if (this.#found) {
      // A look that cannot be had throws: without one it is not known whose text stands there.
      this.#seen = await this.#pen.look();
      this.#objection = objectToFound(this.#seen, this.#found, this.#askedAt);
    } else {
      this.#seen = await seeBefore(this.#pen);
      this.#objection = object(this.#seen, this.#askedAt);
    }
    return this.#objection;
  }

  /**
   * This text, if any, will be written. It lies beside a terminal that stands still, and the
   * program knows nothing of it.
   */
  prepare(text: string): void {
    this.#expect('open');
    const write = this.#isSteady ? this.#pen.prepare?.(bracket(text), this.#how) : undefined;
    this.#prepared = write && { text, write };
  }

  /** Pastes the text. Resolves with why that was not done; undefined: it is to be verified. */
  async act(order: PasteOrder): Promise<NotTaken | undefined> {
    this.#expect('open');
    this.#note = order.note;
    this.#text = order.text;
    const objection = await this.#objectToAct(order);
    if (objection !== undefined) return this.#end({ outcome: 'refused', reason: objection });
    await reachFailPoint('paste.looked');
    const written = await this.#write(order.text);
    if (written === 'unknown') {
      return this.#end({ outcome: 'unknown', reason: { code: 'paste-lost' } });
    }
    if (written !== 'written') {
      const isTooMuch = written === 'refused' && this.#commands === 'one';
      const reason = explainUnwritten(written);
      return this.#end({ outcome: 'refused', reason: isTooMuch ? notInOne : reason });
    }
    this.#pastedAt = this.#clock.monotonicMs();
    this.#phase = this.#commands === 'one' ? 'entered' : 'pasted';
    await this.#note(this.#phase);
    await reachFailPoint(`paste.${this.#phase}`);
    return undefined;
  }

  /**
   * Looks until the text stands in the composer, presses Enter unless that went along, and looks
   * until the text is gone.
   */
  async verify(): Promise<Carried> {
    this.#expect('pasted', 'entered');
    if (this.#phase === 'entered') return this.#end(await verifyEntered(this.#watched, this.#seen));
    if (this.#objection !== undefined)
      return this.#end({ outcome: 'unknown', reason: this.#objection });
    const isShown = this.#pastedAt === undefined || (await this.#isShown(this.#pastedAt));
    return this.#end(isShown ? await this.#enter() : notShown);
  }

  /** Nothing of it is left beside the terminal. Safe at any time, and more than once. */
  drop(): void {
    this.#phase = 'over';
    this.#prepared?.write.drop();
    this.#prepared = undefined;
  }

  /** Why it must not be written, asked in the order in which the answers grow dearer. */
  async #objectToAct({ begin }: PasteOrder): Promise<WaitReason | undefined> {
    if (!isSteady(this.#view(), this.#clock.monotonicMs())) {
      const unsteady = await objectToUnsteady(this.#pen, this.#clock);
      if (unsteady !== undefined) return unsteady;
    }
    const objection = this.#isSteady ? this.#objection : await this.look();
    if (objection !== undefined) return objection;
    if (!(await begin())) return { code: 'claim-lost' };
    // The ledger may have kept us waiting, and a person may have begun to type.
    if (this.#isStillTrue()) return undefined;
    const askedAt = this.#clock.monotonicMs();
    this.#seen = await seeBefore(this.#pen);
    return object(this.#seen, askedAt);
  }

  /** Whether nothing can have happened since the last look was asked for. */
  #isStillTrue(): boolean {
    const { emptySince } = this.#view();
    const isQuiet = emptySince !== undefined && emptySince === this.#emptySince;
    return this.#clock.monotonicMs() - this.#askedAt <= (isQuiet ? quietFreshMs : freshMs);
  }

  get #how(): WriteOptions {
    return { withEnter: this.#commands === 'one' };
  }

  /** Asked by the backend in the command that writes: a look is over when that is sent. */
  get #guard(): WriteGuard {
    const { screenGuard: screen } = this.#pen;
    return { ...sinceLook(this.#seen), ...(screen === undefined ? {} : { screen }) };
  }

  #write(text: string): Promise<Written> {
    // What lies there for another text is dropped with the rest.
    const guard = this.#guard;
    if (this.#prepared?.text !== text)
      return this.#pen.write(bracket(text), { ...this.#how, guard });
    const { write } = this.#prepared;
    this.#prepared = undefined;
    return write.write(guard);
  }

  get #watched(): { readonly pen: Pen; readonly clock: Clock } {
    return { pen: this.#pen, clock: this.#clock };
  }

  #isShown(pastedAt: number): Promise<boolean> {
    return waitUntilShown(this.#watched, { text: this.#text, pastedAt, soonMs: this.#soonMs });
  }

  #enter(): Promise<Carried> {
    const means = {
      ...this.#watched,
      ...{ text: this.#text, startedAt: this.#askedAt },
    };
    return pressEnter({ ...means, guard: sinceLook(this.#seen), note: this.#note });
  }

  #end<T extends Carried>(result: T): T {
    this.#phase = 'over';
    return result;
  }

  #expect(...phases: readonly Phase[]): void {
    if (!phases.includes(this.#phase)) throw new Error(`a paste that is ${this.#phase}`);
  }
}

const notInOne: WaitReason = { code: 'one-command-refused' };

/** Line feeds become what the Enter key sends: inside the brackets they are part of the text. */
function bracket(text: string): Buffer {
  return Buffer.from(`\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`);
}
