/** One message as a reader finds it in an envelope. */
export interface ReadMessage {
  readonly id: string;
  /** What stands behind the id: kind, sender, facts. */
  readonly facts: string;
  /** Undefined for one that is only named. */
  readonly body: string | undefined;
  readonly isCut: boolean;
}

/**
 * Reads an envelope as a program would that knows its mark, and forgives nothing: a line that is
 * neither a body's nor ours, a fence within the fence, a message in another or without an end is an
 * error.
 */
export function readStrictly(
  text: string,
  mark: string,
): { readonly messages: readonly ReadMessage[]; readonly others: number } {
  const lines = text.split('\n');
  const lead = `--- ${mark.slice(-10)} `;
  if (lines.shift() !== `<signalbox ${mark}>`) throw new Error('no fence before it');
  if (lines.pop() !== `</signalbox ${mark}>`) throw new Error('no fence behind it');
  if (lines.some((line) => line.includes(mark))) throw new Error('the mark stands within');
  lines.shift();
  const messages: ReadMessage[] = [];
  let open: { id: string; facts: string; body: string[]; isCut: boolean } | undefined;
  let others = 0;
  for (const line of lines) {
    if (!line.startsWith(lead)) {
      if (open && !open.isCut) open.body.push(line);
      else if (line !== '') throw new Error(`nobody's line: ${line}`);
      continue;
    }
    const said = line.slice(lead.length);
    const [, id, facts = ''] = /^(msg_\w+) · (.*)$/.exec(said) ?? [];
    const [, ended] = /^end of (msg_\w+)(?:\. To answer: .*|, part .*)?$/.exec(said) ?? [];
    if (id !== undefined && facts.includes('not shown here')) {
      if (open) throw new Error(`${id} stands in another`);
      messages.push({ id, facts, body: undefined, isCut: false });
    } else if (id !== undefined) {
      if (open) throw new Error(`${id} stands in another`);
      open = { id, facts, body: [], isCut: false };
    } else if (ended !== undefined && open?.id === ended) {
      messages.push({ ...open, body: open.body.join('\n') });
      open = undefined;
    } else if (said === 'cut here: it was longer' && open) {
      open.isCut = true;
    } else if (!open && /^(One|\d+) more messages? waits? for you/.test(said)) {
      others = said.startsWith('One') ? 1 : Number.parseInt(said, 10);
    } else throw new Error(`not understood: ${line}`);
  }
  if (open) throw new Error(`${open.id} has no end`);
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
    .filter((line) =>
      /^(- ?){3}|^-{2,} ?((?<= |---)\w+ )?(end of )?msg_|< ?\/? ?signalbox/.test(line),
    );
}
