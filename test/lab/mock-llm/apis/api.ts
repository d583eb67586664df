import type { Conversation, JsonObject, ToolCall } from '../conversation.ts';

/**
 * One wire format. Each file beside this one reads its requests and writes its answers; what to
 * answer is not its business.
 */
export interface Api {
  readonly name: 'anthropic' | 'responses' | 'chat-completions' | 'gemini';
  /** Some APIs say in the path what others say in the body. */
  readonly read: (body: JsonObject, path: string) => Conversation;
  /** The answer as server-sent events. */
  readonly openStream: (answer: AnswerHead) => AnswerStream;
  /** The answer in one piece. */
  readonly document: (answer: AnswerHead, parts: readonly Part[]) => JsonObject;
  readonly failure: (status: number, message: string) => JsonObject;
}

export interface AnswerHead {
  /** Unique among the answers of one server. */
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970, where a format wants them. */
  readonly createdAt: number;
}

export interface AnswerStream {
  readonly begin: () => readonly StreamEvent[];
  readonly text: (chunk: string) => readonly StreamEvent[];
  readonly call: (call: ToolCall) => readonly StreamEvent[];
  readonly end: () => readonly StreamEvent[];
  /** An event that holds nothing: no role, no content. */
  readonly blank: () => readonly StreamEvent[];
  /** Names whose turn it is and what kind of content will come, and brings none of it. */
  readonly role: () => readonly StreamEvent[];
  /** A failure in the format's own words, after the status has said that all is well. */
  readonly error: (message: string) => readonly StreamEvent[];
}

export interface StreamEvent {
  readonly event?: string;
  /** A string is sent as it is (`[DONE]`). */
  readonly data: JsonObject | string;
}

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCall };

/** Four characters to a token: close enough for a status line. */
export function countTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}
