import {
  asList,
  asObject,
  asText,
  type Conversation,
  contentText,
  type Entry,
  type JsonObject,
  type Tool,
  type ToolCall,
  withAnswerSchema,
} from '../conversation.ts';
import {
  type AnswerHead,
  type AnswerStream,
  type Api,
  countTokens,
  type StreamEvent,
} from './api.ts';

/** OpenAI Responses: Codex. */
export const responses: Api = {
  name: 'responses',
  read,
  openStream,
  document: (head, parts) =>
    response(
      head,
      'completed',
      parts.map((part, at) =>
        part.kind === 'text' ? messageItem(head, at, part.text) : callItem(head, at, part.call),
      ),
    ),
  failure: (status, message) => ({
    error: { message, type: status === 401 ? 'invalid_request_error' : 'server_error', code: null },
  }),
};

function read(body: JsonObject): Conversation {
  const { input } = body;
  return {
    model: asText(body['model']),
    isStream: body['stream'] === true,
    entries:
      typeof input === 'string' ? [{ kind: 'user', text: input }] : asList(input).flatMap(readItem),
    tools: asList(body['tools']).flatMap((tool) => readTool(tool)),
    ...withAnswerSchema(asObject(asObject(body['text'])['format'])['schema']),
  };
}

function readItem(item: JsonObject): readonly Entry[] {
  const type = asText(item['type']);
  if (type.endsWith('_call_output')) {
    return [{ kind: 'result', text: contentText(item['output']) }];
  }
  if (type.endsWith('_call')) return [{ kind: 'call' }];
  if (item['role'] === 'assistant') return [{ kind: 'assistant' }];
  return item['role'] === 'user' ? [{ kind: 'user', text: contentText(item['content']) }] : [];
}

function readTool(tool: JsonObject, namespace?: string): readonly Tool[] {
  const type = asText(tool['type']);
  if (type === 'namespace') {
    return asList(tool['tools']).flatMap((inner) => readTool(inner, asText(tool['name'])));
  }
  return [
    {
      name: asText(tool['name']) || type,
      style: type === 'local_shell' ? 'local-shell' : type === 'custom' ? 'custom' : 'function',
      schema: asObject(tool['parameters']),
      ...(namespace ? { namespace } : {}),
    },
  ];
}

function openStream(head: AnswerHead): AnswerStream {
  const output: JsonObject[] = [];
  let sequence = 0;
  let text = '';
  const event = (name: string, fields: JsonObject): StreamEvent => ({
    event: name,
    data: { type: name, sequence_number: sequence++, ...fields },
  });
  const at = (): JsonObject => ({
    output_index: output.length,
    item_id: itemId(head, output.length),
  });
  const closeText = (): readonly StreamEvent[] => {
    if (text === '') return [];
    const place = { ...at(), content_index: 0 };
    const item = messageItem(head, output.length, text);
    const events = [
      event('response.output_text.done', { ...place, text }),
      event('response.content_part.done', { ...place, part: outputText(text) }),
      event('response.output_item.done', { output_index: output.length, item }),
    ];
    output.push(item);
    text = '';
    return events;
  };
  return {
    begin: () => [
      event('response.created', { response: response(head, 'in_progress', []) }),
      event('response.in_progress', { response: response(head, 'in_progress', []) }),
    ],
    text: (chunk) => {
      const place = { ...at(), content_index: 0 };
      const item = { ...messageItem(head, output.length, ''), content: [], status: 'in_progress' };
      const opened =
        text === ''
          ? [
              event('response.output_item.added', { output_index: output.length, item }),
              event('response.content_part.added', { ...place, part: outputText('') }),
            ]
          : [];
      text += chunk;
      return [...opened, event('response.output_text.delta', { ...place, delta: chunk })];
    },
    call: (call) => {
      const closed = closeText();
      const item = callItem(head, output.length, call);
      const index = { output_index: output.length };
      output.push(item);
      return [
        ...closed,
        event('response.output_item.added', { ...index, item: { ...item, status: 'in_progress' } }),
        event('response.output_item.done', { ...index, item }),
      ];
    },
    end: () => [
      ...closeText(),
      event('response.completed', { response: response(head, 'completed', output) }),
    ],
    blank: () => [event('response.created', { response: response(head, 'in_progress', []) })],
    role: () => {
      const item = { ...messageItem(head, 0, ''), content: [], status: 'in_progress' };
      return [
        event('response.created', { response: response(head, 'in_progress', []) }),
        event('response.output_item.added', { output_index: 0, item }),
      ];
    },
    error: (message) => {
      const error = { code: 'server_error', message };
      return [event('response.failed', { response: { ...response(head, 'failed', []), error } })];
    },
  };
}

function response(head: AnswerHead, status: string, output: readonly JsonObject[]): JsonObject {
  const tokens = countTokens(JSON.stringify(output));
  return {
    id: `resp_${head.id}`,
    object: 'response',
    created_at: head.createdAt,
    model: head.model,
    status,
    output,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 10 + tokens,
    },
  };
}

function messageItem(head: AnswerHead, index: number, text: string): JsonObject {
  return {
    type: 'message',
    id: itemId(head, index),
    role: 'assistant',
    status: 'completed',
    content: [outputText(text)],
  };
}

function callItem(
  head: AnswerHead,
  index: number,
  { tool, arguments: input }: ToolCall,
): JsonObject {
  const place = {
    id: itemId(head, index),
    call_id: `call_${head.id}_${index}`,
    status: 'completed',
  };
  if (tool.style === 'local-shell') {
    return { type: 'local_shell_call', ...place, action: { type: 'exec', ...input } };
  }
  return {
    type: 'function_call',
    ...place,
    name: tool.name,
    ...(tool.namespace ? { namespace: tool.namespace } : {}),
    arguments: JSON.stringify(input),
  };
}

function outputText(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [] };
}

function itemId(head: AnswerHead, index: number): string {
  return `item_${head.id}_${index}`;
}
