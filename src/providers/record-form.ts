import { type Json, parseObject } from '../shared/json.ts';
import type { Finding } from './way-in.ts';

/**
 * What one record is, by its form alone:
 *
 * - `prompt`: an input, as our rule of evidence reads inputs.
 * - `answer`: output of the model, with all that our rule links it by.
 * - `familiar`: anything else that we know, failures and interruptions among it.
 * - `strange`: a kind that we do not know, or output without what our rule needs.
 */
export type Shape = 'prompt' | 'answer' | 'familiar' | 'strange';

/**
 * Whether a conversation's records are in a form that we know (rule 50). They are once it has shown
 * one prompt and one answer in that form. Before that, what nobody here knows may be an answer, and
 * then a text that is not found may be there, and one without an answer may have one.
 */
export class RecordForm {
  readonly #read: (record: Json) => Shape;
  #hasPrompt = false;
  #hasAnswer = false;
  #isStrange = false;

  constructor(read: (record: Json) => Shape) {
    this.#read = read;
  }

  /** Costs nothing once the form is known. */
  takeLine(line: Buffer): void {
    if (this.isKnown || line.length > longLine) return;
    // One that is being written is read again when it is whole.
    const record = parseObject(line.toString('utf8'));
    if (record) this.take(record);
  }

  take(record: Json): void {
    if (this.isKnown) return;
    const shape = this.#read(record);
    this.#hasPrompt ||= shape === 'prompt';
    this.#hasAnswer ||= shape === 'answer';
    this.#isStrange ||= shape === 'strange';
  }

  get isKnown(): boolean {
    return this.#hasPrompt && this.#hasAnswer;
  }

  /** It shows what may be an answered turn, and none in a form that we know. */
  get isForeign(): boolean {
    return !this.isKnown && (this.#hasAnswer || this.#isStrange);
  }
}

const longLine = 256 * 1024;

/**
 * For a record of a kind that is on no list: bookkeeping has no sentences, and what a model says
 * has.
 */
export function shapeOfUnlisted(record: Json): Shape {
  return hasSentence(record) ? 'strange' : 'familiar';
}

function hasSentence(value: unknown): boolean {
  if (typeof value === 'string') return /\p{L}[\p{P}\p{S}]?\s+\S*\p{L}|\p{Lo}{2}/u.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasSentence);
}

/** Such records prove neither that it was read nor that it is not there (rules 6, 10, 11). */
export function doubtForm(finding: Finding, version: string | undefined): Finding {
  if (finding.found === 'seen') return finding;
  return {
    ...finding,
    found: finding.found === 'absent' ? 'unknown' : finding.found,
    evidence: `records of ${version ?? 'an unknown version'} not recognised`,
    isUnrecognised: true,
  };
}
