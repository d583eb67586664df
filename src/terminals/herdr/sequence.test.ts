import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { firstSequence } from './sequence.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sbx-sequence-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const at = (now: number) => ({ now: () => now });

test('each daemon begins above the one before it, also with a clock that was set back', () => {
  const folder = tempFolder();
  const first = firstSequence(folder, at(1_800_000_000_000));
  const second = firstSequence(folder, at(1_800_000_000_000 - 3_600_000));
  const third = firstSequence(folder, at(1_800_000_100_000));
  expect(first).toBe(1_800_000_000_000_000);
  expect(second).toBeGreaterThan(first + 100_000_000);
  expect(third).toBeGreaterThan(second + 100_000_000);
  expect(Number.isSafeInteger(third)).toBe(true);
});

test('a note that cannot be read, or written, costs nothing but itself', () => {
  const folder = tempFolder();
  for (const text of ['', 'x', '-1', '9e99']) {
    writeFileSync(join(folder, 'sequence'), text);
    expect(firstSequence(folder, at(1000))).toBeGreaterThanOrEqual(1_000_000);
  }
  const other = tempFolder();
  mkdirSync(join(other, 'sequence.new'));
  expect(firstSequence(other, at(1000))).toBe(1_000_000);
});
