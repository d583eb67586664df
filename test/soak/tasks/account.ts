import type { Copy } from '../../lab/team/judge-answers.ts';
import { Judged } from '../../support/judged.ts';

/** The checks of the account, and those that only some soaks give work to. */
export const checks = [
  'a task that was given',
  'an answer that its giver got',
  'a further copy of an answer',
  'an end without an answer',
  'a word of another task',
] as const;

export type Check = (typeof checks)[number];

/**
 * A task as the soak gave it: its word was taught to the mock for this task alone, and stands
 * nowhere else.
 */
export interface GivenTask {
  readonly giver: string;
  /** Stands in the task, and makes the worker's model say the word. */
  readonly work: string;
  readonly word: string;
}

/** The ledger's word about one task. */
export interface LedgerTask {
  readonly id: string;
  readonly body: string;
  /** How its debt ended; undefined: it is still owed. */
  readonly end?: string;
  /** The message that ended it, or that said that no answer came. */
  readonly told?: { readonly id: string; readonly body: string; readonly to: string };
}

/** All that the models got. */
export interface Heard {
  /**
   * By giver: every message of ours that stands in its conversation in the end, in order, copies
   * included.
   */
  readonly copies: ReadonlyMap<string, readonly Copy[]>;
  /** The prompts of the workers' turns. */
  readonly prompts: readonly string[];
}

export interface Account {
  readonly owed: number;
  /** The giver's model got the answer in one copy. */
  readonly once: number;
  /** In more than one, all but the first with a mark; or one that says that it may be a repeat. */
  readonly marked: number;
  /** No answer came, and the giver's model was told so. */
  readonly told: number;
  /** Whatever else: each a sentence. None is the bar. */
  readonly faults: readonly string[];
  /** How many cases each check met. */
  readonly judged: Judged<Check>;
}

/**
 * What became of every task, by the ledger and by what the models got; neither is believed without
 * the other.
 */
export function takeAccount(
  given: readonly GivenTask[],
  ledger: readonly LedgerTask[],
  heard: Heard,
): Account {
  const counts = { once: 0, marked: 0, told: 0 };
  const faults: string[] = [];
  const judged = new Judged<Check>();
  judged.note('a task that was given', given.length);
  const ends = new Map<string, readonly GivenTask[]>();
  for (const task of given) {
    const found = ledger.filter(
      ({ body }) => body.includes(`${task.work} `) || body.endsWith(task.work),
    );
    const [row] = found;
    if (!row || found.length > 1) {
      faults.push(`${task.word}: ${found.length} tasks in the ledger`);
      continue;
    }
    const { told, end } = row;
    if (!told) {
      faults.push(`${task.word}: ${row.id} is ${end ?? 'still owed'}, and nobody was told`);
      continue;
    }
    ends.set(told.id, [...(ends.get(told.id) ?? []), task]);
    if (told.to !== task.giver) faults.push(`${task.word}: ${told.to} was told, not ${task.giver}`);
    const copies = (heard.copies.get(task.giver) ?? []).filter(({ id }) => id === told.id);
    judged.note('a further copy of an answer', Math.max(0, copies.length - 1));
    const unmarked = copies.filter(({ header }) => !isMarked(header)).length;
    if (copies.length === 0) faults.push(`${task.word}: the model never got ${told.id}`);
    else if (unmarked > 1)
      faults.push(`${task.word}: ${unmarked} copies of ${told.id} without a mark`);
    else if (end !== 'answered') {
      judged.note('an end without an answer');
      counts.told++;
    } else {
      judged.note('an answer that its giver got');
      if (!told.body.includes(task.word))
        faults.push(`${task.word}: answered with ${JSON.stringify(told.body.slice(0, 100))}`);
      if (copies.length === 1 && unmarked === 1) counts.once++;
      else counts.marked++;
    }
  }
  faults.push(...findForeignWords(given, ends, heard, judged));
  return { owed: given.length, ...counts, faults, judged };
}

/**
 * Of every message in every giver's conversation: a word in it belongs to a task that this message
 * ended, or to one that entered the worker's model in the same prompt as such a task.
 */
function findForeignWords(
  given: readonly GivenTask[],
  ends: ReadonlyMap<string, readonly GivenTask[]>,
  { copies, prompts }: Heard,
  judged: Judged<Check>,
): readonly string[] {
  const faults = new Set<string>();
  for (const [giver, all] of copies) {
    for (const { id, header, body } of all) {
      const own = ends.get(id) ?? [];
      for (const task of given) {
        if (!body.includes(task.word) || own.includes(task)) continue;
        judged.note('a word of another task');
        const isShared = own.some(({ work }) =>
          prompts.some((text) => text.includes(work) && text.includes(task.work)),
        );
        if (!isShared)
          faults.add(
            `${task.word} stands in ${id} for ${giver} (${header}), which is no answer to it`,
          );
      }
    }
  }
  return [...faults];
}

function isMarked(header: string): boolean {
  return header.includes('MAY BE A REPEAT');
}
