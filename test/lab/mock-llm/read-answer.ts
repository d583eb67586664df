import type { ApiName, Json } from './test-client.ts';

/**
 * The text of an answer, put together as a CLI does it, from its events or from its one document.
 */
export function answerOf(api: ApiName, events: readonly Json[]): string {
  return events.map((event) => texts[api](event)).join('');
}

/** The last tool call of an answer. */
export function callOf(
  api: ApiName,
  events: readonly Json[],
): { name: string; arguments: object } | undefined {
  const found = calls[api](events);
  if (!found?.name) return undefined;
  const input = found.input;
  return { name: found.name, arguments: typeof input === 'string' ? JSON.parse(input) : input };
}

const texts: Readonly<Record<ApiName, (event: Json) => string>> = {
  anthropic: (event) =>
    event.delta?.text ?? (event.content ?? []).map((part: Json) => part.text ?? '').join(''),
  responses: (event) =>
    event.type === 'response.output_text.delta'
      ? event.delta
      : (event.output ?? []).map((item: Json) => item.content?.[0].text ?? '').join(''),
  'chat-completions': (event) =>
    event.choices?.[0]?.delta?.content ?? event.choices?.[0]?.message?.content ?? '',
  gemini: (event) =>
    event.candidates[0].content.parts.map((part: Json) => part.text ?? '').join(''),
};

interface FoundCall {
  readonly name?: string;
  readonly input: string | object;
}

const calls: Readonly<Record<ApiName, (events: readonly Json[]) => FoundCall | undefined>> = {
  anthropic: (events) => {
    const whole = events
      .flatMap(({ content }) => content ?? [])
      .find(({ type }) => type === 'tool_use');
    const block = events.find(({ content_block: made }) => made?.type === 'tool_use');
    const json = events.map(({ delta }) => delta?.partial_json ?? '').join('');
    return whole ?? { name: block?.content_block.name, input: json };
  },
  responses: (events) => {
    const items = [
      ...events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item),
      ...events.flatMap(({ output }) => output ?? []),
    ];
    const call = items.find(({ type }) => type === 'function_call');
    return call && { name: call.name, input: call.arguments };
  },
  'chat-completions': (events) => {
    const choices = events.flatMap(({ choices: some }) => some ?? []);
    const [call] = choices.flatMap(
      ({ delta, message }) => delta?.tool_calls ?? message?.tool_calls ?? [],
    );
    return call && { name: call.function.name, input: call.function.arguments };
  },
  gemini: (events) => {
    const parts = events.flatMap(({ candidates }) => candidates[0].content.parts);
    const call = parts.find(({ functionCall }) => functionCall)?.functionCall;
    return call && { name: call.name, input: call.args };
  },
};
