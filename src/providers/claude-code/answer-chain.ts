import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { bound } from './judge-tables.ts';
import { hasOutput, isInterruption, isModels } from './said-records.ts';

/** What an answer in the older form says of a text that has landed. */
export type Link = 'holds' | 'passes';

/**
 * The older form (2.1.240, 2.1.280): no record of the requests, and an answer names only the record
 * that it follows (`parentUuid`). That chain is not the conversation: after a person went back to
 * an earlier prompt, the next records hang below those that were taken out, and no record tells of
 * it. So it counts within one turn only: between the answer and the text stand no prompt of another
 * turn (`promptId`), no interruption and no failure. And the answer is no later piece of one
 * (`message.id`) that had begun above the text.
 *
 * What a turn left without an answer rides with the next one, and that can be told when the next
 * one ends: its `turn_duration` says how many messages the conversation has. In 32 recorded turns
 * that was the length of the chain, and after a person had gone back it was less (5 instead of 15,
 * 12 instead of 29). If nothing is missing, the answers below the text were asked for with it.
 */
export class AnswerChain {
  readonly #links = new Map<string, Entry>();
  /** Answers that hang below a record that was not written yet, or is too long ago. */
  readonly #dangling = new Map<string, Set<string>>();
  #count = 0;

  /**
   * Takes any record; names the answers and ends of turns about which something may be known now.
   */
  note(record: Json): readonly string[] {
    const uuid = asText(record['uuid']);
    if (uuid === undefined) return [];
    const entry = readEntry(record, this.#count++);
    this.#links.set(uuid, entry);
    bound(this.#links, keptLinks);
    const waiting = [...(this.#dangling.get(uuid) ?? [])];
    this.#dangling.delete(uuid);
    return waiting;
  }

  /**
   * The answer below the text by which the end of a turn proves it: nothing between the two was
   * taken out.
   */
  findRider(end: string, text: string): string | undefined {
    const total = this.#links.get(end)?.tally;
    if (total === undefined) return undefined;
    let rider: string | undefined;
    let isBelow = true;
    let steps = 0;
    for (const [uuid, { kind, tally, parent, hasOutput, message }] of this.#above(end)) {
      steps++;
      if (uuid === text) isBelow = false;
      if (isBelow && kind === 'answer' && hasOutput && !this.#isPieceOf({ message }, text)) {
        rider = uuid;
      }
      const isWhole = parent === undefined ? total === steps : total - (tally ?? 0) === steps;
      if (!isBelow && (parent === undefined || tally !== undefined)) {
        return isWhole ? rider : undefined;
      }
    }
    return undefined;
  }

  /** Undefined: nothing that could be said now. */
  judge(answer: string, text: string): Link | undefined {
    const said = this.#links.get(text);
    const from = this.#links.get(answer);
    if (!said || from?.kind !== 'answer') return undefined;
    let isSameTurn = true;
    for (const [uuid, at] of this.#above(answer)) {
      if (uuid === text) {
        const isOwn = isSameTurn && !this.#isPieceOf(from, text);
        return isOwn ? 'holds' : isSameTurn ? undefined : 'passes';
      }
      if (at.kind === 'end') isSameTurn = false;
      if (at.kind !== 'prompt' || (said.turn !== undefined && at.turn === said.turn)) continue;
      isSameTurn = false;
      // Of a turn that began later, and does not even hang below it.
      if (at.at > said.at) return 'passes';
    }
    return undefined;
  }

  /** Whether a piece of the same answer stands above the text: it was asked for without it. */
  #isPieceOf({ message }: Pick<Entry, 'message'>, text: string): boolean {
    for (const [, above] of this.#above(text)) {
      if (above.kind === 'answer') return above.message === message;
    }
    return false;
  }

  *#above(from: string): Generator<readonly [string, Entry]> {
    let next = this.#links.get(from)?.parent;
    for (let steps = 0; next !== undefined && steps < keptLinks; steps++) {
      const entry = this.#links.get(next);
      if (!entry) {
        const waiting = this.#dangling.get(next) ?? new Set();
        this.#dangling.set(next, waiting.add(from));
        bound(this.#dangling, keptDangling);
        return;
      }
      yield [next, entry];
      next = entry.parent;
    }
  }
}

interface Entry {
  /** `end`: an interruption, or a failure in the model's place. */
  readonly kind: 'prompt' | 'answer' | 'end' | 'other';
  readonly parent: string | undefined;
  readonly turn: string | undefined;
  readonly message: string | undefined;
  readonly hasOutput: boolean;
  /** Messages of the conversation at the end of a turn. */
  readonly tally: number | undefined;
  /** As the nth record. */
  readonly at: number;
}

const keptLinks = 2000;
const keptDangling = 200;

function readEntry(record: Json, at: number): Entry {
  const message = asObject(record['message']);
  return {
    kind: readKind(record, message),
    parent: asText(record['parentUuid']),
    turn: asText(record['promptId']),
    message: asText(message['id']),
    hasOutput: hasOutput(record),
    tally: readTally(record),
    at,
  };
}

function readTally({ subtype, messageCount }: Json): number | undefined {
  return subtype === 'turn_duration' && typeof messageCount === 'number' ? messageCount : undefined;
}

function readKind(record: Json, message: Json): Entry['kind'] {
  if (record['type'] === 'assistant') {
    if (!isModels(record)) return 'end';
    return asText(message['id']) === undefined ? 'other' : 'answer';
  }
  if (record['type'] !== 'user') return 'other';
  if (isInterruption(record)) return 'end';
  const blocks = asArray(message['content']).map(asObject);
  const isResult = blocks.length > 0 && blocks.every(({ type }) => type === 'tool_result');
  return isResult ? 'other' : 'prompt';
}
