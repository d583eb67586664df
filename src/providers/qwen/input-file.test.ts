import { readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { appendToInput } from './input-file.ts';
import { inputFile } from './launch.ts';

const first = Buffer.from('\n{"type":"submit","text":"one"}\n');
const second = Buffer.from('\n{"type":"submit","text":"two"}\n');
const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

/** The disk takes so many bytes of each of the next writes; an error comes behind them. */
async function openFile(takes: readonly (number | Error | [number, Error])[]) {
  // Of an earlier one within the same test.
  vi.restoreAllMocks();
  const folder = tempHome();
  const path = join(folder, inputFile);
  writeFileSync(path, '');
  const probe = await open(path, 'a');
  const prototype = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const left = [...takes];
  const write = prototype.write;
  const spy = vi.spyOn(prototype, 'write').mockImplementation(async function (
    this: FileHandle,
    ...[bytes, from = 0, length = 0]: unknown[]
  ) {
    const next = left.shift() ?? Number.POSITIVE_INFINITY;
    const [most, error] = Array.isArray(next)
      ? next
      : typeof next === 'number'
        ? [next, undefined]
        : [0, next];
    const count = Math.min(most, Number(length));
    if (count > 0) await Reflect.apply(write, this, [bytes, from, count]);
    if (error) throw error;
    return { bytesWritten: count, buffer: bytes };
  } as FileHandle['write']);
  onTestFinished(() => spy.mockRestore());
  /** What Qwen Code 0.24.4 would act on: every line that is a whole document. */
  const said = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          return [(JSON.parse(line) as { text: string }).text];
        } catch {
          // Half a line, or none.
          return [];
        }
      });
  const append = (line: Buffer) => appendToInput(folder, line, async () => true);
  return { append, said };
}

test.each([1, 10, first.length - 2])(
  'rule 41: of a line of which the disk took %d bytes nothing is read, and it is refused; the next one is whole',
  async (bytes) => {
    const { append, said } = await openFile([bytes]);
    expect(await append(first)).toMatchObject({ outcome: 'refused' });
    expect(said()).toEqual([]);
    expect(await append(second)).toEqual({ outcome: 'taken' });
    expect(said()).toEqual(['two']);
  },
);

test('rule 41: a line that lacks only its end can be read: it is ended, or nobody knows', async () => {
  const ended = await openFile([first.length - 1]);
  expect(await ended.append(first)).toEqual({ outcome: 'taken' });
  expect(ended.said()).toEqual(['one']);
  const open = await openFile([first.length - 1, full]);
  expect(await open.append(first)).toMatchObject({ outcome: 'unknown' });
  expect(open.said()).toEqual(['one']);
});

test('rule 41: an error is a refusal only where the file is as long as it was', async () => {
  const nothing = await openFile([full]);
  expect(await nothing.append(first)).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining('ENOSPC'),
  });
  const all = await openFile([[first.length, full]]);
  expect(await all.append(first)).toMatchObject({ outcome: 'unknown' });
  expect(all.said()).toEqual(['one']);
});
