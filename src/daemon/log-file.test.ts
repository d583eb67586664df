import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../shared/clock.ts';
import { openLog } from './log.ts';
import { LogFile } from './log-file.ts';

test('it is rotated by size, three old ones are kept, and no line is cut or lost among those', () => {
  const { path, folder } = place();
  const file = new LogFile(path, { clock: steppingClock(), maxBytes: 1000, keep: 3 });
  const lines = Array.from(
    { length: 100 },
    (_, i) => `line ${String(i).padStart(3, '0')} ${'x'.repeat(90)}\n`,
  );
  for (const line of lines) file.write(line);
  expect(readdirSync(folder).toSorted()).toEqual([
    'daemon.log',
    'daemon.log.1',
    'daemon.log.2',
    'daemon.log.3',
  ]);
  const kept = ['.3', '.2', '.1', ''].map((suffix) => readFileSync(`${path}${suffix}`, 'utf8'));
  for (const text of kept) expect(text.length).toBeLessThanOrEqual(1000);
  expect(lines.join('').endsWith(kept.join(''))).toBe(true);
});

test('a file that is there already is continued', () => {
  const { path } = place();
  for (const line of ['first\n', 'second\n']) {
    const file = new LogFile(path, { clock: steppingClock(), maxBytes: 1000, keep: 3 });
    file.write(line);
    file.close();
  }
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
});

test('a full disk harms nobody: lines are lost, and their number is the first thing written afterwards', () => {
  const { path } = place();
  const clock = steppingClock();
  symlinkSync('/dev/full', path);
  const file = new LogFile(path, { clock, maxBytes: 1000, keep: 3 });
  file.write('lost\n');
  file.write('lost too\n');
  expect(file.lost).toBe(2);
  rmSync(path);
  clock.pass(2000);
  file.write('kept\n');
  const [first = '', second] = readFileSync(path, 'utf8').split('\n');
  expect(JSON.parse(first)).toMatchObject({ level: 'warn', lost: 2 });
  expect([second, file.lost]).toEqual(['kept', 0]);
});

test('a file that somebody moved away or deleted is made again', () => {
  const { path, folder } = place();
  const file = new LogFile(path, { clock: steppingClock(), maxBytes: 1000, keep: 3 });
  file.write('one\n');
  renameSync(path, join(folder, 'moved'));
  file.follow();
  file.write('two\n');
  expect(readFileSync(path, 'utf8')).toBe('two\n');
  rmSync(folder, { recursive: true });
  file.follow();
  file.write('three\n');
  expect(existsSync(path) && readFileSync(path, 'utf8')).toBe('three\n');
});

test('a line of the log has level, time, facts and text, without secrets', () => {
  const { path } = place();
  const echoed: string[] = [];
  const { log, file } = openLog(path, steppingClock(), (line) => echoed.push(line));
  log.warn({ agent: 'agt_1', token: 'abc' }, 'it went wrong: Bearer abcdef');
  file.close();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    agent: 'agt_1',
    token: '[redacted]',
    text: 'it went wrong: Bearer [redacted]',
  });
  expect(echoed).toEqual([readFileSync(path, 'utf8')]);
});

function place(): { path: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, path: join(folder, 'daemon.log') };
}

function steppingClock(): Clock & { pass(ms: number): void } {
  let ms = 5000;
  return {
    now: () => 1_800_000_000_000 + ms,
    monotonicMs: () => ms,
    sleep: async () => undefined,
    pass: (more) => {
      ms += more;
    },
  };
}
