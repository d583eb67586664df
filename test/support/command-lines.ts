/** A command line of ours as a document shows it. */
export interface CommandLine {
  /** Where it stands, for people. */
  readonly at: string;
  readonly text: string;
  readonly words: readonly string[];
  /**
   * In running text a command may be named without its arguments; in a block it is to be typed as
   * it stands.
   */
  readonly isInline: boolean;
}

/**
 * Every `signalbox …` and `npm run …` in the code of a Markdown text. In a block with `$ ` prompts
 * those lines alone are commands, since the rest is what they print; in any other block whatever
 * begins like one is.
 */
export function listCommandLines(file: string, markdown: string): readonly CommandLine[] {
  const found: CommandLine[] = [];
  let block: string[] | undefined;
  let beganAt = 0;
  markdown.split('\n').forEach((line, index) => {
    const at = `${file}:${index + 1}`;
    if (/^\s*```/.test(line)) {
      if (block) found.push(...readBlock(file, beganAt, block));
      block = block ? undefined : [];
      beganAt = index + 2;
    } else if (block) block.push(line);
    else found.push(...readProse(at, line));
  });
  return found;
}

function readBlock(file: string, beganAt: number, lines: readonly string[]): CommandLine[] {
  const hasPrompts = lines.some((line) => /^\s*\$ /.test(line));
  return lines.flatMap((line, index) => {
    if (hasPrompts && !/^\s*\$ /.test(line)) return [];
    const text = line.replace(/^\s*\$ /, '');
    return split(text).flatMap((words) => {
      const own = findOwn(words);
      return own ? [{ at: `${file}:${beganAt + index}`, text, words: own, isInline: false }] : [];
    });
  });
}

function readProse(at: string, line: string): CommandLine[] {
  return [...line.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) =>
    split(text).flatMap((words) => {
      const own = findOwn(words);
      return own ? [{ at, text, words: own, isInline: true }] : [];
    }),
  );
}

/** After variables and npx, a command of ours, or one that npm runs. */
function findOwn(words: readonly string[]): readonly string[] | undefined {
  const start = words.findIndex((word) => !/^([A-Z_]+=.*|npx)$/.test(word));
  const own = start < 0 ? [] : words.slice(start);
  const [first, second] = own;
  if (first === 'signalbox') return second === undefined ? undefined : own;
  return first === 'npm' && second === 'run' ? own : undefined;
}

/**
 * As a shell would: words with quotes and comments, and commands between `|`, `&&`, `;` and
 * parentheses.
 */
export function split(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const token = /\s+|(&&|\|\||[|;&()])|(#.*)|((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"|;&()])+)/gy;
  for (const [, operator, comment, word] of text.matchAll(token)) {
    if (operator) commands.push([]);
    if (comment) break;
    if (word) commands.at(-1)?.push(unquote(word));
  }
  return commands.filter((words) => words.length > 0);
}

function unquote(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(.)/g, '$1') ?? escaped ?? '',
  );
}
