import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.ts';
import { systemClock } from '../../shared/clock.ts';
import type { NativeRoute } from '../way-in.ts';
import { eventFile, inputFile } from './launch.ts';
import { openNative } from './native.ts';
import { putUp } from './put-up.ts';

let runFolder: string;
let native: NativeRoute | undefined;
let changes: number;

beforeEach(() => {
  runFolder = mkdtempSync(join(tmpdir(), 'signalbox-qwen-'));
  changes = 0;
});
afterEach(() => {
  native?.close();
  native = undefined;
  rmSync(runFolder, { recursive: true, force: true });
});

test('a message is one line that is appended, whatever it holds', async () => {
  write(inputFile, '');
  write(eventFile, '{}\n');
  const text = fenced('one\ntwo "three" \u2028 ünïcode');
  expect(await open().inject(injection('one\ntwo "three" \u2028 ünïcode'))).toEqual({
    outcome: 'taken',
  });
  expect(await open().inject(injection('next'))).toEqual({ outcome: 'taken' });
  const lines = readFileSync(join(runFolder, inputFile), 'utf8').split('\n');
  expect(lines.filter((line) => line !== '').map((line) => JSON.parse(line))).toEqual([
    { type: 'submit', text },
    { type: 'submit', text: fenced('next') },
  ]);
});

test('rule 53: an input file that is gone is missed and made again, empty, and used once Qwen Code has noticed it', async () => {
  write(inputFile, '');
  write(eventFile, '{}\n');
  const route = open();
  await route.inject(injection('before'));
  rmSync(join(runFolder, inputFile));
  expect(route.blocked()).toBe('its input file is gone');
  expect(await putUp({ runFolder })).toEqual({ outcome: 'asked' });
  expect(readFileSync(join(runFolder, inputFile), 'utf8')).toBe('');
  expect(route.blocked()).toBe('Qwen Code may not have noticed its new input file');
  const later = vi
    .spyOn(systemClock, 'monotonicMs')
    .mockReturnValue(systemClock.monotonicMs() + 2000);
  try {
    expect(route.blocked()).toBeUndefined();
    expect(await route.inject(injection('after'))).toEqual({ outcome: 'taken' });
  } finally {
    later.mockRestore();
  }
});

test('rule 53: an input file that is there is left as it is', async () => {
  write(inputFile, 'what was said\n');
  expect(await putUp({ runFolder })).toEqual({ outcome: 'asked' });
  expect(readFileSync(join(runFolder, inputFile), 'utf8')).toBe('what was said\n');
  rmSync(runFolder, { recursive: true });
  expect(await putUp({ runFolder })).toMatchObject({ outcome: 'cannot' });
});

test('rule 51f: the text goes in as it was written, with the paths that a person may name', async () => {
  write(inputFile, '');
  write(eventFile, '{}\n');
  await open().inject(injection('@a.txt\n\\@b.txt'));
  const [, line = ''] = readFileSync(join(runFolder, inputFile), 'utf8').split('\n');
  expect(JSON.parse(line)).toEqual({ type: 'submit', text: fenced('@a.txt\n\\@b.txt') });
});

test('rule 14: in a person’s shell mode the text is no command, and a text that could be one is refused', async () => {
  write(inputFile, '');
  write(eventFile, '{}\n');
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-qwen-'));
  const run = (command: string): number | null =>
    spawnSync('bash', ['-c', `{ ${command}\n}`], { cwd: folder }).status;
  expect(run(fenced('touch ran'))).not.toBe(0);
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  rmSync(folder, { recursive: true });
  const bare = { ...injection('x'), text: 'touch ran' };
  expect(await open().inject(bare)).toMatchObject({ outcome: 'refused' });
});

test('half a line that a full disk left is ended by the next one, which is whole', async () => {
  write(inputFile, '{"type":"submit","te');
  write(eventFile, '{}\n');
  await open().inject(injection('next'));
  const [half, whole] = readFileSync(join(runFolder, inputFile), 'utf8').split('\n');
  expect(() => JSON.parse(half ?? '')).toThrow();
  expect(JSON.parse(whole ?? '')).toEqual({ type: 'submit', text: fenced('next') });
});

test('it waits until Qwen Code reads: a line that is there before is never read', async () => {
  write(inputFile, '');
  write(eventFile, '');
  const route = open();
  expect(route.blocked()).toContain('does not read its input yet');
  expect(await route.inject(injection('x'))).toMatchObject({ outcome: 'refused' });
  expect(readFileSync(join(runFolder, inputFile), 'utf8')).toBe('');
  write(eventFile, '{"type":"system"}\n');
  await waitFor(() => expect(changes).toBeGreaterThan(0));
  expect(route.blocked()).toBeUndefined();
});

test('a person’s own input or event file leaves no way in, and it says so', () => {
  expect(open().blocked()).toContain('without an input file of ours');
  write(inputFile, '');
  expect(open().blocked()).toContain('without an event file of ours');
});

test('rule 2: when the claim no longer holds, or its time is over, nothing is written', async () => {
  write(inputFile, '');
  write(eventFile, '{}\n');
  const late = { ...injection('x'), begin: async () => false };
  expect(await open().inject(late)).toMatchObject({ outcome: 'refused' });
  const begin = vi.fn(async () => true);
  const over = { ...injection('x'), begin, signal: AbortSignal.abort() };
  expect(await open().inject(over)).toMatchObject({ outcome: 'refused' });
  expect(begin).not.toHaveBeenCalled();
  expect(readFileSync(join(runFolder, inputFile), 'utf8')).toBe('');
});

test('a file that is gone is not made again: nobody reads it', async () => {
  write(inputFile, '');
  write(eventFile, '{}\n');
  const route = open();
  expect(route.blocked()).toBeUndefined();
  rmSync(join(runFolder, inputFile));
  expect(await route.inject(injection('x'))).toMatchObject({ outcome: 'refused' });
});

function open(): NativeRoute {
  native?.close();
  native = openNative({
    current: () => ({
      agent: 'agt_1',
      pid: 1,
      cwd: '/srv/app',
      startedAt: 0,
      version: '0.24.4',
      env: {},
      runFolder,
      conversation: undefined,
    }),
    changed: () => {
      changes++;
    },
  });
  return native;
}

function fenced(text: string): string {
  return `<signalbox mark_x>\n${text}\n</signalbox mark_x>`;
}

function injection(body: string) {
  const text = fenced(body);
  const signal = AbortSignal.timeout(10_000);
  return { mark: 'mark_x', at: 0, text, begin: async () => true, signal };
}

function write(name: string, text: string): void {
  writeFileSync(join(runFolder, name), text);
}
