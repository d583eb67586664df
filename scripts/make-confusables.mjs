// Makes src/agents/confusables.ts from the data of Unicode TR39
// (https://www.unicode.org/reports/tr39/) as ICU carries them:
//
//   node scripts/make-confusables.mjs   needs a C compiler and ICU's headers (libicu-dev)
//
// Of every character that a name of ours may hold, and that NFKC leaves as it is, the skeleton of
// ICU; those that are their own are left out. Run by hand when Unicode has a new version worth
// having; the tests of src/agents/skeleton.ts hold its promises.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = `
#include <stdio.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>
#include <unicode/uchar.h>
int main(void) {
  UErrorCode status = U_ZERO_ERROR;
  USpoofChecker *checker = uspoof_open(&status);
  printf("%s %s\\n", U_ICU_VERSION, U_UNICODE_VERSION);
  for (UChar32 c = 0; c <= 0x10ffff && U_SUCCESS(status); c++) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    UChar from[2], to[64];
    int32_t length = 0, left;
    U16_APPEND_UNSAFE(from, length, c);
    left = uspoof_getSkeleton(checker, 0, from, length, to, 64, &status);
    printf("%x", c);
    for (int32_t i = 0; i < left;) { UChar32 d; U16_NEXT(to, i, left, d); printf(" %x", d); }
    printf("\\n");
  }
  return U_FAILURE(status);
}`;

const folder = mkdtempSync(join(tmpdir(), 'confusables-'));
try {
  writeFileSync(join(folder, 'main.c'), program);
  const built = join(folder, 'main');
  execFileSync('cc', ['-o', built, join(folder, 'main.c'), '-licui18n', '-licuuc']);
  const text = execFileSync(built, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const [head = '', ...lines] = text.trim().split('\n');
  const [icu, unicode] = head.split(' ');
  writeFileSync('src/agents/confusables.ts', write(group(lines), icu, unicode));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** By what they look like. */
function group(lines) {
  const groups = new Map();
  for (const line of lines) {
    const [from, ...to] = line
      .split(' ')
      .map((hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
    if (!/^[\p{L}\p{M}\p{N}._-]$/u.test(from) || /\p{Default_Ignorable_Code_Point}/u.test(from))
      continue;
    // What NFKC or NFD takes apart never comes here by itself.
    if (from.normalize('NFKC') !== from || from.normalize('NFD') !== from) continue;
    const like = to.join('');
    if (like === from) continue;
    groups.set(like, (groups.get(like) ?? '') + from);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

function write(groups, icu, unicode) {
  const words = groups.flatMap(([like, who]) => [escapeText(like), escapeText(who)]);
  const rows = [''];
  for (const word of words) {
    const row = rows.at(-1);
    if (row !== '' && `${row} ${word}`.length > 100) rows.push(word);
    else rows[rows.length - 1] = row === '' ? word : `${row} ${word}`;
  }
  return `// Made by scripts/make-confusables.mjs from ICU ${icu}, Unicode ${unicode}; not to be edited by hand.
// Data: Copyright (c) 1991-2022 Unicode, Inc.; its permission notice is in
// docs/decisions/0017-names-that-look-alike.md.

/**
 * In pairs of words: what characters look like by Unicode TR39, then those characters. Of letters,
 * digits, marks, dot, underscore and hyphen that NFKC leaves as they are.
 */
export const confusables = \`
${rows.join('\n')}
\`;
`;
}

/**
 * Marks would stand on the backtick or on each other in an editor, and nobody could tell letters of
 * the right from the left.
 */
function escapeText(text) {
  return [...text]
    .map((character) => {
      if (/^[A-Za-z0-9._!',:;()-]$/.test(character)) return character;
      return `\\u{${character.codePointAt(0)?.toString(16)}}`;
    })
    .join('');
}
