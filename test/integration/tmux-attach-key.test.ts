import { expect, onTestFinished, test } from 'vitest';
import type { Terminal } from '../../src/terminals/terminal.ts';
import { lastKeyOf } from '../../src/terminals/tmux/guard.ts';
import { NestedPerson } from '../support/nested-person.ts';
import { hasTmux, openTmuxWorld, type TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

/** People who come to an agent from inside a tmux of their own, and go back by one key. */
const check = test.skipIf(!hasTmux);

/** Every byte that reaches the program can be read on its screen. */
const echo = ['sh', '-c', 'stty raw -echo; echo ready; exec cat -v'];

/** What `signalbox attach` runs, in the person's own shell. */
async function attach(person: NestedPerson, world: TmuxWorld, terminal: Terminal): Promise<void> {
  const before = clientsOf(world).length;
  const command = world.backend.attachCommand(terminal, { TMUX: person.variable });
  if (command === 'gone') throw new Error('gone');
  person.run(command.argv);
  await waitUntil('the client', () => clientsOf(world).length > before);
}

function clientsOf(world: TmuxWorld): readonly string[] {
  const listed = world.tmux('list-clients', '-F', '#{client_control_mode} #{client_name}');
  return listed.split('\n').filter((row) => row.startsWith('0 '));
}

function hasKey(typingStamp: string): boolean {
  return lastKeyOf(typingStamp) !== undefined;
}

async function open(): Promise<{ world: TmuxWorld; terminal: Terminal }> {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', echo);
  world.backend.report?.(terminal, 'waiting', { name: 'shop/lead', detail: 'trust' });
  return { world, terminal };
}

check.each([
  [80, 24],
  [60, 20],
])('one key leads back into a tmux of the person’s own, at %i×%i', async (columns, rows) => {
  const { world, terminal } = await open();
  world.backend.reportWaiting?.(new Set([terminal.agent, 'agt_other']));
  const person = await NestedPerson.open(world.folder, 'a', columns, rows);
  await attach(person, world, terminal);
  await waitUntil('the line', () => person.line().includes('1 other waits · F9 returns'));
  expect(person.line()).toContain('shop/lead waiting: trust');
  const { columns: seen } = (await world.backend.look(terminal)) as { columns: number };
  expect(seen).toBe(columns);
  // Its neighbours belong to the program.
  person.press('x', 'F8', 'C-q', 'F10');
  await world.untilScreen(terminal, 'x^[[19~^Q^[[21~');
  // By itself: on a busy machine tmux reads several keys at once, and takes them for a paste.
  person.press('F9');
  await person.isBack();
  const shown = (await world.backend.look(terminal)) as { lines: readonly string[] };
  expect(shown.lines.join('\n')).not.toContain('[20~');
  await waitUntil('its own size', async () => {
    await world.backend.list();
    return world.tmux('display-message', '-p', '-t', terminal.pane, '#{window_width}') === '100';
  });
});

check('the key of one person takes away nobody else', async () => {
  const { world, terminal } = await open();
  const first = await NestedPerson.open(world.folder, 'a', 80, 24);
  const second = await NestedPerson.open(world.folder, 'b', 80, 24);
  await attach(first, world, terminal);
  await attach(second, world, terminal);
  first.press('F9');
  await first.isBack();
  expect(clientsOf(world)).toHaveLength(1);
  second.press('y');
  await world.untilScreen(terminal, 'y');
  second.press('F9');
  await second.isBack();
});

check.each([
  ['their window is closed', (person: NestedPerson) => person.vanish()],
  ['tmux’s own key', (person: NestedPerson) => person.press('C-b', 'C-b', 'd')],
])('rule 42: copy mode ends with the last one who leaves, also by this: %s', async (_, leave) => {
  const { world, terminal } = await open();
  const person = await NestedPerson.open(world.folder, 'a', 80, 24);
  await attach(person, world, terminal);
  // Keys count that come after the second in which the terminal began.
  await waitUntil('a key', async () => {
    person.press('x');
    const look = await world.backend.look(terminal);
    return look !== 'gone' && look.typingStamp !== undefined && hasKey(look.typingStamp);
  });
  world.tmux('copy-mode', '-t', terminal.pane);
  expect(await world.backend.look(terminal)).toMatchObject({ obstacle: 'copy-mode' });
  leave(person);
  await waitUntil('the end of copy mode', async () => {
    const look = await world.backend.look(terminal);
    return look !== 'gone' && look.obstacle === undefined;
  });
});

check('the key works in copy mode, which the last one who leaves ends', async () => {
  const { world, terminal } = await open();
  const first = await NestedPerson.open(world.folder, 'a', 80, 24);
  const second = await NestedPerson.open(world.folder, 'b', 80, 24);
  await attach(first, world, terminal);
  await attach(second, world, terminal);
  world.tmux('copy-mode', '-t', terminal.pane);
  first.press('F9');
  await first.isBack();
  // Somebody else still reads there.
  expect(await world.backend.look(terminal)).toMatchObject({ obstacle: 'copy-mode' });
  second.press('F9');
  await second.isBack();
  await waitUntil('the end of copy mode', async () => {
    const look = await world.backend.look(terminal);
    return look !== 'gone' && look.obstacle === undefined;
  });
});

check('a key that is set while somebody is attached counts for them', async () => {
  const { world, terminal } = await open();
  const person = await NestedPerson.open(world.folder, 'a', 80, 24);
  await attach(person, world, terminal);
  await waitUntil('the line', () => person.line().includes('F9 returns'));
  world.attachKey = 'Ctrl-]';
  await waitUntil('the new key', async () => {
    await world.backend.list();
    return person.line().includes('Ctrl-] returns');
  });
  person.press('F9');
  await world.untilScreen(terminal, '^[[20~');
  person.press('C-]');
  await person.isBack();
  world.attachKey = 'off';
  await attach(person, world, terminal);
  await waitUntil('the way out of tmux', () => person.line().includes('Ctrl-b d returns'));
  person.press('C-]');
  await world.untilScreen(terminal, '^]');
});

check('the next daemon takes the key of the one before back', async () => {
  const { world, terminal } = await open();
  await waitUntil('the key', () => world.tmux('list-keys', '-T', 'root').includes(' F9 '));
  await world.backend.close();
  const person = await NestedPerson.open(world.folder, 'a', 80, 24);
  world.attachKey = 'Alt-q';
  const next = world.open();
  onTestFinished(() => next.close());
  await next.start();
  await waitUntil('the other key', () => world.tmux('list-keys', '-T', 'root').includes(' M-q '));
  expect(world.tmux('list-keys', '-T', 'root')).not.toContain(' F9 ');
  await next.list();
  next.report?.(terminal, 'idle', { name: 'shop/lead' });
  world.tmux('set-option', '-g', 'status-interval', '1');
  const command = next.attachCommand(terminal, { TMUX: person.variable });
  if (command === 'gone') throw new Error('gone');
  person.run(command.argv);
  await waitUntil('the line', () => person.line().includes('shop/lead idle'));
  // Nobody tells any more what it does.
  await next.close();
  await waitUntil('the word of that', () => person.line().includes('sbx-agent-1: no daemon'));
  person.press('M-q');
  await person.isBack();
});

check('a name and a detail with signs of tmux are only text', async () => {
  const { world, terminal } = await open();
  const name = 'a#[fg=red]#{pid}#(touch x)%H';
  world.backend.report?.(terminal, 'waiting', { name, detail: 'b\n\u001b[31m' });
  const person = await NestedPerson.open(world.folder, 'a', 80, 24);
  await attach(person, world, terminal);
  await waitUntil('the line', () => person.line().includes('a＃[fg=red]＃{pid}＃(touch x)%H'));
});
