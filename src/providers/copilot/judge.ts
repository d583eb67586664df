import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import { findMarks, isMixed, mixedWords } from '../marks.ts';
import { hasWord } from '../model-output.ts';
import type { Judge } from '../record-evidence.ts';
import type { AttemptTrace, Finding } from '../way-in.ts';

/**
 * What events.jsonl says about marks (1.0.102). A message is linked to its answer by the
 * interaction of both; the record's own `originatingMessageId` names another message after a block
 * or an abort. A message stays in the conversation when its turn fails or is broken off, so an
 * answer in a later interaction proves that it was read, too. Lines of hooks repeat the text and
 * prove nothing, and what a sub-agent says stands in the same file.
 */
export function createJudge(fileName: string): Judge {
  return new EventJudge(fileName);
}

interface Trace {
  readonly message: string;
  /** All of the prompt that it stands in. */
  readonly text: string;
  readonly interaction: string | undefined;
  readonly proof?: string;
  /** A person broke its turn off. */
  readonly isInterrupted?: boolean;
}

class EventJudge implements Judge {
  readonly #fileName: string;
  /** By mark, and by the message's id, which `send` gave as a receipt. */
  readonly #traces = new Map<string, Trace>();
  /**
   * Interactions that have begun since a message: only an answer in one of them can have read it.
   */
  readonly #open = new Map<string, Set<string>>();

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  take(line: Buffer): void {
    const record = readRecord(line);
    if (record?.['type'] === 'user.message') this.#addMessage(asObject(record['data']));
    else if (record?.['type'] === 'assistant.message') this.#addAnswer(asObject(record['data']));
    else if (record?.['type'] === 'abort') this.#interrupt(asObject(record['data']));
  }

  find({ mark, receipt, route, text: pasted }: AttemptTrace): Finding | undefined {
    const trace = this.#traces.get(mark) ?? this.#traces.get(`message ${receipt}`);
    if (!trace) return undefined;
    const company = route === 'paste' && isMixed(trace.text, mark, pasted) ? mixedWords : '';
    const place = `user.message ${trace.message}${company} in ${this.#fileName}`;
    if (trace.proof !== undefined) {
      return { found: 'seen', evidence: `${trace.proof} follows ${place}` };
    }
    const interruption = trace.isInterrupted ? { isInterrupted: true } : {};
    return { found: 'landed', evidence: `no answer yet to ${place}`, ...interruption };
  }

  #addMessage(data: Json): void {
    const interaction = asText(data['interactionId']);
    if (interaction !== undefined) for (const later of this.#open.values()) later.add(interaction);
    const message = asText(data['messageId']) ?? '';
    const text = asText(data['content']) ?? '';
    for (const key of [...findMarks(text), `message ${message}`]) {
      this.#traces.set(key, { message, text, interaction });
      this.#open.set(key, new Set(interaction === undefined ? [] : [interaction]));
    }
  }

  /** `user_abort`, and `user_initiated` in a dialog. */
  #interrupt({ reason }: Json): void {
    if (!asText(reason)?.startsWith('user_')) return;
    for (const key of this.#open.keys()) {
      const trace = this.#traces.get(key);
      if (trace) this.#traces.set(key, { ...trace, isInterrupted: true });
    }
  }

  /**
   * Also one that only calls tools is the model's; one without a word or a call proves nothing
   * (rule 43).
   */
  #addAnswer(data: Json): void {
    const interaction = asText(data['interactionId']);
    if (interaction === undefined || asText(data['parentToolCallId']) !== undefined) return;
    if (!hasWord(data['content']) && asArray(data['toolRequests']).length === 0) return;
    const name = asText(data['messageId']) ?? asText(data['apiCallId']) ?? '';
    for (const [key, interactions] of this.#open) {
      const trace = this.#traces.get(key);
      if (!trace || !interactions.has(interaction)) continue;
      const proof = `assistant.message ${name} (interaction ${interaction})`;
      this.#traces.set(key, { ...trace, proof });
      this.#open.delete(key);
    }
  }
}

/** Undefined for what is no part of the main conversation: hooks, tools, usage, sub-agents. */
function readRecord(line: Buffer): Json | undefined {
  // Most bytes are in other records (system prompts, tools' output): they are not even parsed.
  const head = line.subarray(0, headBytes);
  if (!types.some((type) => head.includes(type))) return undefined;
  const record = parseObject(line.toString('utf8'));
  return record?.['agentId'] === undefined ? record : undefined;
}

const types = ['"type":"user.message"', '"type":"assistant.message"', '"type":"abort"'];
/** Each record begins with its type. */
const headBytes = 64;
