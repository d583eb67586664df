import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Explanation, SendResult } from '../../src/protocol/messages.ts';
import { hasTmux, openTmuxWorld, type TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openStation, type Station } from './fixtures/station.ts';

/** What a person does to a terminal so that keys go elsewhere, or nowhere (rule 45). */
const check = test.skipIf(!hasTmux);

const cat = ['sh', '-c', 'stty raw -echo; printf ready; exec cat'];
const paste = Buffer.from('\x1b[200~a text of one line that is longer than a few words\x1b[201~');

/** A program beside an agent, that keeps every byte it is given. */
function watchBeside(tmux: (...args: string[]) => unknown, pane: string, folder: string): string {
  const file = join(folder, 'beside');
  tmux('split-window', '-d', '-t', pane, `stty raw -echo; : > ${file}; exec cat >> ${file}`);
  return file;
}

const obstacles: readonly [string, (world: TmuxWorld, pane: string, isOn: boolean) => void][] = [
  [
    'synchronised',
    (world, pane, isOn) =>
      void world.tmux('set-option', '-w', '-t', pane, 'synchronize-panes', isOn ? 'on' : 'off'),
  ],
  [
    'input-off',
    (world, pane, isOn) => void world.tmux('select-pane', isOn ? '-d' : '-e', '-t', pane),
  ],
  [
    'copy-mode',
    (world, pane, isOn) =>
      void (isOn
        ? world.tmux('copy-mode', '-t', pane)
        : world.tmux('send-keys', '-X', '-t', pane, 'cancel')),
  ],
];

describe.each(obstacles)('rule 45: a terminal that is %s', (name, set) => {
  async function open() {
    const world = await openTmuxWorld();
    const terminal = await world.launchUntil('ready', cat);
    const file = watchBeside((...args) => world.tmux(...args), terminal.pane, world.folder);
    await waitUntil('the program beside it', () => existsSync(file));
    return { world, terminal, file };
  }

  /** Both have what the person types now, and nothing before it. */
  async function nothingCame({ world, terminal, file }: Awaited<ReturnType<typeof open>>) {
    expect(await world.backend.write(terminal, Buffer.from('!'))).toBe('written');
    await world.untilScreen(terminal, '!');
    const look = await world.backend.look(terminal);
    expect(look !== 'gone' && look.lines.join('').trim()).toBe('ready!');
    expect(readFileSync(file, 'utf8')).toBe('');
  }

  check(
    'gets no Enter, no short text, no long one and no paste, nor does any pane beside it',
    async () => {
      const opened = await open();
      const { world, terminal } = opened;
      set(world, terminal.pane, true);
      expect(await world.backend.look(terminal)).toMatchObject({ obstacle: name });
      for (const bytes of [
        Buffer.from('\r'),
        Buffer.from('ls\r'),
        Buffer.from('x'.repeat(500)),
        paste,
      ])
        expect(await world.backend.write(terminal, bytes)).toBe(name);
      set(world, terminal.pane, false);
      expect((await world.backend.look(terminal)) !== 'gone').toBe(true);
      await nothingCame(opened);
    },
  );

  check(
    'after the last look and before the paste: what was prepared is not written, and is dropped',
    async () => {
      const opened = await open();
      const { world, terminal } = opened;
      const prepared = world.backend.prepare?.(terminal, paste);
      expect(await world.backend.look(terminal)).not.toHaveProperty('obstacle');
      set(world, terminal.pane, true);
      expect((await prepared?.write()) ?? name).toBe(name);
      const buffers = () => world.tmux('list-buffers', '-F', '#{buffer_name}');
      await waitUntil('no buffer is left', () => buffers() === '');
      set(world, terminal.pane, false);
      await nothingCame(opened);
    },
  );
});

check(
  'rule 45: a pane that is alone in its window is synchronised with nobody, also where all are',
  async () => {
    const world = await openTmuxWorld();
    world.tmux('set-option', '-wg', 'synchronize-panes', 'on');
    const terminal = await world.launchUntil('ready', cat);
    expect(await world.backend.write(terminal, Buffer.from('!'))).toBe('written');
    await world.untilScreen(terminal, 'ready!');
    world.tmux('split-window', '-d', '-t', terminal.pane, 'exec cat');
    expect(await world.backend.write(terminal, Buffer.from('?'))).toBe('synchronised');
  },
);

