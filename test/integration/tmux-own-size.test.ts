import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Terminal } from '../../src/terminals/terminal.ts';
import { openPeople } from '../support/people.ts';
import { hasTmux, openTmuxWorld, type TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openStation } from './fixtures/station.ts';

/** tmux leaves a window as the last person had it, who may have looked at it in a split pane. */
const check = test.skipIf(!hasTmux);

const cat = ['sh', '-c', 'echo ready; exec cat'];

/** The daemon lists its terminals after each announcement, and every ten seconds. */
async function untilSize(world: TmuxWorld, terminal: Terminal, size: string): Promise<void> {
  await waitUntil(`the size ${size}`, async () => {
    await world.backend.list();
    return sizeOf(world, terminal) === size;
  });
}

function sizeOf(world: TmuxWorld, { pane }: Terminal): string {
  return world.tmux('display-message', '-p', '-t', pane, '#{window_width}x#{window_height}');
}

check('a window goes back to its own size when the last person has left it', async () => {
  const world = await openTmuxWorld();
  const people = openPeople(world.folder);
  const terminal = await world.launchUntil('ready', cat);
  const other = await world.launchUntil('ready', cat, { columns: 70, rows: 21 });
  const person = people.attach(world.socket, '=sbx-agent-1', 60, 20);
  await untilSize(world, terminal, '60x19');
  people.resize(person, 40, 12);
  await untilSize(world, terminal, '40x11');
  const second = people.attach(world.socket, '=sbx-agent-1', 50, 15);
  await untilSize(world, terminal, '50x14');
  const before = world.heard.changes;
  people.leave(second);
  await waitUntil('the announcement', () => world.heard.changes > before);
  // One of them still looks at it.
  await untilSize(world, terminal, '40x11');
  people.leave(person);
  await untilSize(world, terminal, '100x30');
  // Nothing of ours decides the size when somebody comes again.
  const again = people.attach(world.socket, '=sbx-agent-1', 60, 20);
  await untilSize(world, terminal, '60x19');
  people.resize(again, 90, 25);
  await untilSize(world, terminal, '90x24');
  expect(sizeOf(world, other)).toBe('70x21');
});

check('a person who looks at another window of that session has not left it', async () => {
  const world = await openTmuxWorld();
  const people = openPeople(world.folder);
  const terminal = await world.launchUntil('ready', cat);
  const person = people.attach(world.socket, '=sbx-agent-1', 60, 20);
  await untilSize(world, terminal, '60x19');
  world.tmux('new-window', '-t', '=sbx-agent-1:', 'exec cat');
  await world.backend.list();
  await world.backend.list();
  expect(sizeOf(world, terminal)).toBe('60x19');
  people.leave(person);
  await untilSize(world, terminal, '100x30');
});

check('a size that a person has fixed by hand stays', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', cat);
  world.tmux('resize-window', '-t', terminal.pane, '-x', '60', '-y', '20');
  await world.backend.list();
  await world.backend.list();
  expect(sizeOf(world, terminal)).toBe('60x20');
  world.tmux('set-option', '-w', '-u', '-t', terminal.pane, 'window-size');
  await untilSize(world, terminal, '100x30');
});

check('panes of two sizes in one window do not take turns', { tags: ['full'] }, async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', cat);
  const other = await world.launchUntil('ready', cat, { columns: 70, rows: 21 });
  world.tmux('join-pane', '-d', '-s', other.pane, '-t', terminal.pane);
  await world.backend.list();
  const size = sizeOf(world, terminal);
  for (let looks = 0; looks < 3; looks++) {
    await world.backend.list();
    expect(sizeOf(world, terminal)).toBe(size);
  }
});

check(
  'a person who comes in the moment in which the size is given back gets their own',
  { tags: ['full'] },
  async () => {
    const world = await openTmuxWorld();
    const people = openPeople(world.folder);
    const terminal = await world.launchUntil('ready', cat);
    let person = people.attach(world.socket, '=sbx-agent-1', 60, 20);
    await untilSize(world, terminal, '60x19');
    for (let tries = 0; tries < 5; tries++) {
      const next = 50 + tries;
      people.leave(person);
      const lists = Array.from({ length: 4 }, () => world.backend.list());
      person = people.attach(world.socket, '=sbx-agent-1', next, 18);
      await Promise.all([...lists, world.backend.list()]);
      await untilSize(world, terminal, `${next}x17`);
      await world.backend.list();
      expect(sizeOf(world, terminal)).toBe(`${next}x17`);
    }
  },
);

check(
  'the daemon gives a window its size back, also one that a person left while no daemon ran',
  { tags: ['full'] },
  async () => {
    const station = await openStation();
    await station.launch('worker');
    const { session, window } = await station.pane('worker');
    const people = openPeople(station.home);
    const socket = join(station.home, 'tmux.sock');
    const isSize = (size: string) =>
      waitUntil(`the size ${size}`, async () => {
        const format = '#{window_width}x#{window_height}';
        return (await station.tmux('display-message', '-p', '-t', window, format)) === size;
      });
    const person = people.attach(socket, session, 60, 20);
    await isSize('60x19');
    people.leave(person);
    await isSize('120x40');
    const second = people.attach(socket, session, 60, 20);
    await isSize('60x19');
    await station.killDaemon();
    people.leave(second);
    await isSize('60x19');
    await station.run(['up']);
    await isSize('120x40');
  },
);
