import { asArray, asObject, asText, type Json, parseObject } from '../../shared/json.ts';

/**
 * Whether a `gemini` record holds one unit of the model's own output (rule 43): a word, a thought
 * with content, a call of a tool. A call is written twice (0.61.0): when it is made, as an empty
 * record that tells what it cost, and when it has ended. So of an empty record its tokens count,
 * too: they are those of this very answer.
 */
export function hasOutput({ content, thoughts, toolCalls, tokens }: Json): boolean {
  if (typeof content === 'string' ? isSaid(content) : asArray(content).some(isPart)) return true;
  const isThought = (thought: unknown): boolean => {
    const { subject, description } = asObject(thought);
    return isSaid(subject) || isSaid(description);
  };
  if (asArray(toolCalls).length > 0 || asArray(thoughts).some(isThought)) return true;
  const { output } = asObject(tokens);
  return typeof output === 'number' && output > 0;
}

/**
 * Whether an `error` record shows that the request was turned down before any output (rule 49). A
 * status that came in place of an answer is recorded as the bare JSON of its body; an error inside
 * a stream and a stream that broke look otherwise (0.61.0). But a stream that ended too soon is
 * asked for again by the CLI itself, after a second at least, and leaves no record; so a refusal
 * that comes later than that may be the second one's, and the first may have been read.
 */
export function isRefusal({ content, timestamp }: Json, promptAt: number): boolean {
  const [, body] = /^\[API Error: (\{.*\})\]/s.exec(asText(content) ?? '') ?? [];
  const { code } = asObject(parseObject(body ?? '')?.['error']);
  const isStatus = typeof code === 'number' && code >= 400 && code < 600;
  const afterMs = timeOf(timestamp) - promptAt;
  return isStatus && afterMs >= 0 && afterMs < firstRetryMs;
}

/** Not a number where it does not say. */
export function timeOf(timestamp: unknown): number {
  return Date.parse(asText(timestamp) ?? '');
}

/** What 0.61.0 waits before it asks again after a stream that ended too soon. */
const firstRetryMs = 1000;

function isPart(part: unknown): boolean {
  const { text, functionCall } = asObject(part);
  return isSaid(text) || functionCall !== undefined;
}

function isSaid(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}
