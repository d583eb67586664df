/** One message as a reader finds it in an envelope. */
export interface ReadMessage {
  /** Its number in the reader's inbox, or its id. */
  readonly id: string;
  /** What stands behind that: kind, sender, facts. */
  readonly facts: string;
  /** Undefined for one that is only named. */
  readonly body: string | undefined;
  readonly isCut: boolean;
}

/**
 * Reads an envelope as a program would that knows its mark, and forgives nothing: a line that is
 * neither a body's nor ours, a fence within the fence, or a message under another's header is an
 * error.
 */
export function readStrictly(
  text: string,
  mark: string,
): { readonly messages: readonly ReadMessage[]; readonly others: number } {
  const lines = text.split('\n');
  const short = mark.slice(-8);
  const lead = `--- ${short} `;
  if (lines.shift() !== `<signalbox ${mark}>`) throw new Error('no fence before it');
  if (lines.pop() !== `</signalbox ${short}>`) throw new Error('no fence behind it');
  if (lines.some((line) => line.includes(mark))) throw new Error('the mark stands within');
  const intro = lines.shift() ?? '';
  if (!intro.startsWith(`Mail, not typed here. Our lines have ${short}.`))
    throw new Error(`no introduction: ${intro}`);
  const messages: ReadMessage[] = [];
  let open: { id: string; facts: string; body: string[]; isCut: boolean } | undefined;
  let others = 0;
  const close = (isBetween: boolean): void => {
    if (!open) return;
    const isPointer = open.facts.includes('not shown here');
    // Two messages have an empty line between them, which is of neither.
    if (isBetween && !open.isCut && open.body.pop() !== '') throw new Error('no line between');
    if (isPointer && open.body.length > 0) throw new Error('a pointer has no body');
    messages.push({ ...open, body: isPointer ? undefined : open.body.join('\n') });
    open = undefined;
  };
  for (const line of lines) {
    if (!line.startsWith(lead)) {
      if (open && !open.isCut) open.body.push(line);
      else if (line !== '') throw new Error(`nobody's line: ${line}`);
      continue;
    }
    const said = line.slice(lead.length);
    const [, id, facts = ''] = /^(msg_\w+|\d+) (\w+(?: \(\w+\))? from .*)$/.exec(said) ?? [];
    if (id !== undefined) {
      close(true);
      open = { id, facts, body: [], isCut: false };
    } else if (said === 'cut here: it was longer' && open && !open.isCut) {
      open.isCut = true;
    } else if (others === 0 && /^(One|\d+) more messages? waits? for you/.test(said)) {
      close(false);
      others = said.startsWith('One') ? 1 : Number.parseInt(said, 10);
    } else throw new Error(`not understood: ${line}`);
  }
  close(false);
  return { messages, others };
}

/**
 * Reads a text as a careless model might: whatever separates lines does, hidden characters and what
 * stands for them are passed over, compatible forms are one, any dash is a dash and any space a
 * space. Gives every line that it would take for one of ours.
 */
export function readCarelessly(text: string): readonly string[] {
  return text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) =>
      line
        .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|<U\+[0-9A-F]{4,6}>/gu, '')
        .normalize('NFKC')
        .replace(/[\p{Pd}\u2212\u2500\u2501\u02d7\u2043]/gu, '-')
        .replace(/[\s\u2800]+/g, ' ')
        .trim()
        .toLowerCase()
        .replace(/[ѕ]/g, 's')
        .replace(/[а]/g, 'a')
        .replace(/[о]/g, 'o')
        .replace(/[і]/g, 'i'),
    )
    .filter((line) => ours.test(line));
}

const header = String.raw`\d+ (message|task|completion|bounce|notice)( ?\(\w+\))? from `;
const ours = new RegExp(
  [
    '^(- ?){3}',
    String.raw`^-{2,} ?((?<= |---)\w+ )?(end of \d|(end of )?msg_|${header})`,
    `^${header}`,
    String.raw`< ?\/? ?signalbox`,
  ].join('|'),
);
