import { Fault } from '../../shared/fault.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { PreparedWrite, Written } from '../../terminals/backend.ts';
import type { DeliveryParts } from '../parts.ts';
import type { Pen, PenLook, Recipient, RecipientView } from '../recipient.ts';

/** Two equal looks so far apart, the earlier of which may be the status monitor's (rule 24). */
export const steadyMs = 300;
/**
 * A look so old, from its asking, still says what is there; and so old if nothing was printed
 * since.
 */
const freshMs = 50;
const quietFreshMs = 1000;

export type Seen = PenLook | 'gone' | 'unseen';

/**
 * What a paste has ready while its claim is on its way to the disk: a look at the terminal, and its
 * text beside the terminal. Neither touches the program, and what comes to nothing is dropped.
 */
export class EarlyPaste {
  /** On the monotonic clock. */
  readonly askedAt: number;
  readonly look: Promise<Seen>;
  readonly #pen: Pen;
  readonly #emptySince: number | undefined;
  #text: string | undefined;
  #prepared: PreparedWrite | undefined;
  #isUnderWay = true;

  constructor({ surroundings }: DeliveryParts, pen: Pen, { emptySince }: RecipientView) {
    this.#pen = pen;
    this.#emptySince = emptySince;
    this.askedAt = surroundings.clock.monotonicMs();
    this.look = see(pen).catch((error) => {
      reportBug('the look before a paste', error);
      return 'unseen' as const;
    });
  }

  /** Neither written nor given up. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** This text, if any, will be written. */
  foresee(text: string): void {
    this.#text = text;
    this.#prepared = this.#pen.prepare?.(bracket(text));
  }

  /** Whether nothing can have happened since the look was asked for. */
  isStillTrue({ emptySince }: RecipientView, now: number): boolean {
    const isQuiet = emptySince !== undefined && emptySince === this.#emptySince;
    return now - this.askedAt <= (isQuiet ? quietFreshMs : freshMs);
  }

  async write(text: string): Promise<Written> {
    try {
      const prepared = text === this.#text ? this.#prepared : undefined;
      if (!prepared) return await this.#pen.write(bracket(text));
      this.#prepared = undefined;
      return await prepared.write();
    } finally {
      this.#isUnderWay = false;
    }
  }

  /** After a write there is nothing left to drop. */
  drop(): void {
    this.#isUnderWay = false;
    this.#prepared?.drop();
    this.#prepared = undefined;
  }
}

/** For a terminal that stands still: the look is then the last one that is needed. */
export function pasteEarly(
  parts: DeliveryParts,
  { pen, view }: Pick<Recipient, 'pen' | 'view'>,
): EarlyPaste | undefined {
  const now = parts.surroundings.clock.monotonicMs();
  return typeof pen !== 'string' && isSteady(view(), now)
    ? new EarlyPaste(parts, pen, view())
    : undefined;
}

/** The status monitor's look is the first of the two that a paste needs (rule 24). */
export function isSteady({ emptySince }: RecipientView, now: number): boolean {
  return emptySince !== undefined && now - emptySince >= steadyMs;
}

/**
 * A look harms nobody, so one that cannot be had, while the connection to the terminal is made anew
 * say, is only that: before the paste nothing has been touched, and after it the text still stands
 * there.
 */
export async function see(pen: Pen): Promise<Seen> {
  try {
    return await pen.look();
  } catch (error) {
    if (error instanceof Fault) return 'unseen';
    throw error;
  }
}

/** Line feeds become what the Enter key sends: inside the brackets they are part of the text. */
function bracket(text: string): Buffer {
  return Buffer.from(`\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`);
}
