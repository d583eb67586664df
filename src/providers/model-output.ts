/**
 * Whether a text holds a word. CLIs write records of answers that broke off or that said nothing:
 * an empty text, a thought without content, a step that has only begun. None of them shows that the
 * model has read anything (rule 43).
 */
export function hasWord(text: unknown): boolean {
  return typeof text === 'string' && /\S/.test(text);
}
