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

/**
 * Gemini: model and manner of answering are in the path,
 * `/v1beta/models/<model>:streamGenerateContent`.
 */
export const gemini: Api = {
  name: 'gemini',
  read,
  openStream,
  document: (head, parts) => chunk(head, parts.map(partOf), true),
  failure,
};

function read(body: JsonObject, path: string): Conversation {
  const [, model = '', method = ''] = /models\/([^:/]+):(\w+)/.exec(path) ?? [];
  const config = asObject(body['generationConfig']);
  const declared = asList(body['tools']).flatMap((tool) => asList(tool['functionDeclarations']));
  return {
    model,
    isStream: method === 'streamGenerateContent',
    entries: asList(body['contents']).flatMap(readContent),
    tools: declared.map((tool) => ({
      name: asText(tool['name']),
      style: 'function',
      schema: asObject(tool['parametersJsonSchema'] ?? tool['parameters']),
    })),
    ...withAnswerSchema(config['responseJsonSchema'] ?? config['responseSchema']),
  };
}

function readContent(content: JsonObject): readonly Entry[] {
  const parts = asList(content['parts']);
  if (content['role'] === 'model') {
    const calls = parts.filter((part) => 'functionCall' in part);
    return calls.length > 0 ? calls.map(() => ({ kind: 'call' })) : [{ kind: 'assistant' }];
  }
  const results = parts
    .filter((part) => 'functionResponse' in part)
    .map((part): Entry => ({ kind: 'result', text: JSON.stringify(part['functionResponse']) }));
  const text = contentText(parts);
  return text === '' ? results : [...results, { kind: 'user', text }];
}

function openStream(head: AnswerHead): AnswerStream {
  return {
    begin: () => [],
    text: (text) => [event(chunk(head, [{ text }], false))],
    call: (call) => [event(chunk(head, [partOf({ kind: 'call', call })], false))],
    end: () => [event(chunk(head, [{ text: '' }], true))],
    blank: () => [event(chunk(head, [], false))],
    role: () => [event(chunk(head, [{ text: '' }], false))],
    error: (message) => [event(failure(500, message))],
  };
}

function chunk(head: AnswerHead, parts: readonly JsonObject[], isLast: boolean): JsonObject {
  const content = { role: 'model', parts };
  const tokens = countTokens(JSON.stringify(parts));
  return {
    candidates: [{ index: 0, content, ...(isLast ? { finishReason: 'STOP' } : {}) }],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: tokens,
      totalTokenCount: 10 + tokens,
    },
    modelVersion: head.model,
    responseId: head.id,
  };
}

function failure(status: number, message: string): JsonObject {
  const name = status === 401 ? 'UNAUTHENTICATED' : 'INTERNAL';
  return { error: { code: status, message, status: name } };
}

function partOf(part: Part): JsonObject {
  return part.kind === 'text'
    ? { text: part.text }
    : { functionCall: { name: part.call.tool.name, args: part.call.arguments } };
}

function event(data: JsonObject): StreamEvent {
  return { data };
}
