import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FakeClock } from '../../test/fakes/clock.ts';
import { tempHome } from '../../test/support/home.ts';
import { OutputLog, type OutputLogOptions } from './output-log.ts';

function open(options: Partial<OutputLogOptions> = {}) {
  const path = join(tempHome(), 'logs', 'agent.log');
  const troubles: (string | undefined)[] = [];
  const clock = new FakeClock();
  const log = new OutputLog(path, { clock, trouble: (text) => troubles.push(text), ...options });
  return { path, troubles, clock, log, read: () => readFileSync(path, 'latin1') };
}

test('bytes are written as they came, in order (E7)', async () => {
  const { log, read, path } = open();
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  for (let i = 0; i < 50; i++) log.append(bytes);
  await log.close();
  expect(read()).toBe(bytes.toString('latin1').repeat(50));
  expect(statSync(path).mode & 0o077).toBe(0);
});

test('what does not fit the queue is dropped and its place is marked with the number of bytes (E7)', async () => {
  const { log, read } = open({ queueBytes: 10 });
  log.append(Buffer.from('12345678'));
  log.append(Buffer.from('lost')); // In the same moment: nothing is written yet.
  log.append(Buffer.from('too'));
  await log.close();
  expect(read()).toBe('12345678\r\n[signalbox: 7 bytes dropped here]\r\n');
});

test('a flood is held to what a terminal may write in the long run, and is heard again later (E7)', async () => {
  const { log, read, clock } = open({ burstBytes: 4, sustainedBytesPerSecond: 2 });
  log.append(Buffer.from('abcd'));
  log.append(Buffer.from('efgh'));
  clock.pass(2000);
  log.append(Buffer.from('ijkl'));
  await log.close();
  expect(read()).toBe('abcd\r\n[signalbox: 4 bytes dropped here]\r\nijkl');
});

test('the file is rotated at its bound, and one older one is kept (E7)', async () => {
  const { log, path, read } = open({ rotateBytes: 8 });
  for (const part of ['first---', 'second--', 'third']) {
    log.append(Buffer.from(part));
    await log.flushed();
  }
  await log.close();
  expect(read()).toBe('third');
  expect(readFileSync(`${path}.1`, 'latin1')).toBe('second--');
});

test('a log goes on where an earlier one ended', async () => {
  const { log, path, read, clock } = open();
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'before ');
  log.append(Buffer.from('after'));
  await log.close();
  const next = new OutputLog(path, { clock, trouble: () => undefined });
  next.append(Buffer.from(' again'));
  await next.close();
  expect(read()).toBe('before after again');
});

test('a file that cannot be written is said once, tried again, and said when it works (E7)', async () => {
  const { log, path, troubles, clock, read } = open();
  mkdirSync(path, { recursive: true });
  log.append(Buffer.from('one'));
  await log.flushed();
  log.append(Buffer.from('two')); // Too soon to try again.
  clock.pass(2000);
  log.append(Buffer.from('three'));
  await log.flushed();
  expect(troubles).toEqual([expect.stringContaining('EISDIR')]);
  rmSync(path, { recursive: true });
  clock.pass(2000);
  log.append(Buffer.from('four'));
  await log.close();
  expect(troubles).toEqual([expect.stringContaining('EISDIR'), undefined]);
  expect(read()).toBe('\r\n[signalbox: 11 bytes dropped here]\r\nfour');
});
