/** One message as it stands in a text of ours. */
export interface Block {
  /** Its number in the reader's inbox, or its id. */
  readonly id: string;
  /** `completion (failed) from worker (child)`, and what else stands in its first line. */
  readonly header: string;
  readonly body: string;
}

/**
 * Every message whose body stands in a text, by whatever way that came: an envelope, or the result
 * of a tool. A body ends where the next line with the same secret begins. A text that stands behind
 * another in the CLI's queue has its first header right below its fence.
 */
export function readBlocks(text: string): readonly Block[] {
  return [...text.matchAll(form)].map(([, , , id = '', header = '', body = '']) => ({
    id,
    header,
    body,
  }));
}

const form =
  /^(?:--- (\w+) |<signalbox mark_\w*?(\w{1,8})>\n)(\d+|msg_\w+) (\w+(?: \(\w+\))? from [^\n]*)\n([\s\S]*?)\n?\n(?=(?:--- |<\/signalbox )\1\2\b)/gm;

/** Every envelope in a text, in its order: each fence with what stands in it. */
export function readFences(text: string): readonly { mark: string; inner: string }[] {
  const found = text.matchAll(/<signalbox (\w*?(\w{1,8}))>\n([\s\S]*?)\n<\/signalbox \2>/g);
  return [...found].map(([, mark = '', , inner = '']) => ({ mark, inner }));
}