check(
  'rule 45: a pane whose program has ended is sent nothing, and the server lives (a paste there crashes 3.3a)',
  async () => {
    const world = await openTmuxWorld();
    const terminal = await world.launch(['true']);
    await waitUntil('its end', async () => (await world.sight(terminal))?.isAlive === false);
    const prepared = world.backend.prepare?.(terminal, paste);
    expect((await prepared?.write()) ?? 'gone').toBe('gone');
    expect(await world.backend.write(terminal, Buffer.from('\r'))).toBe('gone');
    expect(await world.sight(terminal)).toMatchObject({ isAlive: false });
  },
);

/**
 * Two agents and a shell in one window; whatever the second agent and the shell are given is kept.
 */
async function openShared() {
  const station = await openStation();
  const worker = await station.launch('worker');
  const other = await station.launch('other');
  const [mine, theirs] = [await station.pane('worker'), await station.pane('other')];
  const tmux = async (...args: string[]): Promise<void> => void (await station.tmux(...args));
  await tmux('resize-window', '-t', mine.window, '-x', '150', '-y', '100');
  await tmux('join-pane', '-d', '-s', theirs.pane, '-t', mine.pane);
  const file = join(station.home, 'beside');
  const shell = `stty raw -echo; : > ${file}; exec cat >> ${file}`;
  await tmux('split-window', '-d', '-t', mine.pane, shell);
  await tmux('select-layout', '-t', mine.window, 'even-vertical');
  await waitUntil('the program beside it', () => existsSync(file));
  const heard: Buffer[] = [];
  await other.control.watchInput((bytes) => void heard.push(bytes));
  await station.untilStatus('worker', 'idle');
  const strays = (): string => Buffer.concat(heard).toString() + readFileSync(file, 'utf8');
  return { station, worker, pane: mine.pane, window: mine.window, strays };
}

/**
 * Said beside the answer. The first sender is told only if the look at the terminal is over within
 * 100 ms, which a busy machine may need; from then on everybody is.
 */
async function expectTold(station: Station, why: RegExp): Promise<void> {
  const { code, stderr } = await station.run(['send', 'worker', 'one more', '--json']);
  expect([code, stderr]).toEqual([0, expect.stringMatching(why)]);
}

const explainOf = (station: Station, id: string): Promise<Explanation> =>
  station.ask<Explanation>('explain', id);

check(
  'rule 45: with synchronize-panes on a message waits and says why, nothing reaches the agent and the shell beside it, and it goes in when that is off',
  { tags: ['full'] },
  async () => {
    const { station, pane, window, strays } = await openShared();
    await station.tmux('set-option', '-w', '-t', window, 'synchronize-panes', 'on');
    const why = /its window sends keys to all of its panes; .*synchronize-panes off/;
    const sent = await station.run(['send', 'worker', 'short', '--json']);
    const { id } = sent.json<SendResult>();
    const told = await station.until(
      'worker',
      ({ waitsForCode }) => waitsForCode === 'synchronised',
      'why',
    );
    expect(told.inbox).toMatchObject({ queued: 1, claimed: 0, uncertain: 0 });
    await expectTold(station, why);
    expect((await station.run(['status', 'worker'])).stdout).toMatch(why);
    const waiting = await explainOf(station, id);
    expect(waiting).toMatchObject({ waitsFor: expect.stringMatching(why), attempts: [] });
    expect((await station.run(['explain', id])).stdout).toMatch(why);
    expect(strays()).toBe('');
    await station.tmux('set-option', '-w', '-t', window, 'synchronize-panes', 'off');
    await waitUntil('its way in', async () =>
      ['injected', 'seen'].includes((await explainOf(station, id)).message.state),
    );
    expect((await explainOf(station, id)).attempts).toHaveLength(1);
    expect(strays()).toBe('');
    expect(await station.tmux('display-message', '-p', '-t', pane, '#{pane_dead}')).toBe('0');
  },
);

check(
  'rule 45: a message for a terminal whose input is off does not die: it waits, says why, and goes in',
  { tags: ['full'] },
  async () => {
    const station = await openStation();
    await station.launch('worker');
    const { pane } = await station.pane('worker');
    await station.tmux('select-pane', '-d', '-t', pane);
    const why = /the input of its terminal is switched off; `select-pane -e`/;
    const sent = await station.run(['send', 'worker', 'short', '--json']);
    const { id } = sent.json<SendResult>();
    await station.until('worker', ({ waitsForCode }) => waitsForCode === 'input-off', 'why');
    await expectTold(station, why);
    expect(await explainOf(station, id)).toMatchObject({
      attempts: [],
      message: { state: 'queued' },
    });
    await station.tmux('select-pane', '-e', '-t', pane);
    await waitUntil('its way in', async () =>
      ['injected', 'seen'].includes((await explainOf(station, id)).message.state),
    );
  },
);
