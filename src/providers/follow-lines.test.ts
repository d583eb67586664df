import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { LineFollower } from './follow-lines.ts';

test('lines are given once, as they are added, and a line without its newline waits', async () => {
  const path = join(tempHome(), 'a.jsonl');
  const follower = new LineFollower(path);
  expect(await drain(follower)).toEqual([]);
  expect(follower.trouble).toBe('missing');
  writeFileSync(path, 'one\ntwo\nthr');
  expect(await drain(follower)).toEqual(['one', 'two']);
  expect(follower.trouble).toBeUndefined();
  expect(await drain(follower)).toEqual([]);
  appendFileSync(path, 'ee');
  expect(await drain(follower)).toEqual([]);
  appendFileSync(path, '\n\nfour\n');
  expect(await drain(follower)).toEqual(['three', 'four']);
});

test.each([
  ['what it holds when it is found is old', 'a\nb\n', '', ['a', 'b']],
  ['a line that is finished later is new', 'a\nb', 'b\nc\n', ['a', 'bb new', 'c new']],
  ['what is added later is new', 'a\n', 'b\n', ['a', 'b new']],
  ['all is new in a file that was missing first', undefined, 'a\n', ['a new']],
])('of a file, %s', async (_, before, after, expected) => {
  const path = join(tempHome(), 'a.jsonl');
  if (before !== undefined) writeFileSync(path, before);
  const follower = new LineFollower(path);
  const lines = await drainWithAge(follower);
  appendFileSync(path, after);
  expect([...lines, ...(await drainWithAge(follower))]).toEqual(expected);
});

test('of a file that began again all is old that was read then; what comes later is new', async () => {
  const path = join(tempHome(), 'a.jsonl');
  writeFileSync(path, 'a\nb\n');
  const follower = new LineFollower(path);
  await drainWithAge(follower);
  writeFileSync(path, 'c\n');
  // What stood there before is still being written into it.
  const add = (line: string) => line === 'c' && appendFileSync(path, 'd\n');
  expect(await drainWithAge(follower, add)).toEqual(['begun-again', 'c', 'd']);
  appendFileSync(path, 'e\n');
  expect(await drainWithAge(follower)).toEqual(['e new']);
});

test('a line that spans many reads, and a character that is cut by one, arrive whole', async () => {
  const path = join(tempHome(), 'a.jsonl');
  const follower = new LineFollower(path, { chunkBytes: 3 });
  const text = 'schön 🚂 and long';
  const bytes = Buffer.from(text);
  writeFileSync(path, bytes.subarray(0, 9));
  expect(await drain(follower)).toEqual([]);
  appendFileSync(path, bytes.subarray(9));
  appendFileSync(path, '\nb\n');
  expect(await drain(follower)).toEqual([text, 'b']);
});

test('O5: a line that is too long is passed over and told, also when it comes in parts', async () => {
  const path = join(tempHome(), 'a.jsonl');
  const follower = new LineFollower(path, { maxLineBytes: 10, chunkBytes: 4 });
  writeFileSync(path, `${'x'.repeat(11)}\n${'y'.repeat(10)}\n${'z'.repeat(9)}`);
  expect(await drain(follower)).toEqual(['too-long', 'y'.repeat(10)]);
  appendFileSync(path, 'zzzz');
  expect(await drain(follower)).toEqual([]);
  appendFileSync(path, '\nok\n');
  expect(await drain(follower)).toEqual(['too-long', 'ok']);
});

test.each([
  ['was cut', (path: string) => writeFileSync(path, 'new\n')],
  ['was emptied and has grown beyond', (path: string) => writeFileSync(path, 'new\nand longer\n')],
  [
    'was replaced by one of the same length',
    (path: string) => {
      writeFileSync(`${path}.new`, 'new\ntwo\n');
      renameSync(`${path}.new`, path);
    },
  ],
  [
    'was gone for a while',
    (path: string) => {
      writeFileSync(`${path}.new`, 'new\n');
      rmSync(path);
      renameSync(`${path}.new`, path);
    },
  ],
])('a file that %s is begun again, and says so', async (_, change) => {
  const path = join(tempHome(), 'a.jsonl');
  const follower = new LineFollower(path);
  writeFileSync(path, 'one\ntwo\n');
  expect(await drain(follower)).toEqual(['one', 'two']);
  change(path);
  const lines = await drain(follower);
  expect(lines.slice(0, 2)).toEqual(['begun-again', 'new']);
  appendFileSync(path, 'last\n');
  expect(await drain(follower)).toEqual(['last']);
});

test('who stops early gets the rest with the next call', async () => {
  const path = join(tempHome(), 'a.jsonl');
  const follower = new LineFollower(path);
  writeFileSync(path, 'one\ntwo\nthree\nfo');
  for await (const line of follower.readNew()) {
    expect(String(line)).toBe('one');
    break;
  }
  appendFileSync(path, 'ur\n');
  expect(await drain(follower)).toEqual(['two', 'three', 'four']);
});

test('a file that is lost keeps what was read; a folder in its place is a trouble, no error', async () => {
  const path = join(tempHome(), 'a.jsonl');
  const follower = new LineFollower(path);
  writeFileSync(path, 'one\n');
  await drain(follower);
  rmSync(path);
  expect(await drain(follower)).toEqual([]);
  expect(follower.trouble).toBe('missing');
  mkdirSync(path);
  expect((await drain(follower)).filter((line) => line !== 'begun-again')).toEqual([]);
  expect(follower.trouble).toBe('unreadable');
});

test.skipIf(process.getuid?.() === 0)('a file that is not ours to read is a trouble', async () => {
  const path = join(tempHome(), 'a.jsonl');
  writeFileSync(path, 'one\n');
  chmodSync(path, 0);
  const follower = new LineFollower(path);
  expect(await drain(follower)).toEqual([]);
  expect(follower.trouble).toBe('unreadable');
});

async function drainWithAge(
  follower: LineFollower,
  onLine: (line: string) => void = () => undefined,
): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of follower.readNew()) {
    onLine(line.toString());
    lines.push(line !== 'begun-again' && follower.isLineNew ? `${line} new` : `${line}`);
  }
  return lines;
}

async function drain(follower: LineFollower): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of follower.readNew()) lines.push(line.toString());
  return lines;
}
