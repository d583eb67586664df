/**
 * What all four APIs say, in one form. The mock keeps no memory of a conversation: a CLI sends the
 * whole of it with each request, so where a script stands follows from how many tool calls came
 * after the prompt that holds it.
 */
export interface Conversation {
  readonly model: string;
  readonly isStream: boolean;
  readonly entries: readonly Entry[];
  readonly tools: readonly Tool[];
  /** JSON schema that the answer must have, if the CLI named one. */
  readonly answerSchema?: JsonObject;
}

export type Entry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'assistant' }
  | { readonly kind: 'call' }
  | { readonly kind: 'result'; readonly text: string };

export interface Tool {
  readonly name: string;
  /** Codex groups tools of one MCP server under a name that a call must repeat. */
  readonly namespace?: string;
  /**
   * `custom` takes free text; `local-shell` is OpenAI's own shell tool and has a call type of its
   * own.
   */
  readonly style: 'function' | 'custom' | 'local-shell';
  /** JSON schema of its arguments. */
  readonly schema: JsonObject;
}

export interface ToolCall {
  readonly tool: Tool;
  readonly arguments: JsonObject;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The bodies come from programs that we pin: what is missing reads as empty, and the log shows it.
 */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

export function asList(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Content is a string in short messages and a list of parts in long ones, in three of the four
 * APIs.
 */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asText(part['text']))
    .filter((text) => text !== '')
    .join('\n');
}

export function withAnswerSchema(schema: unknown): Pick<Conversation, 'answerSchema'> {
  return schema === undefined ? {} : { answerSchema: asObject(schema) };
}
