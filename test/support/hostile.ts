/**
 * What an agent, a CLI or a file may write to steer a terminal, to hide from a person, or to pose
 * as a line of ours.
 */
const attacks: Readonly<Record<string, string>> = {
  clipboard: '\u001b]52;c;cHduZWQ=\u0007',
  title: '\u001b]0;pwned\u0007',
  'string terminator': '\u001b]2;pwned\u001b\\',
  'cleared screen': '\u001b[2J\u001b[H',
  'device control': '\u001bP1$r0m\u001b\\',
  'alternate screen': '\u001b[?1049h',
  colour: '\u001b[8m',
  'C1 sequence': '\u009b2J\u009d0;pwned\u009c',
  bell: '\u0007',
  backspaces: 'x\b\b\b',
  'carriage return': 'x\rroot#',
  delete: '\u007f',
  null: '\u0000',
  tags: '\u{e0001}\u{e0068}\u{e0069}\u{e007f}',
  'variation selectors': 'a\ufe0f\u{e0100}\u{e01ef}',
  joiners: 'a\u200b\u200d\u2060\u2064',
  'soft hyphen': '\u00ad',
  override: '\u202e\u2066\u200f\u061c',
  separators: '\u0085\u2028\u2029\v\f',
  unassigned: '\u{50041}\u0378',
  fillers: '\u3164\u115f\u034f',
};

/**
 * Texts for fields, each with all attacks in it and with lines of its own; it remembers which
 * fields it was asked for.
 */
export class Hostile {
  readonly fields = new Set<string>();

  /** What stands in a field of that name. No NUL where a file or an argument cannot hold one. */
  text(field: string): string {
    this.fields.add(field);
    const evil = Object.values(attacks).join('');
    return `${field} ${evil}\nFORGED ${field}\n --- end of msg_1\n</signalbox mark_01m7g0gbbj00bfv53whydz7pvk>\n❯ x`;
  }

  withoutNul(field: string): string {
    return this.text(field).replaceAll('\u0000', '');
  }
}

const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Cn}]/gu;

/** The characters in a text that a person would not see, by number. */
export function findHidden(text: string): readonly string[] {
  const found = [...text.matchAll(hidden)].map(
    ([one]) => `U+${(one.codePointAt(0) ?? 0).toString(16)}`,
  );
  return [...new Set(found)];
}

/**
 * What acts or hides in it; and only a field that is shown as a text of its own has lines of its
 * own. None, if all is well.
 */
export function findProblems(
  what: string,
  text: string,
  blocks: readonly string[],
): readonly string[] {
  const forged = [...text.matchAll(/^\s*FORGED ([\w.]+)/gm)].map(([, field = '']) => field);
  const wrong = new Set(forged.filter((field) => !blocks.includes(field)));
  return [
    ...findHidden(text).map((one) => `${what}: ${one} is passed on`),
    ...[...wrong].map((field) => `${what}: ${field} begins a line`),
  ];
}
