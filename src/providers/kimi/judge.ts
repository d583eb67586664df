import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { findMarks, isMixed, mixedWords } from '../marks.ts';
import { hasWord } from '../model-output.ts';
import type { Judge } from '../record-evidence.ts';
import type { AttemptTrace, Finding } from '../way-in.ts';
import { isStopReply, readRecord } from './turns.ts';

/**
 * What wire.jsonl says about marks (2.1.0). A message is written just after its request went out,
 * and stays in the conversation when its turn fails or is broken off; so output of any step that
 * began after it proves that it was read. Output of a step that was under way already proves
 * nothing.
 */
export function createJudge(fileName: string): Judge {
  return new WireJudge(fileName);
}

interface Trace {
  readonly message: string;
  /** All of the prompt that it stands in. */
  readonly text: string;
  /** The first step that began after it, whose output counts. */
  readonly steps: readonly string[];
  readonly proof?: string;
  readonly isRemoved?: boolean;
  /** A person broke its turn off. */
  readonly isInterrupted?: boolean;
}

class WireJudge implements Judge {
  readonly #fileName: string;
  readonly #traces = new Map<string, Trace>();
  /** Marks by the prompt that they came with: a person takes prompts back one by one. */
  #prompts: Set<string>[] = [];
  #count = 0;

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  take(line: Buffer): void {
    const record = readRecord(line);
    switch (record?.['type']) {
      case 'context.append_message':
        this.#addMessage(record);
        break;
      case 'context.append_loop_event':
        this.#addEvent(asObject(record['event']));
        break;
      case 'turn.ended':
        if (record['reason'] === 'cancelled') this.#interrupt();
        break;
      case 'context.undo':
        this.#takeBack(record['count']);
        break;
      case 'context.clear':
        this.#takeBack(this.#prompts.length);
        break;
      default:
        break;
    }
  }

  find(attempt: Pick<AttemptTrace, 'mark' | 'route' | 'text'>): Finding | undefined {
    const { mark, route, text: pasted } = attempt;
    const trace = this.#traces.get(mark);
    if (!trace) return undefined;
    const company = route === 'paste' && isMixed(trace.text, mark, pasted) ? mixedWords : '';
    const place = `${trace.message}${company} in ${this.#fileName}`;
    if (trace.proof !== undefined) {
      return { found: 'seen', evidence: `${trace.proof} follows ${place}` };
    }
    if (trace.isRemoved) {
      const evidence = `a person took back ${place}`;
      return { found: 'removed', because: 'interrupted', evidence };
    }
    const interruption = trace.isInterrupted ? { isInterrupted: true } : {};
    return { found: 'landed', evidence: `no output yet after ${place}`, ...interruption };
  }

  /**
   * Prompts, and what our reply to the stop hook said; not what tools, reminders and other hooks
   * put there.
   */
  #addMessage(record: Json): void {
    this.#count++;
    const message = asObject(record['message']);
    const isPrompt = asObject(message['origin'])['kind'] === 'user';
    if (message['role'] !== 'user' || !(isPrompt || isStopReply(record))) return;
    if (isPrompt) this.#prompts.push(new Set());
    const texts = asArray(message['content']).map((part) => asText(asObject(part)['text']) ?? '');
    const name = asText(message['id']) ?? `number ${this.#count}`;
    for (const mark of texts.flatMap(findMarks)) {
      this.#prompts.at(-1)?.add(mark);
      const text = texts.join('\n');
      this.#traces.set(mark, { message: `message ${name}`, text, steps: [] });
    }
  }

  #addEvent(event: Json): void {
    const type = event['type'];
    const step = asText(event['stepUuid']) ?? asText(event['uuid']);
    if (step === undefined) return;
    for (const [mark, trace] of this.#traces) {
      if (trace.proof !== undefined || trace.isRemoved) continue;
      if (type === 'step.begin') {
        this.#traces.set(mark, { ...trace, steps: [...trace.steps, step] });
      } else if (isOutput(event) && trace.steps.includes(step)) {
        this.#traces.set(mark, { ...trace, proof: `${type} of step ${step}` });
      }
    }
  }

  #interrupt(): void {
    for (const [mark, trace] of this.#traces) {
      if (trace.proof === undefined) this.#traces.set(mark, { ...trace, isInterrupted: true });
    }
  }

  #takeBack(count: unknown): void {
    const from = this.#prompts.length - (typeof count === 'number' ? count : 0);
    for (const mark of this.#prompts.slice(Math.max(0, from)).flatMap((marks) => [...marks])) {
      const trace = this.#traces.get(mark);
      if (trace) this.#traces.set(mark, { ...trace, isRemoved: true });
    }
    this.#prompts = this.#prompts.slice(0, Math.max(0, from));
  }
}

/**
 * What only a model can have said (rule 43). The end of a step is written, too, when a person broke
 * it off before its first word, and a part may hold nothing.
 */
export function isOutput({ type, part }: Json): boolean {
  const { text, think } = asObject(part);
  return type === 'tool.call' || (type === 'content.part' && (hasWord(text) || hasWord(think)));
}
