import { Judged } from '../support/judged.ts';
import type { Check } from './judged.ts';

/** One message as it stands in one text. */
export interface Copy {
  readonly id: string;
  readonly isRepeat: boolean;
  /** Named only; its body is not there. */
  readonly isPointer: boolean;
}

/** One text of ours in a conversation: what the model really has, whatever anybody believes. */
export interface Entry {
  readonly mark: string;
  readonly copies: readonly Copy[];
  readonly epoch: number;
  readonly conversation: number;
  /** Wall time. */
  readonly at: number;
  /** From when on the CLI's records show it. */
  visibleAt: number;
  /** The model has answered to it; from when on the records show that. */
  outputAt?: number;
  hasOutput: boolean;
  removed?: 'interrupted' | 'failed' | 'refused';
  /** Wall time: no turn that ends later holds it. */
  removedAt?: number;
  /** Its turn was the first one that failed, and it was taken out: when, and under which daemon. */
  failed?: { readonly at: number; readonly daemons: number };
  /**
   * How many turns of its agent had ended otherwise when a person cancelled its turn and it was
   * taken out.
   */
  removedAfter?: number;
  /** A person cancelled its turn, and it stays. */
  isInterrupted: boolean;
  /** The terminal has shown another conversation since. */
  wasLeft: boolean;
}

interface Landing {
  readonly agent: string;
  readonly entry: Entry;
}

/** What really happened, and what must not have. */
export class Truth {
  /** How many cases each check has had: one that had none has proven nothing. */
  readonly judged = new Judged<Check>();
  readonly landings: Landing[] = [];
  /** Marks that came, or will come, later than the route had said. */
  readonly late = new Set<string>();
  /**
   * Messages whose body the model has answered to, with the wall time of the first unit of output.
   */
  readonly answered = new Map<string, number>();
  readonly violations: string[] = [];
  readonly wakes: { readonly agent: string; readonly at: number }[] = [];

  /** One case of a check; what is broken says why. */
  judge(check: Check, broken: string | undefined | false): void {
    this.judged.note(check);
    if (broken) this.violated(broken);
  }

  violated(what: string): void {
    if (this.violations.length < 20) this.violations.push(what);
  }

  landed(agent: string, entry: Entry): void {
    this.landings.push({ agent, entry });
  }

  /** A turn began because of what we said to an agent at rest. */
  woke(agent: string, at: number): void {
    this.wakes.push({ agent, at });
  }

  answer(entry: Entry, at: number): void {
    for (const { id, isPointer } of entry.copies)
      if (!isPointer && !this.answered.has(id)) this.answered.set(id, at);
  }
}

/** The results of its own commands are not taken out of a conversation. */
export function isOurs({ mark }: Entry): boolean {
  return mark.startsWith('mark_');
}

/** Reads a text as the model would; `idOf` gives the id of a number in its inbox. */
export function readEnvelope(
  text: string,
  idOf: (number: number) => string = String,
): { mark: string; copies: Copy[] } | undefined {
  const mark = /<signalbox (mark_\w+)>/.exec(text)?.[1];
  if (mark === undefined) return undefined;
  const copies = [
    ...text.matchAll(/^(?:--- \w+ |<signalbox mark_\w+>\n)(\d+) (\w+(?: \(\w+\))? from .*)$/gm),
  ].map(([, id = '', rest = '']) => ({
    id: idOf(Number(id)),
    isRepeat: rest.includes('MAY BE A REPEAT'),
    isPointer: rest.includes('not shown here'),
  }));
  return { mark, copies };
}
