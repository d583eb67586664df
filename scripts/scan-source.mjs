/**
 * The comments, strings and templates of a TypeScript or JavaScript source, in order, each with its
 * offsets. A string that holds `//` is not a comment, and neither is a regular expression.
 *
 * @param {string} text
 * @returns {{ kind: 'line' | 'block' | 'string' | 'template', start: number, end: number }[]}
 */
export function scanSource(text) {
  const found = [];
  scanCode(text, 0, found);
  return found;
}

const token =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|\.?[\w$]+|\+\+|--|[\s\S]/y;
const pattern = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
/**
 * A slash after one of these words begins a regular expression; after any other word it divides.
 */
const operator =
  /^(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield)$/;

/** Returns the offset after the `}` that has no `{` in this code, or the end of the text. */
function scanCode(text, from, found) {
  let at = from;
  let depth = 0;
  let isOperand = false;
  while (at < text.length) {
    const word = match(token, text, at);
    const kind = kindOf(word);
    if (kind !== undefined) found.push({ kind, start: at, end: at + word.length });
    if (word === '`') at = scanTemplate(text, at, found);
    else if (word === '/' && !isOperand) at += (match(pattern, text, at) || word).length;
    else at += word.length;
    if (word === '{') depth++;
    if (word === '}' && depth-- === 0) return at;
    if (kind === 'string' || word === '`' || word === '/') isOperand = word !== '/' || !isOperand;
    else if (kind === undefined && word.trim() !== '') isOperand = endsOperand(word);
  }
  return at;
}

function scanTemplate(text, start, found) {
  const template = { kind: 'template', start, end: text.length };
  found.push(template);
  let at = start + 1;
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '\\') at += 2;
    else if (text.startsWith('${', at)) at = scanCode(text, at + 2, found);
    else at++;
  }
  template.end = at + 1;
  return at + 1;
}

function kindOf(word) {
  if (word.startsWith('//')) return 'line';
  if (word.startsWith('/*')) return 'block';
  return word.length > 1 && (word[0] === "'" || word[0] === '"') ? 'string' : undefined;
}

function endsOperand(word) {
  return /^(?:\.?[\w$]+|[)\]}]|\+\+|--)$/.test(word) && !operator.test(word);
}

function match(expression, text, at) {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? '';
}
