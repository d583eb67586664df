import type { Route } from './claim.ts';

/**
 * Signs in a text that a CLI acts on when the text comes by one of its routes: as the lab saw it
 * (`test/lab/delivery/cases-syntax.ts`), per provider and route.
 */
export interface Syntax {
  /**
   * `@path` brings a file, or whatever else it names, into the conversation: `word` where the `@`
   * begins a word, `anywhere` also within one, `always` even behind a backslash.
   */
  readonly at?: keyof typeof patterns;
  /** `$name` brings the text of a skill into the conversation, also within a word. */
  readonly dollar?: true;
  /** `/name` does so, wherever it stands as a word. */
  readonly slash?: true;
}

export type SyntaxByRoute = Readonly<Partial<Record<Route, Syntax>>>;

/**
 * The words of others for a route on which the CLI acts on these signs (rule 51f): `@path` is
 * written `\@path`, or `@·path` where a backslash does not help, and `$name` and `/name` are
 * written `$·name` and `/·name`. Nothing is left out, and a text that was escaped stays as it is
 * (rule 12).
 */
export function escapeSyntax(text: string, { at, dollar, slash }: Syntax = {}): string {
  const [pattern, written] = at === undefined ? nothing : patterns[at];
  const escaped = text.replace(pattern, written).replace(dollar ? mention : never, '$$·');
  return escaped.replace(slash ? command : never, '/·');
}

const never = /(?!)/g;
const nothing = [never, ''] as const;

/**
 * One that names nothing is escaped like all others: where Qwen Code 0.24.4 meets an `@` behind a
 * blank, it takes the whole text apart.
 */
const patterns = {
  word: [/(?<!\S)@/g, String.raw`\@`],
  anywhere: [/(?<!\\)@/g, String.raw`\@`],
  always: [/@(?!·)/g, '@·'],
} as const;

/**
 * As Codex 0.166.0 reads the name of a skill, but for numbers and for capitals: `$HOME` and `$1` in
 * a message are a shell's, and the names of skills are written small.
 */
const mention = /\$(?!(?:[A-Z_][A-Z0-9_]*|\d+)(?![\w:-]))(?=[\w:-])/g;

/**
 * As Copilot CLI 1.0.102 and Kimi Code 2.1.0 read it in a pasted prompt; a path goes on with a
 * further slash.
 */
const command = /(?<![\w./~·-])\/(?=\w)(?![\w:-]*\/)/g;
