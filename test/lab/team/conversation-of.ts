import { anthropic } from '../mock-llm/apis/anthropic.ts';
import type { Api } from '../mock-llm/apis/api.ts';
import { chatCompletions } from '../mock-llm/apis/chat-completions.ts';
import { gemini } from '../mock-llm/apis/gemini.ts';
import { responses } from '../mock-llm/apis/responses.ts';
import { asObject, type Entry } from '../mock-llm/conversation.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';

/** What a request said, entry by entry, in whatever API it came. */
export function readEntries({ api, body }: LoggedRequest): readonly Entry[] {
  const reader = apis.find(({ name }) => name === api);
  // Bodies of long ago are dropped by the log.
  if (!reader || body === '') return [];
  return reader.read(asObject(JSON.parse(body)), '').entries;
}

const apis: readonly Api[] = [anthropic, responses, chatCompletions, gemini];
