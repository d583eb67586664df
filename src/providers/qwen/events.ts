import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';
import { describeFailure } from '../failure-detail.ts';
import type { OwnState } from '../provider.ts';

/** What the events so far amount to. */
export interface EventState {
  readonly conversation?: string;
  /** The newest word about the status. */
  readonly word?: NonNullable<OwnState['report']>;
  /**
   * How many there were: a prompt is news even when the last turn seems to go on, because its end
   * may have been silent.
   */
  readonly words?: number;
  /** Of the model's message under way: it calls a tool, so the turn goes on after it. */
  readonly callsTools?: boolean;
  readonly failure?: string;
}

/**
 * Takes one line of the event file (`--json-file`, 0.24.4). It tells what begins: a prompt, a
 * message of the model, a dialog. It does not tell when a person presses Escape before the model
 * has said anything, in a dialog, or while a tool runs; a word is news, and never a state that
 * lasts. There is no event for the end of a turn either: it is the end of a message that calls no
 * tool.
 */
export function advance(state: EventState, line: string): EventState {
  const event = parseObject(line);
  if (event === undefined) return state;
  const next = take(state, event);
  const isNews = isPrompt(event) || JSON.stringify(next.word) !== JSON.stringify(state.word);
  return isNews ? { ...next, words: (state.words ?? 0) + 1 } : next;
}

function take(state: EventState, event: Json): EventState {
  const isMain = event['parent_tool_use_id'] == null;
  const conversation = isMain ? asText(event['session_id']) : undefined;
  const next = conversation === undefined ? state : { ...state, conversation };
  switch (event['type']) {
    case 'user':
      return { ...next, word: working };
    case 'assistant':
      return isMain ? readMessage(next, asObject(event['message'])) : { ...next, word: working };
    case 'stream_event':
      return readStream(next, asObject(event['event']), isMain);
    case 'control_request': {
      const { subtype, tool_name } = asObject(event['request']);
      if (subtype !== 'can_use_tool') return next;
      return { ...next, word: { status: 'waiting', detail: describeQuestion(tool_name) } };
    }
    case 'control_response':
      return readDecision(next, asObject(event['response']));
    case 'result':
      return event['is_error'] === true
        ? endMessage({ ...next, failure: asText(event['error']) ?? 'the turn failed' })
        : endMessage(next);
    default:
      return next;
  }
}

function isPrompt({ type, message, parent_tool_use_id }: Json): boolean {
  const blocks = asArray(asObject(message)['content']).map(asObject);
  return type === 'user' && parent_tool_use_id == null && blocks.some((b) => b['type'] === 'text');
}

/** One tool's permission prompt is the question itself. */
export function describeQuestion(tool: unknown): 'question' | 'permission' {
  return tool === 'ask_user_question' ? 'question' : 'permission';
}

const working = { status: 'processing' } as const;

function readMessage(state: EventState, message: Json): EventState {
  const blocks = asArray(message['content']).map(asObject);
  if (blocks.some((block) => block['type'] === 'tool_use')) {
    return { ...state, word: working, callsTools: true };
  }
  const text = blocks.map((block) => asText(block['text']) ?? '').join('');
  const failure = isFailure(text, asObject(message['usage'])) ? describe(text) : undefined;
  return { ...state, word: working, ...(failure === undefined ? {} : { failure }) };
}

function readStream(state: EventState, event: Json, isMain: boolean): EventState {
  switch (event['type']) {
    case 'message_start': {
      if (!isMain) return { ...state, word: working };
      const { callsTools: _, failure: __, ...rest } = state;
      return { ...rest, word: working };
    }
    case 'message_stop':
      return isMain ? endMessage(state) : { ...state, word: working };
    case 'goal_state':
      return state;
    default:
      return { ...state, word: working };
  }
}

function endMessage(state: EventState): EventState {
  const { callsTools = false, failure } = state;
  if (callsTools) return { ...state, word: working };
  return {
    ...state,
    word: failure === undefined ? { status: 'completed' } : { status: 'error', detail: failure },
  };
}

/** A no ends the turn, or does not, as the model likes. */
function readDecision(state: EventState, { subtype, response }: Json): EventState {
  if (subtype !== 'success') return state;
  const { word: _, ...rest } = state;
  return asObject(response)['allowed'] === true ? { ...rest, word: working } : rest;
}

/**
 * Its own words for an API's failure come as the model's, but cost no tokens: a model that says the
 * same is not believed.
 */
function isFailure(text: string, { input_tokens, output_tokens }: Json): boolean {
  return text.startsWith('[API Error: ') && input_tokens === 0 && output_tokens === 0;
}

function describe(text: string): string {
  const [, inner] = /^\[API Error: (.*)\]$/s.exec(text.trim()) ?? [];
  return describeFailure(inner ?? text);
}
