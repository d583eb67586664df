import type { AgentContext } from '../providers/provider.ts';
import type { Life } from './life.ts';

/**
 * Of a terminal's text, in which the last answer of an agent without a transcript is looked for.
 */
const wordsBytes = 256 * 1024;

/** What an agent said last: by its transcript or API, else cut out of what its terminal holds. */
export async function readLastWords(
  { provider, backend, terminal }: Life,
  context: AgentContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (provider.readLastAnswer) {
    const answer = await provider.readLastAnswer(context, signal);
    return answer?.kind === 'answer' ? answer.text : undefined;
  }
  if (!provider.cutLastAnswer) return undefined;
  const shown = await backend.readText(terminal, wordsBytes);
  const answer = shown === 'gone' ? undefined : provider.cutLastAnswer(shown.text.trimEnd());
  return answer?.kind === 'answer' ? answer.text : undefined;
}
