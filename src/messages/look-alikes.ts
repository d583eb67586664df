export interface Folded {
  readonly folded: string;
  /**
   * For each unit of the folded text, where in the original it comes from; undefined where both are
   * the same length.
   */
  readonly origins: readonly number[] | undefined;
}

/**
 * A text as a careless reader takes it: compatible forms (NFKC), no accents, lower case, letters of
 * other scripts that look Latin as those, every dash a hyphen, every blank a space. A long dash is
 * as many hyphens as it looks like. A hidden character that is shown by its number is passed over.
 * For searching alone.
 */
export function foldLookAlikes(text: string): Folded {
  if (!/[^\t\n -~]|<U\+/.test(text)) return { folded: foldAscii(text), origins: undefined };
  const origins: number[] = [];
  let folded = '';
  for (const { 0: character, index: at } of text.matchAll(units)) {
    const plain = foldCharacter(character);
    for (let i = 0; i < plain.length; i++) origins.push(at);
    folded += plain;
  }
  return { folded, origins };
}

const units = /<U\+[0-9A-F]{4,6}>|[\s\S]/gu;

function foldAscii(text: string): string {
  return text.toLowerCase().replace(/[i1|]/g, 'l').replaceAll('0', 'o');
}

const known = new Map<string, string>();

function foldCharacter(character: string): string {
  if (character === '\n') return character;
  if (character.startsWith('<U+')) return '';
  const before = known.get(character);
  if (before !== undefined) return before;
  const plain = fold(character);
  // Enough for the letters of any text; of one that uses all of Unicode the rest is looked up
  // again.
  if (known.size < 4096) known.set(character, plain);
  return plain;
}

function fold(character: string): string {
  const direct = lookAlikes.get(character);
  if (direct !== undefined) return direct;
  if (blanks.test(character)) return ' ';
  if (dashes.test(character)) return '-';
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return foldAscii([...plain].map((part) => lookAlikes.get(part) ?? part).join(''));
}

/** U+2800, the empty Braille pattern, is blank and no space. */
const blanks = /^[\s\p{Zs}\u2800]$/u;
/**
 * Dashes, the minus, bullets and lines of boxes, long vowels: whatever is a horizontal stroke in
 * the middle of a line.
 */
const dashes =
  /^[\p{Pd}\u02d7\u00af\u02c9\u2043\u2212\u2010-\u2015\u2500\u2501\u2504\u2505\u2508\u2509\u254c\u254d\u2574\u2576\u2578\u257a\u23af\u23e4\u2796\u30fc\u3161\u4e00\uff70\u1173\u268a]$/u;

/**
 * Of the letters that our own words and the CLIs' tags are made of; each row: what they look like,
 * then who does.
 */
const rows: readonly [string, string][] = [
  ['---', '⸻'],
  ['--', '—―⸺──━'],
  ['<', '‹〈⟨＜﹤˂ᐸ❮⧼《«❬❰≺⊰'],
  ['/', '⁄∕╱⧸／〳⟋'],
  ['_', '＿﹍﹎﹏‗ˍ'],
  ['a', 'аɑαᴀаａ⍺'],
  ['b', 'ЬьвʙƄᏏ'],
  ['c', 'сϲᴄⅽⲥ'],
  ['d', 'ԁɗᴅⅾꓒ'],
  ['e', 'еεᴇҽєɛ℮'],
  ['f', 'ƒꜰϝ'],
  ['g', 'ɡɢցᶃ'],
  ['h', 'һհнʜ'],
  ['k', 'кκᴋ'],
  ['l', 'іıӏιɪʟӀⅼⅰǀ∣׀Ιו｜'],
  ['m', 'мᴍⅿΜ'],
  ['n', 'ոηɴпɲ'],
  ['o', 'оοօᴏσ૦ഠ〇ⲟ'],
  ['p', 'рρᴘ'],
  ['r', 'гʀᴦ'],
  ['s', 'ѕꜱʂȿ'],
  ['t', 'тτᴛ'],
  ['u', 'υսᴜц'],
  ['v', 'νᴠѵ'],
  ['x', 'хχⅹ×'],
  ['y', 'уγʏ'],
];

const lookAlikes: ReadonlyMap<string, string> = new Map(
  rows.flatMap(([plain, likes]) =>
    [...likes, ...likes.toUpperCase()]
      // Some have an upper case in ASCII, which stands for itself.
      .filter((like) => like > '\u007f')
      .map((like): [string, string] => [like, plain]),
  ),
);
