import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import { findMarks, isMixed, mixedWords } from '../marks.ts';
import type { Judge } from '../record-evidence.ts';
import type { AttemptTrace, Finding } from '../way-in.ts';
import { hasOutput, isRefusal, timeOf } from './signs.ts';

/**
 * What a conversation's file says about marks (0.61.0). A prompt is written before its request, and
 * the model's answer after it; but a turn that was cancelled or failed is taken out again, by a
 * line that sets all messages anew. So the file is replayed: a mark is `seen` when output of the
 * model follows the prompt that holds it, and `removed` when a later line leaves the prompt out.
 * Warnings (the reason of a hook's block stands in one), tool results and what the model quotes are
 * no prompts.
 */
export function createJudge(fileName: string, before?: Judge): Judge {
  return new ConversationJudge(fileName, before instanceof ConversationJudge ? before : undefined);
}

interface Trace {
  readonly prompt: string;
  /** Wall time of the CLI; not a number where the record does not say. */
  readonly at: number;
  readonly answer?: string;
  readonly isRemoved?: boolean;
  readonly because?: Cause;
}

type Cause = NonNullable<Finding['because']>;
/** Why a prompt was taken out, of the turn that held it. */
type Judgement = (trace: Trace) => Cause;

class ConversationJudge implements Judge {
  readonly #fileName: string;
  /** Ids of prompts and answers, in order: what the next request would hold. */
  #messages: string[] = [];
  readonly #traces = new Map<string, Trace>();
  /** The prompts that marks stood in when they came. */
  readonly #texts = new Map<string, string>();
  /** How the turn of the last prompt ended, if not well. */
  #end: Judgement | undefined;
  /**
   * The cause is written before the messages are set anew (a cancelled turn), or after it (a failed
   * one).
   */
  #uncaused: readonly string[] = [];
  /** Answers in which nothing was said yet, and the marks that had none when they came. */
  readonly #empty = new Map<string, readonly string[]>();
  #mayGoOn = false;

  /**
   * A file that another Gemini deleted is made anew by the next record, without a first line: there
   * the conversation goes on from where it was. One that begins as files do tells everything again.
   */
  constructor(fileName: string, before?: ConversationJudge) {
    this.#fileName = fileName;
    if (!before) return;
    this.#messages = before.#messages;
    this.#traces = before.#traces;
    this.#texts = before.#texts;
    this.#end = before.#end;
    this.#uncaused = before.#uncaused;
    this.#empty = before.#empty;
    this.#mayGoOn = true;
  }

  take(line: Buffer): void {
    const record = parseObject(line.toString('utf8'));
    if (!record) return;
    if (this.#mayGoOn && asText(record['sessionId']) !== undefined) this.#forget();
    this.#mayGoOn = false;
    const messages = asObject(record['$set'])['messages'];
    const rewoundTo = asText(record['$rewindTo']);
    if (messages !== undefined) this.#replace(asArray(messages).map(asObject));
    else if (rewoundTo !== undefined) this.#rewind(rewoundTo);
    else this.#add(record);
  }

  find({ mark, route, text: pasted }: AttemptTrace): Finding | undefined {
    const trace = this.#traces.get(mark);
    if (!trace) return undefined;
    const text = route === 'paste' ? this.#texts.get(mark) : undefined;
    const isShared = text !== undefined && isMixed(text, mark, pasted && withoutBlanks(pasted));
    const company = isShared ? mixedWords : '';
    const prompt = `user record ${trace.prompt}${company}`;
    // Also at a resume: all messages are set to none, and then written again.
    if (this.#uncaused.includes(mark)) {
      const evidence = `${prompt} is being taken out of ${this.#fileName}, and why is not written yet`;
      return { found: 'landed', evidence, isBeingTakenOut: true };
    }
    if (trace.isRemoved) {
      const because = trace.because ?? 'interrupted';
      const evidence = `${prompt} was taken out of the conversation again (${because}) in ${this.#fileName}`;
      return { found: 'removed', because, evidence };
    }
    return trace.answer === undefined
      ? { found: 'landed', evidence: `${prompt} without an answer yet in ${this.#fileName}` }
      : {
          found: 'seen',
          evidence: `gemini record ${trace.answer} follows ${prompt} in ${this.#fileName}`,
        };
  }

  #forget(): void {
    this.#messages = [];
    this.#traces.clear();
    this.#texts.clear();
    this.#end = undefined;
    this.#uncaused = [];
    this.#empty.clear();
  }

