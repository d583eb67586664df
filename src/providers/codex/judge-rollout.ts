import { asArray, asObject, asText, type Json } from '../../shared/json.ts';
import { hasWord } from '../model-output.ts';
import type { Finding } from '../way-in.ts';

/**
 * What a rollout says about the marks in it; folds one record after the other, in the order of the
 * file.
 */
interface RolloutJudge {
  /** `file`: the name of where it stands. */
  take(record: Json, file: string): void;
  /** An input waits for an output. While none does, only inputs matter. */
  readonly isWaiting: boolean;
  /** Undefined when no input holds the mark. */
  find(mark: string): Finding | undefined;
}

/**
 * The rule (Codex 0.166.0): an input is a `UserMessage` item, written just before its request; what
 * the model then says, thinks or calls is written once it is whole. One write per record, in the
 * order of the conversation, so what follows an input in the file was said with that input in
 * sight, be it in the same turn, or in a later one, if its own turn failed, was interrupted or
 * died: such an input stays, and rides with the next request. Nothing else counts: not the model's
 * own words, nor what tools, hooks, sub-agents or summaries quote, since none of these is a
 * `UserMessage`. A turn that is broken off in its first moment leaves the user's message in the
 * conversation without that item: only then does the message itself count, if it says that it was
 * typed.
 *
 * Records are numbered. A number that was there before means that a person went back to it: what
 * stood from there on is out of the conversation, and what had no answer yet will get none, unless
 * they send it again.
 */
export function createRolloutJudge(): RolloutJudge {
  const traces = new Map<string, Trace>();
  /** Marks of inputs that nothing has followed yet. */
  const open = new Set<string>();
  let last = -1;
  /** What was typed, until its item, an output or the end of its turn. */
  let typed: readonly { readonly at: number; readonly item: Json; readonly place: string }[] = [];
  const revert = (to: number): void => {
    typed = typed.filter(({ at }) => at < to);
    for (const mark of open) {
      if ((traces.get(mark)?.at ?? -1) < to) continue;
      update(traces, mark, { isReverted: true });
      open.delete(mark);
    }
  };
  const enter = (item: Json, place: string, at = last): void => {
    for (const mark of findMarks(readItemText(item))) {
      const known = traces.get(mark);
      if (known && !known.isReverted) continue;
      traces.set(mark, { at, input: `user message ${name(item['id'])} of ${place}` });
      open.add(mark);
    }
  };
  const follow = (output: string): void => {
    for (const mark of open) update(traces, mark, { output });
    open.clear();
    typed = [];
  };
  const end = (how: NonNullable<Trace['end']>): void => {
    for (const mark of open) update(traces, mark, { end: how });
  };
  return {
    take: ({ type, ordinal, payload: body, metadata }, file) => {
      const payload = asObject(body);
      if (typeof ordinal === 'number') {
        if (ordinal <= last) revert(ordinal);
        last = ordinal;
      }
      // What a client wrote in the model's name says so.
      const isForged = asObject(metadata)['client_authored'] === true;
      if (type === 'response_item' && isOutput(payload) && !isForged) {
        follow(describeOutput(payload));
      }
      // A turn may end before the item is written; the text stays in the conversation.
      if (type === 'response_item' && isTyped(payload) && !isForged) {
        const { turn_id: turn } = asObject(payload[passedThrough]);
        const place = `turn ${name(turn)} in ${file}`;
        typed = [...typed.slice(-mostTyped), { at: last, item: payload, place }];
      }
      if (type !== 'event_msg') return;
      const item = asObject(payload['item']);
      if (payload['type'] === 'item_completed' && item['type'] === 'UserMessage') {
        enter(item, `turn ${name(payload['turn_id'])} in ${file}`);
      }
      // Other reasons are not a person's: a turn that was replaced, a budget that was spent.
      if (payload['type'] === 'turn_aborted') {
        for (const { item: early, place, at } of typed) enter(early, place, at);
        typed = [];
        end(payload['reason'] === 'interrupted' ? 'was interrupted' : 'was broken off');
      }
      if (payload['type'] === 'task_complete' && payload['error']) end('failed');
    },
    get isWaiting() {
      return open.size > 0 || typed.length > 0;
    },
    find: (mark) => {
      const trace = traces.get(mark);
      return trace && describe(trace);
    },
  };
}

interface Trace {
  /** The number of its record. */
  readonly at: number;
  readonly input: string;
  readonly output?: string;
  /** How its turn ended without an output. */
  readonly end?: 'was interrupted' | 'was broken off' | 'failed';
  readonly isReverted?: boolean;
}

function update(traces: Map<string, Trace>, mark: string, news: Partial<Trace>): void {
  const known = traces.get(mark);
  if (known) traces.set(mark, { ...known, ...news });
}

function describe({ input, output, end, isReverted }: Trace): Finding {
  if (output !== undefined) return { found: 'seen', evidence: `${output} follows ${input}` };
  if (isReverted) {
    const evidence = `${input}, which a person took back before it had an answer`;
    return { found: 'removed', because: 'interrupted', evidence };
  }
  const ended = end === undefined ? '' : `, which ${end}; it rides with the next request`;
  const interruption = end === 'was interrupted' ? { isInterrupted: true } : {};
  return { found: 'landed', evidence: `${input}${ended}`, ...interruption };
}

/**
 * What a model says, thinks or calls (rule 43). A thought is often there in a form that only its
 * maker can read.
 */
export function isOutput(item: Json): boolean {
  const type = asText(item['type']) ?? '';
  if (type === 'message') return item['role'] === 'assistant' && hasWords(item['content']);
  if (type !== 'reasoning') return type.endsWith('_call');
  const { summary, content, encrypted_content: hidden } = item;
  return hasWords(summary) || hasWords(content) || hasWord(hidden);
}

function hasWords(parts: unknown): boolean {
  return asArray(parts).some((part) => hasWord(asObject(part)['text']));
}

function describeOutput(item: Json): string {
  const what = item['type'] === 'message' ? 'assistant message' : String(item['type']);
  return `${what} ${name(item['id'] ?? item['call_id'])}`;
}

/** A turn has one, and a few more that a person adds to it. */
const mostTyped = 20;

const passedThrough = 'internal_chat_message_metadata_passthrough';

/** An input as it stands in the conversation; hooks and context are of other kinds. */
function isTyped(item: Json): boolean {
  if (item['type'] !== 'message' || item['role'] !== 'user') return false;
  const kinds = asArray(asObject(item[passedThrough])['content_item_kinds']);
  return kinds.length > 0 && kinds.every((kind) => kind === 'user.text');
}

const textTypes = new Set<unknown>(['text', 'input_text']);

function readItemText(item: Json): string {
  return asArray(item['content'])
    .map(asObject)
    .map((part) => (textTypes.has(part['type']) ? (asText(part['text']) ?? '') : ''))
    .join('\n');
}

function findMarks(text: string): ReadonlySet<string> {
  return new Set(text.match(/\bmark_\w+/g));
}

function name(id: unknown): string {
  return asText(id) ?? '(without an id)';
}
