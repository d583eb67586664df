import type { Json } from '../wire/json.ts';
import { numberOf, textOf } from '../wire/request-shapes.ts';

/** What befalls one connection. It is decided when the first byte is to be written to it. */
export interface Fate {
  readonly isHung: boolean;
  readonly delayMs: number;
  /** Written in place of the first line; the connection ends behind it. */
  readonly garbage: string | undefined;
  /** The connection ends after so many bytes. */
  readonly cutAt: number;
}

type Kind = (typeof kinds)[number];

const kinds = ['drop', 'delay', 'hang', 'garbage'] as const;

interface Fault {
  readonly kind: Kind;
  /** Only answers to this method; answers to what cannot be decoded have none. */
  readonly method: string | undefined;
  readonly amount: number;
  readonly text: string | undefined;
  times: number;
}

/** The switchable faults of the connections; see desk.ts for the commands. */
export class Faults {
  #faults: Fault[] = [];
  #random: (() => number) | undefined;

  /** Whether the command was one of those that this knows. */
  set(command: Json): boolean {
    const word = textOf(command, 'do');
    const kind = kinds.find((name) => name === word);
    if (!kind) return false;
    this.#faults.push({
      kind,
      method: textOf(command, 'method'),
      amount: numberOf(command, kind === 'drop' ? 'at' : 'ms') ?? 0,
      text: textOf(command, 'text'),
      times: numberOf(command, 'times') ?? Number.POSITIVE_INFINITY,
    });
    return true;
  }

  calm(): void {
    this.#faults = [];
    this.#random = undefined;
  }

  /** The same seed gives the same disorder for the same lines. */
  reorder(seed: number): void {
    let state = seed >>> 0;
    this.#random = () => {
      state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
      return state / 2 ** 32;
    };
  }

  /** Between 0 and 1, while events are to come out of order. */
  get random(): (() => number) | undefined {
    return this.#random;
  }

  fateOf(method: string | undefined): Fate {
    const due = this.#faults.filter(
      (fault) => fault.method === undefined || fault.method === method,
    );
    for (const fault of due) fault.times--;
    this.#faults = this.#faults.filter(({ times }) => times > 0);
    const last = (kind: Kind) => due.findLast((fault) => fault.kind === kind);
    const garbage = last('garbage');
    return {
      isHung: last('hang') !== undefined,
      delayMs: last('delay')?.amount ?? 0,
      garbage: garbage && (garbage.text ?? '\u0000{"id":"r","res\ufffd'),
      cutAt: last('drop')?.amount ?? Number.POSITIVE_INFINITY,
    };
  }

  get report(): readonly Json[] {
    return this.#faults.map(({ kind, method, amount, times }) => ({
      do: kind,
      ...(method === undefined ? {} : { method }),
      amount,
      ...(Number.isFinite(times) ? { times } : {}),
    }));
  }
}
