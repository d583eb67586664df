import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempHome } from '../../test/support/home.ts';
import { type BackwardsOptions, readLinesBackwards } from './read-lines-backwards.ts';

test('every line comes back, last to first, wherever the chunks are cut', async () => {
  const path = join(tempHome(), 'lines');
  // Any bytes but the newline; as latin1, one character each.
  const line = fc
    .uint8Array({ maxLength: 12 })
    .map((bytes) => Buffer.from(bytes).toString('latin1').replaceAll('\n', '\r'));
  const cases = fc.asyncProperty(
    fc.array(line, { maxLength: 8 }),
    fc.integer({ min: 1, max: 50 }),
    async (lines, chunkBytes) => {
      writeFileSync(path, lines.map((text) => `${text}\n`).join(''), 'latin1');
      const expected = lines.filter((text) => text !== '').toReversed();
      expect(await collect(path, { chunkBytes })).toEqual(expected);
    },
  );
  await fc.assert(cases, { numRuns: 100 });
});

test('a last line without its newline is still being written and does not count', async () => {
  const path = join(tempHome(), 'lines');
  writeFileSync(path, 'one\ntwo\n{"half":');
  expect(await collect(path)).toEqual(['two', 'one']);
  writeFileSync(path, '{"half":');
  expect(await collect(path)).toEqual([]);
});

test('O5: a line over the bound is told and passed over, and the lines round it are whole', async () => {
  const path = join(tempHome(), 'lines');
  writeFileSync(path, `before\n${'x'.repeat(5000)}\nafter\n`);
  expect(await collect(path, { maxLineBytes: 4096, chunkBytes: 512 })).toEqual([
    'after',
    'too-long',
    'before',
  ]);
});

test('an abort ends the reading of a long file', async () => {
  const path = join(tempHome(), 'lines');
  writeFileSync(path, 'a line\n'.repeat(10_000));
  const stop = new AbortController();
  const reading = (async () => {
    for await (const _ of readLinesBackwards(path, { chunkBytes: 64, signal: stop.signal })) {
      stop.abort();
    }
  })();
  await expect(reading).rejects.toThrow('abort');
});

async function collect(path: string, options?: BackwardsOptions): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const line of readLinesBackwards(path, options)) found.push(line.toString('latin1'));
  return found;
}
