/** One message of the user as it stands in a prompt of ours. */
interface PromptBlock {
  /** Its number in the reader's inbox, or its id. */
  readonly id: string;
  readonly body: string;
}

interface ReadPrompt {
  readonly mark: string;
  readonly blocks: readonly PromptBlock[];
}

/**
 * A text that delivery has written as the user's prompt: its first line has the mark, and each
 * further message a line of its own. Undefined for every other text.
 */
export function readPrompt(text: string): ReadPrompt | undefined {
  const [, mark] = /^<signalbox (?:\d+|msg_\w+) (mark_\w+)[^>\n]*>\n/.exec(text) ?? [];
  if (mark === undefined) return undefined;
  const blocks = text.split(/(?:^|\n\n)(?=<signalbox (?:\d+|msg_\w+)[^>\n]*>\n)/).filter(Boolean);
  return {
    mark,
    blocks: blocks.map((block) => {
      const [line = '', ...body] = block.split('\n');
      return { id: /^<signalbox ([^\s>]+)/.exec(line)?.[1] ?? '', body: body.join('\n') };
    }),
  };
}
