import { findPastedMark } from '../../messages/prompt.ts';
import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { AnswerChain } from './answer-chain.ts';
import {
  batchRecords,
  bound,
  holds,
  keptMarks,
  keptRequests,
  type Mark,
  type Request,
} from './judge-tables.ts';
import {
  hasOutput,
  isInterruption,
  isModels,
  marksIn,
  promptKey,
  readAnswered,
  readBlob,
  readSaid,
  readStrange,
  twinOf,
} from './said-records.ts';

/** How far a mark got, by one transcript. */
export type Trace = Found | { readonly kind: 'none' };

export interface Found {
  /**
   * `passed`: it has landed, and the model was asked and has answered without it since, or perhaps
   * without it. `strange`: it stands in a record of a kind that we do not know.
   */
  readonly kind: 'seen' | 'landed' | 'passed' | 'queued' | 'recalled' | 'strange';
  /** Which record says so. */
  readonly record: string;
  /** `landed`, and a person broke its turn off. */
  readonly isInterrupted?: boolean;
}

/**
 * Follows marks through the records of one transcript (2.1.325). It is told every record, in the
 * order of the file, which is not that of the conversation: records are written in batches, and a
 * request stands before the text it carries.
 *
 * A mark has *landed* when it stands in the first line of a prompt that we pasted, or in a record
 * that the CLI makes of what we say: a `user` record of a woken turn (origin `task-notification`),
 * a `queued_command` of one that joined the running turn, a hook's `hook_additional_context`. Then
 * it is *seen* when the model has answered a request that holds it. The transcript keeps the
 * requests themselves: an `assistant` record names its `api-request` (`requestRef`), and that one
 * says what it is made of: the first `keep` messages of its `base`, and then its `tail`, by the
 * hashes of blobs.
 *
 * No proof: the words of the model, a tool's or a hook's output, a person's prompt that does not
 * begin with our line (it makes a blob, but no such record), an API's failure, the `<synthetic>`
 * answer that a resume writes below what was never answered (neither has a `requestRef`), a
 * sub-agent's records. Nor `parentUuid`: after a person has gone back to an earlier prompt, the
 * next records hang below the ones that were taken out. Where no requests are on record, it has to
 * do, within one turn (answer-chain.ts).
 */
export class TranscriptJudge {
  readonly #marks = new Map<string, Mark>();
  /** Those that are not seen. */
  readonly #open = new Set<string>();
  readonly #blobs = new Map<string, readonly string[]>();
  readonly #requests = new Map<string, Request>();
  /** Records of the model, by the request that they answer. */
  readonly #answers = new Map<string, string>();
  readonly #chain = new AnswerChain();
  /**
   * Of the older form: the newest answers and ends of turns, which may stand before the text that
   * they tell of.
   */
  readonly #older = new Map<string, number>();
  /** The newest answers that name the request that they answer. */
  readonly #asked = new Map<string, number>();
  #queued = 0;
  #count = 0;

  /** Whether records without a mark matter. */
  get isFollowing(): boolean {
    return this.#open.size > 0;
  }

  find(mark: string): Trace {
    const known = this.#marks.get(mark);
    if (!known) return { kind: 'none' };
    const { landed, heldBy, passedBy } = known;
    if (landed) {
      const record = `${landed.type} record ${short(landed.uuid)}`;
      if (heldBy !== undefined) return { kind: 'seen', record: `${heldBy} holds ${record}` };
      const interruption = known.isInterrupted ? { isInterrupted: true } : {};
      if (passedBy === undefined) return { kind: 'landed', record, ...interruption };
      return { kind: 'passed', record: `${passedBy} does not hold ${record}` };
    }
    if (known.isRecalled) return { kind: 'recalled', record: 'queue-operation popAll' };
    const isQueued = known.isQueued && this.#queued > 0;
    if (isQueued) return { kind: 'queued', record: 'queue-operation enqueue' };
    const { strangeIn } = known;
    return strangeIn === undefined ? { kind: 'none' } : { kind: 'strange', record: strangeIn };
  }

  take(record: Json): void {
    // Sub-agents have files of their own; what of them is found here is not the main conversation.
    if (record['isSidechain'] === true || record['agentId'] !== undefined) return;
    this.#count++;
    for (const uuid of this.#chain.note(record)) {
      this.#judgeOlder(uuid);
      this.#judgeAsked(uuid);
    }
    switch (record['type']) {
      case 'queue-operation':
        this.#takeQueue(record);
        break;
      case 'api-request-blob':
        this.#takeBlob(record);
        break;
      case 'api-request':
        this.#takeRequest(record);
        break;
      case 'assistant':
        this.#takeAnswer(record);
        break;
      case 'system':
        this.#takeOlder(record);
        break;
      default:
        this.#takeSaid(record);
    }
    this.#close();
  }

