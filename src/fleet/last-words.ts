import type { TurnOutcome } from '../messages/message.ts';
import type { AgentContext } from '../providers/provider.ts';
import type { Life } from './life.ts';

/**
 * Of a terminal's text, in which the last answer of an agent without a transcript is looked for.
 */
const wordsBytes = 256 * 1024;

/**
 * What an agent said in the turn that has just ended: by its transcript or API, else cut out of
 * what its terminal holds. A turn that was interrupted before any output has no words: those before
 * it may be the person's own talk with the agent. After one that ended well the next may have begun
 * by now, so there the words above it count.
 */
export async function readLastWords(
  { provider, backend, terminal }: Pick<Life, 'provider' | 'backend' | 'terminal'>,
  context: AgentContext,
  { outcome, signal }: { readonly outcome: TurnOutcome; readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (provider.readLastAnswer) {
    const answer = await provider.readLastAnswer(context, signal);
    if (answer?.kind !== 'answer') return undefined;
    return answer.isEarlier && outcome !== 'completed' ? undefined : answer.text;
  }
  if (!provider.cutLastAnswer) return undefined;
  const shown = await backend.readText(terminal, wordsBytes);
  const answer = shown === 'gone' ? undefined : provider.cutLastAnswer(shown.text.trimEnd());
  return answer?.kind === 'answer' ? answer.text : undefined;
}
