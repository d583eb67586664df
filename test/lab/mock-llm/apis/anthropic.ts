import {
  asList,
  asObject,
  asText,
  type Conversation,
  contentText,
  type Entry,
  type JsonObject,
  withAnswerSchema,
} from '../conversation.ts';
import {
  type AnswerHead,
  type AnswerStream,
  type Api,
  countTokens,
  type Part,
  type StreamEvent,
} from './api.ts';

/** Anthropic Messages: Claude Code. */
export const anthropic: Api = { name: 'anthropic', read, openStream, document, failure };

function read(body: JsonObject): Conversation {
  return {
    model: asText(body['model']),
    isStream: body['stream'] === true,
    entries: asList(body['messages']).flatMap(readMessage),
    tools: asList(body['tools']).map((tool) => ({
      name: asText(tool['name']),
      style: 'function',
      schema: asObject(tool['input_schema']),
    })),
    ...withAnswerSchema(asObject(asObject(body['output_config'])['format'])['schema']),
  };
}

function readMessage(message: JsonObject): readonly Entry[] {
  const parts = asList(message['content']);
  if (message['role'] === 'assistant') {
    const calls = parts.filter((part) => part['type'] === 'tool_use');
    return calls.length > 0 ? calls.map(() => ({ kind: 'call' })) : [{ kind: 'assistant' }];
  }
  const results = parts
    .filter((part) => part['type'] === 'tool_result')
    .map((part): Entry => ({ kind: 'result', text: contentText(part['content']) }));
  // After an interrupted turn the next prompt is one more part of the same message: each part
  // stands for itself.
  const texts = (parts.length > 0 ? parts.map((part) => part['text']) : [message['content']])
    .map(asText)
    .filter((text) => text !== '' && (message['role'] === 'user' || isSpokenTo(text)));
  return [...results, ...texts.map((text): Entry => ({ kind: 'user', text }))];
}

/**
 * Claude Code 2.1.325 puts its environment into messages of role `system`, and what reaches it in
 * mid-turn as well.
 */
function isSpokenTo(text: string): boolean {
  return /The user sent a new message while you were working|<task-notification>/.test(text);
}

function openStream(head: AnswerHead): AnswerStream {
  let index = -1;
  let isTextOpen = false;
  let written = 0;
  let hasCall = false;
  const open = (block: JsonObject): StreamEvent =>
    event('content_block_start', { index: ++index, content_block: block });
  const delta = (change: JsonObject): StreamEvent =>
    event('content_block_delta', { index, delta: change });
  const closeText = (): readonly StreamEvent[] => {
    if (!isTextOpen) return [];
    isTextOpen = false;
    return [event('content_block_stop', { index })];
  };
  return {
    begin: () => [event('message_start', { message: message(head, [], null) })],
    text: (chunk) => {
      written += chunk.length;
      const opened = isTextOpen ? [] : [open({ type: 'text', text: '' })];
      isTextOpen = true;
      return [...opened, delta({ type: 'text_delta', text: chunk })];
    },
    call: ({ tool, arguments: input }) => {
      hasCall = true;
      return [
        ...closeText(),
        open({ type: 'tool_use', id: callId(head, index + 1), name: tool.name, input: {} }),
        delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) }),
        event('content_block_stop', { index }),
      ];
    },
    end: () => [
      ...closeText(),
      event('message_delta', {
        delta: { stop_reason: hasCall ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: Math.ceil(written / 4) },
      }),
      event('message_stop', {}),
    ],
    blank: () => [event('ping', {})],
    role: () => [
      event('message_start', { message: message(head, [], null) }),
      open({ type: 'text', text: '' }),
      delta({ type: 'text_delta', text: '' }),
    ],
    error: (message) => [{ event: 'error', data: failure(529, message) }],
  };
}

function document(head: AnswerHead, parts: readonly Part[]): JsonObject {
  const content = parts.map((part, at) =>
    part.kind === 'text'
      ? { type: 'text', text: part.text }
      : {
          type: 'tool_use',
          id: callId(head, at),
          name: part.call.tool.name,
          input: part.call.arguments,
        },
  );
  const hasCall = parts.some((part) => part.kind === 'call');
  return message(head, content, hasCall ? 'tool_use' : 'end_turn');
}

function message(
  head: AnswerHead,
  content: readonly JsonObject[],
  stopReason: string | null,
): JsonObject {
  return {
    id: `msg_${head.id}`,
    type: 'message',
    role: 'assistant',
    model: head.model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: countTokens(JSON.stringify(content)) },
  };
}

function failure(status: number, message: string): JsonObject {
  const kinds: Readonly<Record<number, string>> = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  };
  return { type: 'error', error: { type: kinds[status] ?? 'api_error', message } };
}

function callId(head: AnswerHead, index: number): string {
  return `toolu_${head.id}_${index}`;
}

function event(name: string, fields: JsonObject): StreamEvent {
  return { event: name, data: { type: name, ...fields } };
}
