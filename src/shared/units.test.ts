import { expect, test } from 'vitest';
import { formatAge, formatSize, formatSpan, parseSize, parseSpan } from './units.ts';

test('spans are read as people write them', () => {
  expect(parseSpan('500ms')).toBe(500);
  expect(parseSpan('90s')).toBe(90_000);
  expect(parseSpan('1.5h')).toBe(5_400_000);
  expect(parseSpan('14d')).toBe(14 * 86_400_000);
  for (const text of ['', '5', 's', '-1s', '1 year', '1e3s'])
    expect(parseSpan(text)).toBeUndefined();
});

test('sizes are read as people write them', () => {
  expect(parseSize('4096')).toBe(4096);
  expect(parseSize('64KiB')).toBe(65_536);
  expect(parseSize('1MiB')).toBe(1_048_576);
  expect(parseSize('1 MB')).toBe(1_000_000);
  for (const text of ['', 'MiB', '-1', '1GiBs']) expect(parseSize(text)).toBeUndefined();
});

test('what is printed can be read again', () => {
  for (const ms of [5, 1000, 90_000, 5_400_000, 86_400_000])
    expect(parseSpan(formatSpan(ms))).toBe(ms);
  for (const bytes of [5, 1024, 1_572_864]) expect(parseSize(formatSize(bytes))).toBe(bytes);
});

test('an age is whole, and never below a second', () => {
  const ages = [0, 999, 1500, 59_999, 90_000, 5_399_000, 86_400_000 * 2.9].map(formatAge);
  expect(ages).toEqual(['0s', '0s', '1s', '59s', '1m', '1h', '2d']);
});
