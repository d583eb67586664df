import { onTestFinished } from 'vitest';
import { type MockLlm, openMockLlm } from './server.ts';

/** A client of each API, as a CLI would be one: for the tests of the mock. */
export type ApiName = 'anthropic' | 'responses' | 'chat-completions' | 'gemini';

export const apiNames: readonly ApiName[] = [
  'anthropic',
  'responses',
  'chat-completions',
  'gemini',
];

export async function openTestMock(options: { logFile?: string } = {}): Promise<MockLlm> {
  const mock = await openMockLlm(options);
  onTestFinished(() => mock.close());
  return mock;
}

export interface Asked {
  readonly text: string;
  readonly isStream?: boolean;
  /** Names of the tools on offer; without any it is a side request. */
  readonly tools?: readonly string[];
  /** Calls already made and answered. */
  readonly calls?: number;
}

export async function ask(
  mock: MockLlm,
  api: ApiName,
  asked: Asked,
  signal?: AbortSignal,
): Promise<Response> {
  const { path, body } = requests[api]({ isStream: true, tools: ['Bash'], calls: 0, ...asked });
  return await fetch(`${mock.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

/** The data of each server-sent event, as JSON; a `[DONE]` stays a string. */
export async function readEvents(response: Response): Promise<readonly Json[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => block !== '');
  return blocks.map((block) => {
    const data =
      block
        .split('\n')
        .find((line) => line.startsWith('data: '))
        ?.slice(6) ?? '';
    return data === '[DONE]' ? data : JSON.parse(data);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: each API has its own shape, and a wrong one fails the test
export type Json = any;

type Full = Required<Asked>;

const schema = {
  type: 'object',
  properties: { command: { type: 'string' } },
  required: ['command'],
};

const requests: Readonly<Record<ApiName, (asked: Full) => { path: string; body: object }>> = {
  anthropic: ({ text, isStream, tools, calls }) => ({
    path: '/v1/messages?beta=true',
    body: {
      model: 'm',
      stream: isStream,
      tools: tools.map((name) => ({ name, input_schema: schema })),
      messages: [
        { role: 'user', content: [{ type: 'text', text }] },
        ...times(calls, [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'done' }] },
        ]),
      ],
    },
  }),
  responses: ({ text, isStream, tools, calls }) => ({
    path: '/v1/responses',
    body: {
      model: 'm',
      stream: isStream,
      tools: tools.map((name) => ({ type: 'function', name, parameters: schema })),
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
        ...times(calls, [
          { type: 'function_call', call_id: 'c', name: 'Bash', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: 'done' },
        ]),
      ],
    },
  }),
  'chat-completions': ({ text, isStream, tools, calls }) => ({
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      stream: isStream,
      tools: tools.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
      messages: [
        { role: 'system', content: 'You are an agent.' },
        { role: 'user', content: text },
        ...times(calls, [
          { role: 'assistant', content: '', tool_calls: [{ id: 'c', type: 'function' }] },
          { role: 'tool', tool_call_id: 'c', content: 'done' },
        ]),
      ],
    },
  }),
  gemini: ({ text, isStream, tools, calls }) => ({
    path: `/v1beta/models/m:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      tools: [
        { functionDeclarations: tools.map((name) => ({ name, parametersJsonSchema: schema })) },
      ],
      contents: [
        { role: 'user', parts: [{ text }] },
        ...times(calls, [
          { role: 'model', parts: [{ functionCall: { name: 'Bash', args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'Bash', response: {} } }] },
        ]),
      ],
    },
  }),
};

function times(count: number, items: readonly object[]): readonly object[] {
  return Array.from({ length: count }, () => items).flat();
}