  /** What leaves the queue is not named: as long as something is in it, ours may be. */
  #takeQueue(record: Json): void {
    switch (record['operation']) {
      case 'enqueue':
        this.#queued++;
        for (const key of keysIn(asText(record['content']) ?? '')) this.#note(key).isQueued = true;
        break;
      case 'popAll':
        this.#queued = 0;
        for (const known of this.#marks.values()) {
          known.isRecalled ||= known.isQueued && !known.landed;
        }
        break;
      default:
        this.#queued = Math.max(0, this.#queued - 1);
    }
  }

  #takeSaid(record: Json): void {
    if (isInterruption(record)) {
      for (const mark of this.#open) {
        const known = this.#note(mark);
        known.isInterrupted ||= known.landed !== undefined;
      }
    }
    const uuid = asText(record['uuid']);
    const said = readSaid(record);
    if (!said) {
      for (const mark of readStrange(record)) this.#note(mark).strangeIn ??= describeKind(record);
    }
    if (uuid === undefined || !said) return;
    const { type, marks, hash } = said;
    for (const mark of marks) {
      const known = this.#note(mark);
      if (known.landed) continue;
      known.landed = { uuid, type, at: this.#count };
      this.#open.add(mark);
    }
    if (hash !== undefined) this.#nameBlob(hash, marks);
    for (const [answer, at] of [...this.#older, ...this.#asked]) {
      if (this.#count - at >= batchRecords) continue;
      this.#judgeOlder(answer);
      this.#judgeAsked(answer);
    }
  }

  #takeBlob(record: Json): void {
    const hash = asText(record['hash']);
    const marks = readBlob(record);
    if (hash === undefined || marks.length === 0) return;
    for (const mark of marks) this.#note(mark);
    this.#nameBlob(hash, marks);
  }

  #nameBlob(hash: string, marks: readonly string[]): void {
    this.#blobs.set(hash, marks);
    bound(this.#blobs, keptRequests);
    // It may come after the request that it is part of, and its answer.
    for (const [id, { at }] of this.#requests) if (this.#count - at < batchRecords) this.#judge(id);
  }

  #takeRequest(record: Json): void {
    const id = asText(record['id']);
    if (id === undefined) return;
    const tail = asArray(record['tail']).filter((hash) => typeof hash === 'string');
    const keep = typeof record['keep'] === 'number' ? record['keep'] : 0;
    this.#requests.set(id, { base: asText(record['base']), keep, tail, at: this.#count });
    bound(this.#requests, keptRequests);
    this.#judge(id);
  }

  #takeAnswer(record: Json): void {
    const id = readAnswered(record);
    if (id === undefined) this.#takeOlder(record);
    if (id === undefined) return;
    const uuid = asText(record['uuid']) ?? '';
    this.#answers.set(id, uuid);
    this.#asked.set(uuid, this.#count);
    bound(this.#asked, batchRecords);
    this.#judgeAsked(uuid);
    bound(this.#answers, keptRequests);
    this.#judge(id);
  }

  /**
   * An answer, or the end of a turn. Where requests are on record, an answer that names none is
   * nobody's.
   */
  #takeOlder(record: Json): void {
    const uuid = asText(record['uuid']);
    const isAnswer = isModels(record) && hasOutput(record);
    const isTelling = isAnswer || record['subtype'] === 'turn_duration';
    if (uuid === undefined || !isTelling || this.#requests.size > 0) return;
    this.#older.set(uuid, this.#count);
    bound(this.#older, batchRecords);
    this.#judgeOlder(uuid);
  }

  #judgeOlder(uuid: string): void {
    if (!this.#older.has(uuid)) return;
    const record = `assistant record ${short(uuid)}`;
    for (const mark of this.#open) {
      const known = this.#note(mark);
      if (!known.landed) continue;
      const link = this.#chain.judge(uuid, known.landed.uuid);
      if (link === 'holds') known.heldBy ??= `${record} of the same turn`;
      if (link === 'passes') known.passedBy ??= `${record} of a later turn, perhaps,`;
      const rider = this.#chain.findRider(uuid, known.landed.uuid);
      if (rider !== undefined) known.heldBy ??= `assistant record ${short(rider)} of a later turn`;
    }
  }

  /** A prompt has a record of its own: the answer to its request hangs below it, in its turn. */
  #judgeAsked(uuid: string): void {
    if (!this.#asked.has(uuid)) return;
    for (const mark of this.#open) {
      const known = this.#note(mark);
      if (known.landed?.type !== 'prompt') continue;
      if (this.#chain.judge(uuid, known.landed.uuid) !== 'holds') continue;
      known.heldBy ??= `assistant record ${short(uuid)} of the same turn`;
    }
  }

  #judge(id: string): void {
    const answer = this.#answers.get(id);
    const request = this.#requests.get(id);
    if (answer === undefined || !request) return;
    const held = new Set(
      [...this.#blobs].flatMap(([hash, marks]) =>
        holds(this.#requests, request, hash) ? marks : [],
      ),
    );
    const record = `assistant record ${short(answer)} answers request ${short(id)}, which`;
    for (const mark of this.#open) {
      const known = this.#note(mark);
      if (held.has(mark)) known.heldBy ??= record;
      // A request of before it landed could not hold it.
      else if (known.landed && request.at > known.landed.at) known.passedBy ??= record;
    }
  }

  #close(): void {
    for (const mark of this.#open) {
      const known = this.#marks.get(mark);
      // A blob does not tell a pasted fence from a notice: what has come as the one is awaited as
      // the other no more.
      const isOther = known && !known.landed && !known.isQueued && this.#isSeen(twinOf(mark));
      if (!known || this.#isSeen(mark) || isOther) this.#open.delete(mark);
    }
  }

  #isSeen(mark: string): boolean {
    const known = this.#marks.get(mark);
    return known?.landed !== undefined && known.heldBy !== undefined;
  }

  #note(mark: string): Mark {
    const known = this.#marks.get(mark);
    if (known) return known;
    const noted: Mark = { isQueued: false, isRecalled: false, isInterrupted: false };
    this.#marks.set(mark, noted);
    this.#open.add(mark);
    bound(this.#marks, keptMarks);
    return noted;
  }
}

function keysIn(text: string): readonly string[] {
  const prompt = findPastedMark(text);
  return [...marksIn(text), ...(prompt === undefined ? [] : [promptKey(prompt)])];
}

function describeKind(record: Json): string {
  const kind = asText(asObject(record['attachment'])['type']) ?? asText(record['type']);
  return `a record of the unknown kind ${kind ?? '(none)'}`;
}

/** Enough of an id to find it. */
function short(id: string): string {
  return id.slice(0, 8);
}
