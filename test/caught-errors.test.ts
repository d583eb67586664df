import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * A mistake of ours that is caught and forgotten costs a message in silence. Whoever catches and
 * goes on therefore does one of four things: throw, call `reportBug` (which passes over what may
 * fail), ask which error it is, or say in a comment why every error is welcome there. The source is
 * read as text: TypeScript 7 has no parser for JavaScript to call.
 */
test('every caught error is thrown on, reported, told apart, or has a comment that says why it may be forgotten', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const forgotten = files.flatMap((file) =>
    findForgotten(readFileSync(join('src', file), 'utf8')).map((site) => `src/${file}:${site}`),
  );
  expect(forgotten).toEqual([]);
});

test.each([
  ['a block', 'try {\n  work();\n} catch {\n  return undefined;\n}\n'],
  ['a block that only tells its log', 'try {\n} catch (error) {\n  log.warn(String(error));\n}\n'],
  [
    'words made of any error',
    'try {\n} catch (e) {\n  return e instanceof Error ? e.message : "";\n}\n',
  ],
  ['a promise', 'await work().catch(() => undefined);\n'],
  ['a promise over several lines', 'work()\n  .catch(() => {\n    stop();\n  });\n'],
  ['the second answer of then', 'work().then(\n  (a) => f(a, b),\n  () => undefined,\n);\n'],
  ['a handler that has a name', 'work().catch(ignore);\n\nfunction ignore() {\n  stop();\n}\n'],
  [
    'a named one of which only the next function decides',
    'work().catch(ignore);\nfunction ignore() {\n  stop();\n}\nfunction other() {\n  throw 1;\n}\n',
  ],
  ['a handler from elsewhere', 'work().catch(parts.ignore);\n'],
  ['a comment that stands elsewhere', '// Why.\nstart();\nwork().catch(() => undefined);\n'],
  ['an empty comment', 'try {\n} catch {\n  //\n}\n'],
])('an error that is forgotten is found: %s', (_, source) => {
  expect(findForgotten(source)).toHaveLength(1);
});

test.each([
  ['thrown on', 'try {\n} catch (error) {\n  close();\n  throw error;\n}\n'],
  ['reported', "work().catch((error) => reportBug('work', error));\n"],
  [
    'reported by a method',
    'try {\n} catch (error) {\n  this.#tell(error);\n}\n  #tell(error) {\n    reportBug("x", error);\n  }\n',
  ],
  [
    'told apart by its class',
    'try {\n} catch (error) {\n  return error instanceof Fault ? 1 : 2;\n}\n',
  ],
  ['told apart by its code', 'try {\n} catch (error) {\n  return isMissing(error) ? 1 : 2;\n}\n'],
  ['a comment in the block', 'try {\n} catch {\n  // It is gone.\n}\n'],
  ['a comment behind it', 'work().catch(() => undefined); // It is gone.\n'],
  ['a comment above it', '// It is gone.\nwork().catch(() => undefined);\n'],
  [
    'decided late in a named one',
    'work().catch(tell);\nfunction tell(error) {\n  stop();\n  throw error;\n}\n',
  ],
  ['a comment behind the second answer of then', 'work().then(f, () => 1); // It is gone.\n'],
  ['then with one answer', 'work().then((a) => f(a, b));\n'],
])('an error that is not forgotten is let be: %s', (_, source) => {
  expect(findForgotten(source)).toEqual([]);
});

/** Each as its line and what stands there. */
function findForgotten(source: string): readonly string[] {
  return findHandlers(source).flatMap(({ at, end, handler }) => {
    const lines = source.slice(0, at).split('\n');
    const places = [handler, source.slice(end, source.indexOf('\n', end))];
    // Above a block stands the last line of what was tried.
    if (source[at - 1] === '.') places.push(lines.at(-2) ?? '');
    if (places.some(saysWhy) || decides(handler, source)) return [];
    return [`${lines.length}: ${source.split('\n')[lines.length - 1]?.trim()}`];
  });
}

interface Handler {
  readonly at: number;
  /** Behind its last bracket. */
  readonly end: number;
  /** Its own text. */
  readonly handler: string;
}

function findHandlers(source: string): readonly Handler[] {
  const found = [...source.matchAll(/\}\s*(?=catch\b)|\.(?=catch\()|\.(?=then\()/g)];
  return found.flatMap((match): readonly Handler[] => {
    const at = match.index + match[0].length;
    const isBlock = match[0] !== '.';
    const text = readBracketed(source, at, isBlock ? '{}' : '()');
    const end = at + text.length;
    if (!text.startsWith('then')) return [{ at, end, handler: text }];
    const second = splitArguments(text.slice('then('.length, -1))[1] ?? '';
    return second.trim() === '' ? [] : [{ at, end, handler: `(${second})` }];
  });
}

function decides(handler: string, source: string): boolean {
  if (isDecision(handler)) return true;
  const names = [
    ...handler.matchAll(/^(?:catch)?\(\s*(?:this\.)?(#?\w+)[\s,]*(?:\([^()]*\))?[\s,]*\)$/g),
    ...handler.matchAll(/(?<![.\w])(?:this\.)?(#?\w+)\([^()]*\berror\b/g),
  ].map(([, name = '']) => name);
  return names.some((name) => name === 'reject' || isDecision(readDefinition(source, name)));
}

const isDecision = (text: string): boolean =>
  /\bthrow\b|\breportBug\(|\binstanceof (?!Error\b)|\.code\b|\{ code\b|\bisMissing\(|\bcodeOf\(|\breject\(/.test(
    text,
  );

const saysWhy = (text: string): boolean => /(?<!:)\/\/ *\w|\/\*+ *\w/.test(text);

/**
 * A function or method of the same file, up to the bracket under its beginning; empty when there is
 * none.
 */
function readDefinition(source: string, name: string): string {
  const word = name.startsWith('#') ? name : `(?:function|const) ${name}\\b`;
  const head = `^( *)(?:export |async )*${word}`;
  const [whole = ''] = new RegExp(`${head}[^\\n]*\\{\\n[^]*?\\n\\1\\}`, 'm').exec(source) ?? [];
  return whole || (new RegExp(`${head}[^;]*;`, 'm').exec(source)?.[0] ?? '');
}

function readBracketed(source: string, from: number, [open, close]: string): string {
  let depth = 0;
  for (let end = source.indexOf(open ?? '', from); end < source.length; end++) {
    if (source[end] === open) depth++;
    if (source[end] === close && --depth === 0) return source.slice(from, end + 1);
  }
  throw new Error(`no bracket closes ${source.slice(from, from + 40)}`);
}

function splitArguments(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if ('([{'.includes(letter)) depth++;
    if (')]}'.includes(letter)) depth--;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}
