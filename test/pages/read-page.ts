/** A block of a page with lines that a person is to type. */
export interface PageBlock {
  /** Where it stands, for people. */
  readonly at: string;
  readonly file: string;
  /** The second word behind its fence: a test runs it, or it is only shown. */
  readonly how: 'run' | 'shown' | undefined;
  /** Without their prompts. */
  readonly commands: readonly string[];
  /** Its lines as they stand there. */
  readonly lines: readonly string[];
}

/**
 * The blocks of a Markdown page that hold command lines. In a block with `$ ` prompts those lines
 * alone are commands, since the rest is what they print; in one whose language is a shell's every
 * line is; any other has commands where a line begins like one of ours.
 */
export function listBlocks(file: string, markdown: string): readonly PageBlock[] {
  const blocks: PageBlock[] = [];
  let info: string | undefined;
  let lines: string[] = [];
  let beganAt = 0;
  markdown.split('\n').forEach((line, index) => {
    const [, fence] = /^\s*```(.*)$/.exec(line) ?? [];
    if (fence === undefined) {
      lines.push(line);
      return;
    }
    if (info !== undefined) {
      const commands = readCommands(info, lines);
      const at = `${file}:${beganAt}`;
      const how = readHow(info);
      if (commands.length > 0) blocks.push({ at, file, how, commands, lines });
    }
    info = info === undefined ? fence.trim() : undefined;
    lines = [];
    beganAt = index + 1;
  });
  return blocks;
}

function readHow(info: string): 'run' | 'shown' | undefined {
  const [, word] = info.split(/\s+/);
  return word === 'run' || word === 'shown' ? word : undefined;
}

function readCommands(info: string, lines: readonly string[]): readonly string[] {
  const prompted = lines.flatMap((line) => /^\s*\$ (.+)$/.exec(line)?.[1] ?? []);
  if (prompted.length > 0) return prompted;
  const [language = ''] = info.split(/\s+/);
  if (['sh', 'bash', 'console'].includes(language)) {
    return lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  }
  return lines.filter((line) => /^(?:[A-Z_]+=\S+ )*(?:signalbox|npm|npx|curl|tmux) /.test(line));
}
