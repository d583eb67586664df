import { createValueReader, type ValueReader } from '../shared/value-reader.ts';
import { configPath, type Folders } from './folders.ts';
import { readConfig } from './settings.ts';

/**
 * A program that a person described under `providers:` in config.yaml, so that it can be launched
 * by its own name.
 */
export interface ConfiguredProvider {
  readonly name: string;
  /** The program and its first arguments; no shell reads it. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly patterns: readonly StatusPatterns[];
  /** How many of the last filled rows of the screen are looked at. */
  readonly rows: number;
  /**
   * The row and column of the cursor when nothing has been typed: without it nothing is ever
   * pasted.
   */
  readonly empty?: { readonly row: RegExp; readonly column: number };
  /**
   * How its last answer is found in what the terminal holds: lines that begin a prompt, an answer,
   * and what stands below.
   */
  readonly answer?: { readonly prompt: RegExp; readonly block: RegExp; readonly end?: RegExp };
  /**
   * What is pasted: one line that tells it to drain, or the messages themselves, for which there is
   * no proof.
   */
  readonly pastes: 'notice' | 'message';
  /**
   * What it is told by environment variables, since nobody knows its own way: signalbox's tools,
   * and where its hooks report.
   */
  readonly told: { readonly tools: boolean; readonly hooks: boolean };
}

interface StatusPatterns {
  readonly kind: PatternKind;
  readonly rows: readonly RegExp[];
  readonly titles: readonly RegExp[];
}

/** In the order in which they are asked: a program that works and asks at once is waiting. */
const patternKinds = ['waiting', 'busy', 'error', 'idle'] as const;
export type PatternKind = (typeof patternKinds)[number];

export async function loadProviders(folders: Folders): Promise<readonly ConfiguredProvider[]> {
  const path = configPath(folders);
  const { providers } = await readConfig(path);
  if (providers === undefined || providers === null) return [];
  const reader = createValueReader(path, 'Mend the file or take the provider out.');
  return Object.entries(reader.map(providers, 'providers')).map(([name, value]) =>
    parseProvider(name, value, reader),
  );
}

/**
 * More rows than a prompt with its footer has, and fewer than a conversation: what is printed
 * higher up is history.
 */
const usualRows = 10;
const mostPatterns = 50;

function parseProvider(name: string, value: unknown, reader: ValueReader): ConfiguredProvider {
  const place = `providers.${name}`;
  reader.text(name, 'providers', /^[a-z0-9][a-z0-9-]{0,63}$/);
  const own = ['command', 'rows', 'title', 'empty', 'paste', 'answer', 'tools', 'hooks'];
  const keys = [...own, ...patternKinds];
  const fields = reader.map(value, place, keys);
  const titles = reader.map(fields['title'] ?? {}, `${place}.title`, patternKinds);
  const { answer, empty, rows = usualRows, paste = 'notice' } = fields;
  if (paste !== 'notice' && paste !== 'message') {
    reader.refuse(`${place}.paste`, 'it is `notice` or `message`');
  }
  return {
    name,
    command: parseCommand(fields['command'], `${place}.command`, reader),
    rows: reader.count(rows, `${place}.rows`, [1, 200]),
    patterns: patternKinds.map((kind) => ({
      kind,
      rows: parsePatterns(fields[kind], `${place}.${kind}`, reader),
      titles: parsePatterns(titles[kind], `${place}.title.${kind}`, reader),
    })),
    pastes: paste === 'message' ? 'message' : 'notice',
    told: {
      tools: isByEnvironment(fields['tools'], `${place}.tools`, reader),
      hooks: isByEnvironment(fields['hooks'], `${place}.hooks`, reader),
    },
    ...(answer === undefined ? {} : { answer: parseAnswer(answer, `${place}.answer`, reader) }),
    ...(empty === undefined ? {} : { empty: parseEmpty(empty, `${place}.empty`, reader) }),
  };
}

function isByEnvironment(value: unknown, place: string, reader: ValueReader): boolean {
  if (value !== undefined && value !== 'env') reader.refuse(place, 'it is `env`, or left out');
  return value === 'env';
}

function parseCommand(
  value: unknown,
  place: string,
  reader: ValueReader,
): readonly [string, ...string[]] {
  // A text is cut at blanks and nothing else: whoever needs quotes or blanks inside a word writes a
  // list.
  const words =
    typeof value === 'string' ? value.trim().split(/\s+/) : reader.list(value, place, 200);
  if (typeof value === 'string' && /["'\\$`|&;<>*?]/.test(value)) {
    reader.refuse(
      place,
      'no shell reads it; write a list of words, such as [prog, --flag, "a word"]',
    );
  }
  const [program = '', ...args] = words.map((word, i) => reader.text(word, `${place}[${i}]`));
  if (program === '') reader.refuse(place, 'a program is needed');
  const broken = [program, ...args].some((word) => word.includes('\0'));
  if (broken) reader.refuse(place, 'a word holds a zero byte');
  return [program, ...args];
}

function parsePatterns(value: unknown, place: string, reader: ValueReader): readonly RegExp[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [reader.pattern(value, place)];
  return reader
    .list(value, place, mostPatterns)
    .map((pattern, i) => reader.pattern(pattern, `${place}[${i}]`));
}

function parseEmpty(
  value: unknown,
  place: string,
  reader: ValueReader,
): NonNullable<ConfiguredProvider['empty']> {
  const { row, column } = reader.map(value, place, ['row', 'column']);
  return {
    row: reader.pattern(row, `${place}.row`),
    column: reader.count(column, `${place}.column`, [0, 1000]),
  };
}

function parseAnswer(
  value: unknown,
  place: string,
  reader: ValueReader,
): NonNullable<ConfiguredProvider['answer']> {
  const { prompt, block, end } = reader.map(value, place, ['prompt', 'block', 'end']);
  return {
    prompt: reader.pattern(prompt, `${place}.prompt`),
    block: reader.pattern(block, `${place}.block`),
    ...(end === undefined ? {} : { end: reader.pattern(end, `${place}.end`) }),
  };
}
