import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Carried } from '../../src/delivery/carried.ts';
import type { Pen, RecipientView } from '../../src/delivery/recipient.ts';
import { Paste } from '../../src/delivery/routes/paste.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { Terminal } from '../../src/terminals/terminal.ts';
import { pastesRaw } from '../../src/terminals/tmux/version.ts';
import type { WriteOptions } from '../../src/terminals/writing.ts';
import { FakeHosts } from '../fakes/host.ts';
import { sweep } from '../support/sweep.ts';
import { hasTmux, openTmuxWorld, type TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A text and its Enter in one command of tmux, which both reach the program or neither does. */
const version = hasTmux ? execFileSync('tmux', ['-V'], { encoding: 'utf8' }) : '';
const canPrepare = pastesRaw(version.replace(/^tmux\s+/, ''));

const one: WriteOptions = { withEnter: true };
/** With a letter that no buffer is trusted with, so that it takes several words to write. */
const mixed = '\x1b[200~a text of one line that is longer than a few words \u{1f980}\x1b[201~';
const plain = '\x1b[200~a text of one line that is longer than a few words\x1b[201~';

const ways: readonly [
  string,
  boolean,
  (world: TmuxWorld, terminal: Terminal) => Promise<string>,
][] = [
  ['written', hasTmux, (world, terminal) => world.backend.write(terminal, bytes(mixed), one)],
  [
    'prepared and written',
    hasTmux && canPrepare,
    async ({ backend }, terminal) => {
      const prepared = backend.prepare?.(terminal, bytes(plain), one);
      if (!prepared) throw new Error('it was not prepared');
      return prepared.write();
    },
  ],
];

const bytes = (text: string): Buffer => Buffer.from(text);

describe.each(ways)('text and Enter, %s', (name, isThere, write) => {
  const check = test.skipIf(!isThere);
  const whole = `${name === 'written' ? mixed : plain}\r`;

  async function open() {
    const world = await openTmuxWorld();
    const file = join(world.folder, 'received');
    const keep = `stty raw -echo; : > ${file}; printf ready; exec cat >> ${file}`;
    const terminal = await world.launchUntil('ready', ['sh', '-c', keep]);
    await waitUntil('its file', () => existsSync(file));
    const received = (): string => readFileSync(file, 'utf8');
    /** A mark behind it shows that nothing is still on its way. */
    const untilMark = async (): Promise<string> => {
      expect(await world.backend.write(terminal, bytes('!'))).toBe('written');
      await waitUntil('the mark', () => received().endsWith('!'));
      return received().slice(0, -1);
    };
    return { world, terminal, untilMark };
  }

  check('reach the program, once, by one command that asks first', async () => {
    const { world, terminal, untilMark } = await open();
    const before = guarded(world).length;
    expect(await write(world, terminal)).toBe('written');
    const [only, ...others] = guarded(world).slice(before);
    expect(only).toMatch(/send-keys -H -t \S+ 0d ; display-message -p written/);
    expect(others).toEqual([]);
    expect(await untilMark()).toBe(whole);
  });

  check('rule 45: neither reaches a terminal with an obstacle, nor a stranger', async () => {
    const { world, terminal, untilMark } = await open();
    world.tmux('copy-mode', '-t', terminal.pane);
    expect(await write(world, terminal)).toBe('copy-mode');
    world.tmux('send-keys', '-X', '-t', terminal.pane, 'cancel');
    world.tmux('select-pane', '-d', '-t', terminal.pane);
    expect(await write(world, terminal)).toBe('input-off');
    world.tmux('select-pane', '-e', '-t', terminal.pane);
    world.tmux('split-window', '-d', '-t', terminal.pane, 'exec cat');
    world.tmux('set-option', '-w', '-t', terminal.pane, 'synchronize-panes', 'on');
    expect(await write(world, terminal)).toBe('synchronised');
    world.tmux('set-option', '-w', '-t', terminal.pane, 'synchronize-panes', 'off');
    expect(await write(world, { ...terminal, epoch: terminal.epoch + 1 })).toBe('gone');
    expect(await write(world, { ...terminal, server: '1:1' })).toBe('gone');
    expect(await untilMark()).toBe('');
  });

  check('rule 45: a program that has ended gets neither, and the server lives', async () => {
    const world = await openTmuxWorld();
    const terminal = await world.launch(['true']);
    await waitUntil('its end', async () => (await world.sight(terminal))?.isAlive === false);
    expect(await write(world, terminal)).toBe('gone');
    expect(await world.sight(terminal)).toMatchObject({ isAlive: false });
  });

  check('rule 45: a person who scrolls again and again never parts the two', async () => {
    const { world, terminal, untilMark } = await open();
    let count = 0;
    for (let n = 0; n < sweep(30, 10); n++) {
      const writing = write(world, terminal);
      world.tmux('copy-mode', '-t', terminal.pane);
      const written = await writing;
      expect(['written', 'copy-mode']).toContain(written);
      if (written === 'written') count++;
      world.tmux('send-keys', '-X', '-t', terminal.pane, 'cancel');
    }
    expect(await untilMark()).toBe(whole.repeat(count));
  });
});

test.skipIf(!hasTmux || !canPrepare)(
  'a buffer that somebody deleted was not written, and no Enter for it',
  async () => {
    const world = await openTmuxWorld();
    const cat = ['sh', '-c', 'stty raw -echo; printf ready; exec od -An -c'];
    const terminal = await world.launchUntil('ready', cat);
    const prepared = world.backend.prepare?.(terminal, bytes(plain), one);
    const buffers = (): string => world.tmux('list-buffers', '-F', '#{buffer_name}');
    await waitUntil('the buffer', () => buffers() !== '');
    world.tmux('delete-buffer', '-b', buffers());
    expect(await prepared?.write()).toBe('unsent');
    // `od` prints a row of 16 bytes: these are the first that it is given.
    expect(await world.backend.write(terminal, bytes('0123456789abcdef'))).toBe('written');
    await world.untilScreen(terminal, '0   1   2   3');
    const look = await world.backend.look(terminal);
    expect(look !== 'gone' && look.lines.join('\n')).not.toContain('\\r');
  },
);

describe.each(['one', 'two'] as const)('rules 24, 45: a paste of %s command', (commands) => {
  const check = test.skipIf(!hasTmux);

  async function open() {
    const world = await openTmuxWorld();
    const composer = resolve('test/integration/fixtures/composer.mjs');
    const terminal = await world.launchUntil('>', [process.execPath, composer]);
    const parts = { surroundings: { clock: systemClock, host: new FakeHosts().start() } };
    const view = (): RecipientView => ({ status: 'idle', composer: 'empty' });
    const steps: string[] = [];
    const run = async (atBegin: () => void = () => undefined): Promise<Carried> => {
      const paste = new Paste(parts, penOf(world, terminal), view, { commands });
      const notTaken = await paste.act({
        text: 'my own words\nin two lines',
        begin: async () => {
          atBegin();
          return true;
        },
        note: async (step) => void steps.push(step),
      });
      return notTaken ?? (await paste.verify());
    };
    return { world, terminal, steps, run };
  }

  check('is sent, once, and says so', async () => {
    const { world, terminal, steps, run } = await open();
    expect(await run()).toEqual({ outcome: 'taken' });
    expect(steps).toEqual(commands === 'one' ? ['entered'] : ['pasted', 'entered']);
    const lines = await world.untilScreen(terminal, 'sent: ');
    expect(lines.filter(Boolean)).toEqual(['sent: my own words\\nin two lines', '>']);
  });

  check('leaves a person who scrolls alone, also after the last look', async () => {
    const { world, terminal, steps, run } = await open();
    const scroll = (): void => void world.tmux('copy-mode', '-t', terminal.pane);
    const reason = { code: 'copy-mode' };
    expect(await run(scroll)).toEqual({ outcome: 'refused', reason });
    expect(await run()).toEqual({ outcome: 'refused', reason });
    world.tmux('send-keys', '-X', '-t', terminal.pane, 'cancel');
    expect(steps).toEqual([]);
    expect(await run()).toEqual({ outcome: 'taken' });
  });
});

/** The terminal of the program with a composer, as a provider's detector would read it. */
function penOf({ backend }: TmuxWorld, terminal: Terminal): Pen {
  return {
    look: async () => {
      const look = await backend.look(terminal);
      if (look === 'gone') return 'gone';
      const row = look.lines.findLast((line) => line !== '') ?? '';
      const { lines, obstacle } = look;
      const seen = { status: 'idle', composer: row === '>' ? 'empty' : 'draft', lines } as const;
      return obstacle === undefined ? seen : { ...seen, obstacle };
    },
    write: (bytes, how) => backend.write(terminal, bytes, how),
    prepare: (bytes, how) => backend.prepare?.(terminal, bytes, how),
  };
}

/** The commands that ask and type in one step, oldest first, as the server itself keeps them. */
function guarded(world: TmuxWorld): readonly string[] {
  const told = world.tmux('show-messages').split('\n');
  const commands = told.flatMap((line) => / command: (.*)$/.exec(line)?.[1] ?? []);
  return commands.filter((command) => /^if-shell .*pane_in_mode/.test(command)).toReversed();
}
