/** Longer ones are cut: a question is shown within a line. */
const mostCharacters = 200;
/** Above the first choice: a dialog says within so many paragraphs what it asks. */
const mostParagraphs = 6;

/**
 * What a dialog at the bottom of a screen asks, in the CLI's own words: "Do you want to proceed?
 * touch began". It looks above the last row that carries a sign of choice for the nearest sentence
 * that ends with a question mark. Undefined where none is found. It is for people alone; nothing is
 * decided by it, because a model may have printed any of these rows.
 */
export function readQuestion(lines: readonly string[]): string | undefined {
  const rows = lines.map(strip);
  const choice = rows.findLastIndex((row) => chosen.test(row));
  const first = choice < 0 ? -1 : findFirstChoice(rows, choice);
  const above = splitParagraphs(rows.slice(0, first < 0 ? rows.length : first), lines);
  const near = above.slice(-mostParagraphs);
  const isAsking = ({ text }: Paragraph): boolean => sentence.test(text);
  const own = near.findLastIndex((one) => isAsking(one) && !reason.test(one.text));
  const at = own < 0 ? near.findLastIndex(isAsking) : own;
  const asked = at < 0 ? undefined : sentence.exec(near[at]?.text ?? '')?.[1];
  const said = asked ?? near.findLast(({ text }) => heading.test(text))?.text;
  if (said === undefined) return undefined;
  const question = said.replace(signs, '').replace(' # ', ': ').trim();
  const subject = isVague.test(question) ? findSubject(near, at, rows) : undefined;
  const text = subject === undefined ? question : `${question} ${subject}`;
  return cut(text);
}

interface Paragraph {
  readonly text: string;
  /** Its first row. */
  readonly start: number;
  /** Beside the question, with a bar at the left alone: a remark of the CLI. */
  readonly isRemark: boolean;
}

/** Frames, and the scroll bars that some draw at the right. */
const frame = /[│┃║╎█]/gu;
const drawn = /^[─━╌═▔╭╮╰╯┌┐└┘├┤\s]+$/u;
const chosen = /^(?:[❯›●▶] ?(?:\d+\. )?|→ \[\d|(?:Allow once|Yes|No) {2,})\S/u;
/** The sentence, from its beginning to the first question mark that ends it. */
const sentence = /(?:^|[.!] )([^.!?][^?]*\?)(?= |$)/u;
/** Some have a heading in place of a question. */
const heading = /^△ /u;
/** Why the model wants it (Codex 0.166.0), which may be a question as well. */
const reason = /^(?:Environment|Reason): /u;
const signs = /^[△▶❯›●?] +/u;
/** Its subject stands beside it. */
const isVague =
  /proceed\?|(?:this|following) command\?|execution of|this change\?|^Permission required/u;

const remark = /^\s*│ .*[^│\s]\s*$/u;

function strip(line: string): string {
  const bare = line.replaceAll(frame, ' ').trim();
  return drawn.test(bare) ? '' : bare;
}

/** The choice that the sign stands at may be any of them. */
function findFirstChoice(rows: readonly string[], choice: number): number {
  const numbered = rows.findLastIndex(
    (row, i) => i <= choice && /^(?:(?:[❯›●▶] ?)?1\. |→ \[1\])/u.test(row),
  );
  if (numbered >= 0 && choice - numbered <= 12) return numbered;
  for (let i = choice; i > 0; i--) {
    // The question itself may stand right above (Claude Code 2.1.325 in auto mode).
    if (rows[i - 1] === '' || rows[i - 1]?.endsWith('?')) return i;
  }
  return choice;
}

function splitParagraphs(rows: readonly string[], lines: readonly string[]): readonly Paragraph[] {
  const paragraphs: (Paragraph & { text: string })[] = [];
  let last: { text: string } | undefined;
  rows.forEach((row, start) => {
    if (row === '') {
      last = undefined;
    } else if (last) {
      last.text = `${last.text} ${row}`;
    } else {
      const paragraph = { text: row, start, isRemark: remark.test(lines[start] ?? '') };
      paragraphs.push(paragraph);
      last = paragraph;
    }
  });
  return paragraphs;
}

/**
 * A command after `$`, or the tool after `?` (Gemini CLI, Qwen Code); else the paragraph before the
 * question.
 */
function findSubject(
  near: readonly Paragraph[],
  at: number,
  rows: readonly string[],
): string | undefined {
  const from = near[0]?.start ?? 0;
  const command = rows.slice(from).findLast((row) => /^[$?] +\S/u.test(row));
  if (command !== undefined) return command.slice(2).replace(/ ←$/u, '').trim();
  const before = near.slice(0, Math.max(at, 0)).findLast(({ isRemark }) => !isRemark)?.text;
  return before === undefined || sentence.test(before) ? undefined : before;
}

function cut(text: string): string {
  const characters = [...text.replaceAll(/\s+/gu, ' ').trim()];
  if (characters.length <= mostCharacters) return characters.join('');
  return `${characters.slice(0, mostCharacters - 1).join('')}…`;
}
