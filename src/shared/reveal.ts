/**
 * What a person does not see, or what acts on a terminal, is shown by its number: `<U+001B>`. That
 * is every control character but tab and newline, every format character (`\p{Cf}`: marks of
 * direction, joiners, tags, the soft hyphen), every default-ignorable (variation selectors,
 * fillers), line separators, half characters and code points that Unicode has not assigned (tmux
 * 3.3a drops them: `A<U+50041>B` is `AB` on its screen). Texts hide instructions in them from
 * people that a model still reads, and reorder what people read. Real text needs three of them, and
 * keeps them there alone:
 *
 * - U+200D between two emoji (families, professions), and U+FE0F behind an emoji or within a keycap
 *   (1️⃣).
 * - One U+200C or U+200D between letters of a script that joins or stacks its letters (Persian, the
 *   scripts of India and others).
 * - Right-to-left letters are letters. All that sets a direction by itself is shown, also in such
 *   texts.
 *
 * Characters for private use stay: terminals draw them, and icon fonts are made of them. What is
 * assigned is what this Node's Unicode knows: a newer emoji is shown by its number.
 *
 * Flags of regions (emoji with tags) and variants of Chinese characters are shown: the same
 * characters carry hidden texts.
 */
export function reveal(text: string): string {
  return hidden.test(text) ? text.replace(hiddenUnlessNeeded, toNumber) : text;
}

/** The same for what must stay one line. */
export function revealLine(text: string): string {
  return reveal(text).replaceAll('\n', '<U+000A>').replaceAll('\t', ' ');
}

/**
 * A JSON text with all of them as escapes: it is the same document, and a terminal shows what it
 * holds.
 */
export function escapeHidden(json: string): string {
  return hidden.test(json) ? json.replace(hiddenEverywhere, escapeCharacter) : json;
}

function toNumber(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** As JSON writes it by its number. */
export function escapeCharacter(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
}

const classes =
  '[\\p{Cc}--[\\t\\n]]\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Cn}';

/** Scripts whose spelling has joiners: those that join their letters, and those that stack them. */
const joining = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const joined = `[[${joining}]&&[\\p{L}\\p{M}]]`;

/** Without those that Unicode keeps for emoji to come. */
const emoji = '[\\p{Extended_Pictographic}--\\p{Cn}]';

const needed = [
  `(?<=${emoji}\\uFE0F?\\p{Emoji_Modifier}?)\\u200D(?=${emoji})`,
  `(?<=${emoji})\\uFE0F`,
  '(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
  `(?<=${joined})[\\u200C\\u200D](?=${joined})`,
].join('|');

const hidden = new RegExp(`[${classes}]`, 'v');
const hiddenEverywhere = new RegExp(`[${classes}]`, 'gv');
const hiddenUnlessNeeded = new RegExp(`(?!${needed})[${classes}]`, 'gv');
