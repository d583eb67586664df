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

/** OpenAI Chat Completions: OpenCode, Copilot, Qwen, Kimi. */
export const chatCompletions: Api = {
  name: 'chat-completions',
  read,
  openStream,
  document,
  failure,
};

function read(body: JsonObject): Conversation {
  return {
    model: asText(body['model']),
    isStream: body['stream'] === true,
    entries: asList(body['messages']).flatMap(readMessage),
    tools: asList(body['tools']).map((tool) => {
      const made = asObject(tool['function']);
      return {
        name: asText(made['name']),
        style: 'function',
        schema: asObject(made['parameters']),
      };
    }),
    ...withAnswerSchema(asObject(asObject(body['response_format'])['json_schema'])['schema']),
  };
}

function readMessage(message: JsonObject): readonly Entry[] {
  const text = contentText(message['content']);
  if (message['role'] === 'user') return [{ kind: 'user', text }];
  if (message['role'] === 'tool') return [{ kind: 'result', text }];
  if (message['role'] !== 'assistant') return [];
  const calls = asList(message['tool_calls']);
  return calls.length > 0 ? calls.map(() => ({ kind: 'call' })) : [{ kind: 'assistant' }];
}

function openStream(head: AnswerHead): AnswerStream {
  let calls = 0;
  let written = 0;
  const chunk = (delta: JsonObject, finish: string | null = null): StreamEvent => ({
    data: {
      ...common(head, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason: finish }],
    },
  });
  return {
    begin: () => [chunk({ role: 'assistant', content: '' })],
    text: (text) => {
      written += text.length;
      return [chunk({ content: text })];
    },
    call: ({ tool, arguments: input }) => {
      const index = calls++;
      const made = { name: tool.name, arguments: JSON.stringify(input) };
      const call = { index, id: callId(head, index), type: 'function', function: made };
      return [chunk({ tool_calls: [call] })];
    },
    end: () => [
      chunk({}, calls > 0 ? 'tool_calls' : 'stop'),
      {
        data: {
          ...common(head, 'chat.completion.chunk'),
          choices: [],
          usage: usage(Math.ceil(written / 4)),
        },
      },
      { data: '[DONE]' },
    ],
    blank: () => [chunk({})],
    role: () => [chunk({ role: 'assistant', content: '' })],
    error: (message) => [{ data: failure(500, message) }],
  };
}

function document(head: AnswerHead, parts: readonly Part[]): JsonObject {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const calls = parts
    .filter((part) => part.kind === 'call')
    .map(({ call }, at) => ({
      id: callId(head, at),
      type: 'function',
      function: { name: call.tool.name, arguments: JSON.stringify(call.arguments) },
    }));
  const message = {
    role: 'assistant',
    content: text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return {
    ...common(head, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: usage(countTokens(text)),
  };
}

function failure(status: number, message: string): JsonObject {
  const type = status === 401 ? 'invalid_request_error' : 'server_error';
  return { error: { message, type, code: status } };
}

function common(head: AnswerHead, object: string): JsonObject {
  return { id: `chatcmpl-${head.id}`, object, created: head.createdAt, model: head.model };
}

function usage(tokens: number): JsonObject {
  return { prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens };
}

function callId(head: AnswerHead, index: number): string {
  return `call_${head.id}_${index}`;
}
