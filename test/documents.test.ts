import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../src/cli/program.ts';
import { listCommandLines, split } from './support/command-lines.ts';
import { writeCommandPage } from './support/command-page.ts';

/**
 * What people and agents are told to type must be what the program takes: documents that nobody
 * runs go stale.
 */
const files = ['.', 'docs', 'docs/clis', 'docs/decisions', 'skills/signalbox'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const lines = files.flatMap((file) => listCommandLines(file, readFileSync(file, 'utf8')));

describe('documents', () => {
  test('show command lines that parse, with commands and options that exist', () => {
    const own = lines.filter(({ words }) => words[0] !== 'npm');
    expect(own.length).toBeGreaterThan(60);
    const wrong = own.flatMap((line) => {
      const why = refuse(line.words.slice(1), line.isInline);
      return why === undefined ? [] : [`${line.at}: ${line.text}: ${why}`];
    });
    expect(wrong).toEqual([]);
  });

  test('name scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = lines.filter(({ words }) => words[0] === 'npm');
    expect(named.length).toBeGreaterThan(5);
    const isMissing = (name = '') => !Object.hasOwn(scripts, name);
    expect(
      named.filter(({ words }) => isMissing(words[2])).map(({ at, text }) => [at, text]),
    ).toEqual([]);
  });

  test('rule 51: show the line above a prompt as it is written: by the short id and the mark', () => {
    const shown = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/<signalbox (?!mark_)[^>\n]*mark_[^>\n]*>/g)].map(
        ([line]) => `${file}: ${line}`,
      ),
    );
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((line) => !/: <signalbox \d+ mark_/.test(line))).toEqual([]);
  });

  test('link to files and headings that are there', () => {
    const dead = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(
          ([, path = '', heading]) => !isThere(path ? join(dirname(file), path) : file, heading),
        )
        .map(([link]) => `${file}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  test('the check itself refuses what does not exist', () => {
    const said = [
      'inbox drian',
      'send a --wait',
      'ls --tree',
      'send a --wait read',
      'explain',
      'ls x',
    ];
    expect(said.filter((text) => refuse(text.split(' '), false) === undefined)).toEqual([]);
    expect(refuse(['explain'], true)).toBeUndefined();
    expect(refuse(['launch', 'codex', '--', '--any-thing'], false)).toBeUndefined();
    expect(split(`git diff | signalbox send r --file - "a \\"b\\" | c" # why`)).toEqual([
      ['git', 'diff'],
      ['signalbox', 'send', 'r', '--file', '-', 'a "b" | c'],
    ]);
  });
});

test('AGENTS.md says for each folder of src/ which tests to run, and they are there', () => {
  const rows = [
    ...readFileSync('AGENTS.md', 'utf8').matchAll(/^\| `src\/(.+?)\/` +\| (.+?) +\|$/gm),
  ];
  const folders = readdirSync('src', { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(rows.map(([, folder]) => folder)).toEqual(folders.map(({ name }) => name).sort());
  const tests = ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(folder, file)),
  );
  const missing = rows.flatMap(([, folder, cell = '']) => {
    const [, paths = ''] = /`npx vitest run ([^`]+)`/.exec(cell) ?? [];
    return paths
      .split(' ')
      .filter((path) => path === '' || !tests.some((test) => test.startsWith(path)))
      .map((path) => `src/${folder}/: ${path}`);
  });
  expect(missing).toEqual([]);
});

describe('decisions', () => {
  const pages = readdirSync('docs/decisions').filter((name) => /^\d{4}-.+\.md$/.test(name));

  test('docs/decisions/README.md lists each by its title, and docs/architecture.md leads there', () => {
    const listed = pages.map((name) => {
      const title = /^# (\d+\. )(.+)$/m.exec(readFileSync(join('docs/decisions', name), 'utf8'));
      return `${title?.[1]}[${title?.[2]}](${name})`;
    });
    const lines = readFileSync('docs/decisions/README.md', 'utf8').split('\n');
    expect(lines.filter((line) => /^\d/.test(line))).toEqual(listed);
    expect(readFileSync('docs/architecture.md', 'utf8')).toContain('(decisions/README.md)');
  });

  test('those that code and documents cite are there', () => {
    const numbers = pages.map((name) => Number(name.slice(0, 4)));
    expect(new Set(numbers).size).toBe(numbers.length);
    const cited = listTexts().flatMap(({ file, text }) => {
      // A comment may break between the word and the number.
      const found = text.matchAll(/\bdecisions?\s+(?:(?:\*|\/\/|#)\s+)?(\d+)/gi);
      return [...found].map(([, number]) => ({ file, number: Number(number) }));
    });
    expect(cited.length).toBeGreaterThan(10);
    expect(cited.filter(({ number }) => !numbers.includes(number))).toEqual([]);
  });
});

test('docs/commands.md is what the program says; if not, run `npm run docs:commands`', () => {
  expect(readFileSync('docs/commands.md', 'utf8')).toBe(writeCommandPage());
});

test('docs/writing.md shows help texts as they are', () => {
  const rows = readFileSync('docs/writing.md', 'utf8').matchAll(
    /^\| `([a-z ]+) --help` +\| .+? +\| (.+?) +\|$/gm,
  );
  const shown = [...rows].map(([, name = '', text = '']) => [name, text]);
  expect(shown.length).toBeGreaterThan(3);
  const said = shown.map(([name = '']) => {
    const [first = '', ...more] = name.split(' ');
    const find = (parent: Command, word: string): Command | undefined =>
      parent.commands.find((child) => child.name() === word);
    const found = more.reduce(
      (command, word) => command && find(command, word),
      find(createProgram([]), first),
    );
    return [name, found?.description()];
  });
  expect(said).toEqual(shown);
});

test('the skill has the front matter by which agents find it', () => {
  const [, front = ''] =
    /^---\n([\s\S]*?)\n---\n/.exec(readFileSync('skills/signalbox/SKILL.md', 'utf8')) ?? [];
  expect(front).toMatch(/^name: signalbox$/m);
  expect(front).toMatch(/^description: .{40,1024}$/m);
  expect(JSON.parse(readFileSync('package.json', 'utf8')).files).toContain('skills');
});

/** Our source and our documents. */
function listTexts(): readonly { readonly file: string; readonly text: string }[] {
  const sources = ['src', 'test', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs|sh)$/.test(file))
      .map((file) => join(folder, file)),
  );
  return [...sources, ...files].map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

function isThere(path: string, heading: string | undefined): boolean {
  if (!existsSync(path)) return false;
  if (heading === undefined) return true;
  const headings = readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].some(([, text = '']) => slug(text) === heading);
}

/** As GitHub makes it of a heading. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Why the program would not take these words; undefined if it does. Nothing is run. */
function refuse(words: readonly string[], isInline: boolean): string | undefined {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  const program = createProgram(end < 0 ? [] : words.slice(end + 1));
  disarm(program);
  try {
    program.parse([...own], { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const isNamed =
      isInline && /^commander\.missing(Argument|MandatoryOptionValue)$/.test(error.code);
    return error.exitCode === 0 || isNamed ? undefined : error.message;
  }
}

function disarm(command: Command): void {
  command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  for (const child of command.commands) disarm(child.action(() => undefined));
}
