import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { OutputChunk } from '../../src/terminals/backend.ts';
import { sweep } from '../support/sweep.ts';
import { hasTmux, openTmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Programs that print too much, too fast, or nonsense. */
const check = test.skipIf(!hasTmux);
const flooder = resolve('test/integration/fixtures/flooder.mjs');
const mebibyte = 1024 * 1024;
const megabytes = sweep(100, 30);

check(
  `${megabytes} MB as fast as it goes: the program ends, its log is bounded and marked, others answer (E7)`,
  async () => {
    const world = await openTmuxWorld();
    const quiet = await world.launchUntil('ready', ['sh', '-c', 'echo ready; exec cat']);
    const wanted = world.wanted([
      process.execPath,
      flooder,
      join(world.folder, 'progress'),
      `${megabytes}`,
    ]);
    const began = performance.now();
    const terminal = await world.backend.launch(wanted);
    await waitUntil(
      'the middle of it',
      () => (world.heard.bytes.get(terminal.agent) ?? 0) > 5 * mebibyte,
    );
    expect(await world.backend.write(quiet, Buffer.from('hello\r'))).toBe('written');
    await world.untilScreen(quiet, 'hello');
    const sight = await waitUntil(
      'its end',
      async () => {
        const found = await world.sight(terminal);
        return found?.isAlive === false ? found : undefined;
      },
      // On a quiet machine some seconds; beside other work on two cores minutes were seen.
      500_000,
    );
    // Its very last words are not asked for: tmux 3.3a may lose those of a program that ends in the
    // same moment.
    expect(sight.exitCode).toBe(0);
    const seconds = (performance.now() - began) / 1000;
    await world.backend.close();
    // The log takes 8 MiB at once and then 1 MiB/s: on a very busy machine the program prints no
    // faster than that, and nothing is dropped.
    if (megabytes > 8 + seconds) {
      expect(readFileSync(wanted.logPath, 'latin1') + older(wanted.logPath)).toMatch(
        /\[signalbox: \d+ bytes dropped here\]/,
      );
    }
    for (const path of [wanted.logPath, `${wanted.logPath}.1`]) {
      if (existsSync(path)) expect(statSync(path).size).toBeLessThan(10 * mebibyte);
    }
  },
);

function older(path: string): string {
  return existsSync(`${path}.1`) ? readFileSync(`${path}.1`, 'latin1') : '';
}

check(
  'an agent floods on while the daemon’s own thread is busy for 10 s',
  { tags: ['full'] },
  async () => {
    const world = await openTmuxWorld();
    const progress = join(world.folder, 'progress');
    const terminal = await world.launch([process.execPath, flooder, progress, 'for ever']);
    await waitUntil('the flood', () => (world.heard.bytes.get(terminal.agent) ?? 0) > mebibyte);
    const heardBefore = world.heard.bytes.get(terminal.agent) ?? 0;
    const began = Date.now();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
    const ended = Date.now();
    // The program itself notes when each mebibyte was taken from it: also in the last fifth of that
    // time some were. Pipes and the server's own buffers hold far less than the whole would be.
    const times = readFileSync(progress, 'utf8').trim().split('\n').map(Number);
    const late = times.filter((at) => at > ended - (ended - began) / 5 && at <= ended);
    expect(late.length).toBeGreaterThan(0);
    // What happened meanwhile comes as one piece of news.
    await waitUntil(
      'the news',
      () => (world.heard.bytes.get(terminal.agent) ?? 0) > heardBefore + mebibyte,
    );
    expect(await world.backend.look(terminal)).not.toBe('gone');
  },
);

check(
  'a follower that is too slow loses the oldest and is told how much',
  { tags: ['full'] },
  async () => {
    const world = await openTmuxWorld();
    const terminal = await world.launch([
      process.execPath,
      flooder,
      join(world.folder, 'progress'),
      'for ever',
    ]);
    const chunks: OutputChunk[] = [];
    const unfollow = world.backend.follow(terminal, (chunk) => chunks.push(chunk));
    await waitUntil('the first', () => chunks.length > 0);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    const gap = await waitUntil('the gap', () => chunks.find((chunk) => chunk.kind === 'gap'));
    unfollow();
    expect(gap.lost).toBeGreaterThan(0);
  },
);

check(
  'binary garbage and a megabyte without a newline reach the log as they are and break nothing',
  async () => {
    const world = await openTmuxWorld();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
      .toString('hex')
      .match(/../g)
      ?.map((hex) => `\\x${hex}`)
      .join('');
    const script = `process.stdout.write('${bytes}'.repeat(40), 'latin1'); process.stdout.write(Buffer.from('${bytes}', 'latin1')); process.stdout.write('\\x1bc' + 'x'.repeat(1048576) + '\\r\\nthe end'); setInterval(() => 0, 1000)`;
    const wanted = world.wanted([process.execPath, '-e', script]);
    const terminal = await world.backend.launch(wanted);
    await world.untilScreen(terminal, 'the end');
    await waitUntil('the log', () => readFileSync(wanted.logPath, 'latin1').endsWith('the end'));
    const log = readFileSync(wanted.logPath, 'latin1');
    expect(log).toContain('x'.repeat(mebibyte));
    expect(log).toContain(Buffer.from(Array.from({ length: 9 }, (_, i) => i)).toString('latin1'));
    expect(await world.sight(terminal)).toMatchObject({ isAlive: true });
  },
);

check('a flooding agent goes on after the backend is closed', async () => {
  const world = await openTmuxWorld();
  const progress = join(world.folder, 'progress');
  const terminal = await world.launch([process.execPath, flooder, progress, 'for ever']);
  await waitUntil('the flood', () => (world.heard.bytes.get(terminal.agent) ?? 0) > mebibyte);
  await world.backend.close();
  const before = statSync(progress).size;
  await waitUntil('progress', () => statSync(progress).size > before + 10);
});
