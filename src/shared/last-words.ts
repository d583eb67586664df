/** Of what it wrote last; a refusal is said in a line or two. */
const mostLines = 4;
const mostCharacters = 400;

/**
 * The end of a screen on one line, with nothing in it that acts on the terminal of whoever reads
 * it.
 */
export function lastWords(screen: string | undefined): string {
  const lines = (screen ?? '')
    .split('\n')
    .map((line) => line.replaceAll(unseen, ' ').trim())
    .filter((line) => line !== '');
  const characters = [...lines.slice(-mostLines).join(' · ')];
  return characters.slice(0, mostCharacters).join('');
}

/** "It said: …", as the end of a sentence about a program that has ended. */
export function tellLastWords(screen: string | undefined): string {
  const words = lastWords(screen);
  return words === ''
    ? 'Its screen was empty.'
    : `It said: ${words}${/[.!?)]$/.test(words) ? '' : '.'}`;
}

/** Control characters, and those that change how what follows is shown. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
