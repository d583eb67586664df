// Tests: src/messages/same-text.test.ts.

/**
 * Whether a CLI says of a text that we pasted that it got these very words. A composer may write a
 * letter in another way, which is nobody's doing: four blanks for a tab (Claude Code 2.1.325, Kimi
 * Code 2.1.0), and a letter with its accent as one (NFC, Claude Code 2.1.325). The age in a line of
 * ours is not compared: a text that is written again counts the turns that have ended since.
 */
export function isSameText(ours: string, told: string): boolean {
  return ours === told || asComposed(ours) === asComposed(told);
}

function asComposed(text: string): string {
  return text.replaceAll(age, '$1>').replaceAll('\t', '    ').normalize('NFC');
}

/** As the first lines of prompts have it. */
const age = /^(<signalbox [^>\n]*) · written [^>·\n]+ ago>$/gm;