  #add(record: Json): void {
    const id = asText(record['id']);
    if (id === undefined) return;
    switch (record['type']) {
      case 'user':
        this.#addPrompt(id, record);
        break;
      case 'gemini':
        this.#addAnswer(id, record);
        break;
      case 'error':
        this.#endTurn((trace) =>
          trace.answer === undefined && isRefusal(record, trace.at) ? 'refused' : 'failed',
        );
        break;
      case 'info':
        if (record['content'] === 'Request cancelled.') this.#endTurn(() => 'interrupted');
    }
  }

  #addPrompt(id: string, record: Json): void {
    // Its own guard, not a person, has taken the turn out and halted it (0.61.0).
    if (promptText(record).startsWith(haltWords)) {
      this.#messages.push(id);
      this.#endTurn(() => 'failed');
      return;
    }
    // One that is known is written again when it changed.
    if (!this.#messages.includes(id)) {
      this.#messages.push(id);
      this.#end = undefined;
      this.#uncaused = [];
    }
    for (const mark of promptMarks(record)) {
      this.#texts.set(mark, withoutBlanks(partWith(mark, record)));
      const known = this.#traces.get(mark);
      // A history that is taken over comes under new ids; what was answered in it stays so.
      const at = timeOf(record['timestamp']);
      if (!known || known.isRemoved) this.#traces.set(mark, { prompt: id, at });
      else this.#traces.set(mark, { ...known, prompt: id });
    }
  }

  /**
   * Also a history that is taken over is written like this, with no model: that is nobody's output.
   */
  #addAnswer(id: string, record: Json): void {
    const isNew = !this.#messages.includes(id);
    if (isNew) this.#messages.push(id);
    if (asText(record['model']) === undefined) return;
    const marks = isNew ? this.#listUnanswered() : (this.#empty.get(id) ?? []);
    if (!hasOutput(record)) {
      this.#empty.set(id, marks);
      return;
    }
    this.#empty.delete(id);
    for (const mark of marks) {
      const trace = this.#traces.get(mark);
      if (!trace || trace.answer !== undefined || trace.isRemoved) continue;
      this.#traces.set(mark, { ...trace, answer: id });
    }
  }

  #listUnanswered(): readonly string[] {
    const open = [...this.#traces].filter(([, { answer, isRemoved }]) => !answer && !isRemoved);
    return open.map(([mark]) => mark);
  }

  #endTurn(judgement: Judgement): void {
    this.#end ??= judgement;
    for (const mark of this.#uncaused) {
      const trace = this.#traces.get(mark);
      if (trace?.isRemoved) this.#traces.set(mark, { ...trace, because: judgement(trace) });
    }
    this.#uncaused = [];
  }

  #replace(messages: readonly Json[]): void {
    const said = messages.filter(({ type }) => type === 'user' || type === 'gemini');
    const ids = said.flatMap((message) => asText(message['id']) ?? []);
    const isCut = ids.every((id, at) => id === this.#messages[at]);
    const holders = new Map(said.flatMap(holdersOf));
    const removed: string[] = [];
    for (const [mark, trace] of this.#traces) {
      const holder = holders.get(mark);
      if (holder !== undefined) this.#traces.set(mark, { ...keep(trace), prompt: holder });
      // Only a turn that ended badly is cut off the end; a summary, which takes the place of all,
      // leaves it seen (rule 9).
      else if (!trace.isRemoved && (isCut || trace.answer === undefined)) removed.push(mark);
    }
    for (const [mark, prompt] of holders) {
      if (!this.#traces.has(mark)) this.#traces.set(mark, { prompt, at: Number.NaN });
    }
    this.#messages = [...ids];
    for (const mark of removed) this.#remove(mark);
    this.#uncaused = this.#end === undefined ? removed : [];
  }

  #remove(mark: string): void {
    const trace = this.#traces.get(mark);
    if (!trace) return;
    const cause = this.#end === undefined ? {} : { because: this.#end(trace) };
    this.#traces.set(mark, { ...trace, isRemoved: true, ...cause });
  }

  /** A person went back: what was answered before it stays seen, what was not will never be. */
  #rewind(to: string): void {
    const at = this.#messages.indexOf(to);
    const kept = at < 0 ? [] : this.#messages.slice(0, at);
    this.#messages = kept;
    for (const [mark, trace] of this.#traces) {
      if (trace.answer !== undefined || kept.includes(trace.prompt)) continue;
      this.#traces.set(mark, { ...trace, isRemoved: true, because: 'interrupted' });
    }
  }
}

/** Of a prompt that the CLI writes itself, for a model that repeats itself. */
const haltWords = 'System: Potential loop detected.';

/** It is in the conversation, whatever was said of it before. */
function keep({ prompt, at, answer }: Trace): Trace {
  return { prompt, at, ...(answer === undefined ? {} : { answer }) };
}

function holdersOf(message: Json): readonly (readonly [string, string])[] {
  const id = asText(message['id']);
  if (message['type'] !== 'user' || id === undefined) return [];
  return promptMarks(message).map((mark) => [mark, id] as const);
}

/**
 * A tool's result is a user's record, too; it holds no text part, and whatever a tool printed
 * proves nothing.
 */
function promptMarks(record: Json): readonly string[] {
  return findMarks(promptText(record));
}

function promptText({ content }: Json): string {
  return textParts(content).join('\n');
}

/**
 * What was in the composer: of a file that the user's words name with `@` the contents stand in
 * parts behind it (0.61.0).
 */
function partWith(mark: string, { content }: Json): string {
  return textParts(content).find((text) => text.includes(mark)) ?? '';
}

function textParts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return asArray(content).map((part) => asText(asObject(part)['text']) ?? '');
}

/** Before such a name it puts a blank where none is, as at the beginning of a line (0.61.0). */
function withoutBlanks(text: string): string {
  return text.replaceAll(' @', '@');
}
