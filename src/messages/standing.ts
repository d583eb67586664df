import type { Message } from './message.ts';

/**
 * As what a text reaches the model: as a prompt of the person whose agent it is, or as a notice
 * that names its sender (rule 51).
 */
export type Standing = 'prompt' | 'notice';

/** A copy that may be a repeat says so, which no prompt does: it goes as a notice. */
export function goesAsPrompt({
  isPrompt,
  mayRepeat,
}: Pick<Message, 'isPrompt' | 'mayRepeat'>): boolean {
  return isPrompt && !mayRepeat;
}

/** What it arrived as, or is expected to. */
export function standingOf(
  message: Pick<Message, 'isPrompt' | 'mayRepeat' | 'carriedAs'>,
): Standing {
  return message.carriedAs ?? (goesAsPrompt(message) ? 'prompt' : 'notice');
}
