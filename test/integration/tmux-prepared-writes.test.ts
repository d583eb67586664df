import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Terminal } from '../../src/terminals/terminal.ts';
import { pastesRaw } from '../../src/terminals/tmux/version.ts';
import type { PreparedWrite } from '../../src/terminals/writing.ts';
import { hasTmux, openTmuxWorld, type TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Bytes that lie beside a terminal while the claim for them is on its way to the disk. */
const version = hasTmux ? execFileSync('tmux', ['-V'], { encoding: 'utf8' }) : '';
const check = test.skipIf(!pastesRaw(version.replace(/^tmux\s+/, '')));

const inHex = [process.execPath, resolve('test/contracts/backend/echo-hex.mjs')];
const paste = Buffer.from(`\x1b[200~a letter, “quoted” — $HOME ~ #{pid}\rof two lines;\x1b[201~`);

async function prepare(world: TmuxWorld, terminal: Terminal): Promise<PreparedWrite> {
  const prepared = world.backend.prepare?.(terminal, paste);
  if (!prepared) throw new Error('it was not prepared');
  await waitUntil('the buffer', () => buffers(world).length === 1);
  return prepared;
}

const buffers = (world: TmuxWorld): readonly string[] =>
  world.tmux('list-buffers', '-F', '#{buffer_name}').split('\n').filter(Boolean);

const untilNone = (world: TmuxWorld): Promise<unknown> =>
  waitUntil('no buffer is left', () => buffers(world).length === 0);

/** What came after `ready`; a mark behind it shows that nothing is still on its way. */
async function received(world: TmuxWorld, terminal: Terminal): Promise<string> {
  expect(await world.backend.write(terminal, Buffer.from('!'))).toBe('written');
  const count = (text: string): number => Number(/(\d+) [0-9a-f]+\s*$/.exec(text)?.[1]);
  const lines = await waitUntil('the mark', async () => {
    const look = await world.backend.look(terminal);
    const text = look === 'gone' ? '' : look.lines.join('\n').trimEnd();
    return count(text) > 0 ? text : undefined;
  });
  return String(count(lines) - 1);
}

check('nothing reaches the program before it is written, and then all of it, once', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', inHex);
  const prepared = await prepare(world, terminal);
  expect(await received(world, terminal)).toBe('0');
  expect(await prepared.write()).toBe('written');
  const whole = Buffer.concat([Buffer.from('!'), paste]);
  await world.untilScreen(terminal, `${whole.length} ${digest(whole)}`);
  expect(buffers(world)).toEqual([]);
});

check('what is dropped is gone, and the program knows nothing of it', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', inHex);
  (await prepare(world, terminal)).drop();
  await untilNone(world);
  expect(await received(world, terminal)).toBe('0');
});

check('rule 24: while a person scrolls, and for a stranger, nothing is written', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', inHex);
  const early = await prepare(world, terminal);
  world.tmux('copy-mode', '-t', terminal.pane);
  expect(await early.write()).toBe('copy-mode');
  await untilNone(world);
  world.tmux('send-keys', '-X', '-t', terminal.pane, 'cancel');
  const strange = await prepare(world, { ...terminal, epoch: terminal.epoch + 1 });
  expect(await strange.write()).toBe('gone');
  await untilNone(world);
  const elsewhere = await prepare(world, { ...terminal, server: '1:1' });
  expect(await elsewhere.write()).toBe('gone');
  expect(await received(world, terminal)).toBe('0');
});

check('a buffer that somebody deleted was not written, and not another one for it', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', inHex);
  const prepared = await prepare(world, terminal);
  world.tmux('set-buffer', '-b', 'mine', 'of a person');
  world.tmux('delete-buffer', '-b', buffers(world).find((name) => name !== 'mine') ?? '');
  expect(await prepared.write()).toBe('unsent');
  expect(buffers(world)).toEqual(['mine']);
  expect(await received(world, terminal)).toBe('0');
});

check('what a daemon that died has left is gone with the next one; a person’s is not', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', inHex);
  await prepare(world, terminal);
  world.tmux('set-buffer', '-b', 'mine', 'of a person');
  const next = world.open();
  try {
    await next.start();
    expect(buffers(world)).toEqual(['mine']);
  } finally {
    await next.close();
  }
});

check('what a paste would change, or is no paste, is not prepared', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', inHex);
  for (const text of ['a\x1b[201~b', 'a\0b', 'emoji \u{1f980}', 'x'.repeat(40_000)]) {
    const bytes = Buffer.from(`\x1b[200~${text}\x1b[201~`);
    expect(world.backend.prepare?.(terminal, bytes)).toBeUndefined();
  }
  expect(world.backend.prepare?.(terminal, Buffer.from('plain'))).toBeUndefined();
  expect(buffers(world)).toEqual([]);
});

function digest(bytes: Buffer): string {
  return bytes.reduce((sum, byte, i) => (sum * 31 + byte + i) % 1_000_000_007, 7).toString(16);
}
