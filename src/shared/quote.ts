/** A text of somebody else's inside a sentence of ours: in quotes, bounded, and with nothing in it that acts on a terminal. */
export function quote(text: string, most = 80): string {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return reveal(JSON.stringify(shown));
}

/** A whole sentence that may quote anything. */
export function bound(text: string, most: number): string {
  const shown = text.length > most ? `${text.slice(0, most)}… (cut)` : text;
  return reveal(shown);
}

function reveal(text: string): string {
  return text.replace(
    invisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// All controls but tab and newline, half characters, joiners and marks of direction.
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
