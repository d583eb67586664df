import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Terminal } from '../../src/terminals/terminal.ts';
import { hasTmux, openTmuxWorld, type TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

/** People who come to an agent from inside a tmux of their own, and go back by one key. */
const check = test.skipIf(!hasTmux);

/** Every byte that reaches the program can be read on its screen. */
const echo = ['sh', '-c', 'stty raw -echo; echo ready; exec cat -v'];

/** A tmux of the person's own, with a client of its own, and a shell in it. */
class Nested {
  readonly #socket: string;
  readonly #screenSocket: string;

  private constructor(folder: string, name: string) {
    this.#socket = join(folder, `person-${name}`);
    this.#screenSocket = join(folder, `screen-${name}`);
  }

  static async open(world: TmuxWorld, name: string, columns: number, rows: number) {
    const nested = new Nested(world.folder, name);
    onTestFinished(() => {
      for (const socket of [nested.#socket, nested.#screenSocket]) {
        spawnSync('tmux', ['-S', socket, 'kill-server']);
      }
    });
    const size = ['-x', String(columns), '-y', String(rows)];
    nested.tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'mine', ...size, '--', 'sh', '-i');
    nested.#screen('-f', '/dev/null', 'new-session', '-d', ...size, 'sleep 86400');
    nested.#screen('set-option', '-g', 'status', 'off');
    const attach = ['env', '-u', 'TMUX', 'tmux', '-u', '-S', nested.#socket, 'attach'];
    nested.#screen('new-window', '--', ...attach);
    await waitUntil('the person', () => nested.tmux('list-clients') !== '');
    return nested;
  }

  /** `signalbox attach`, as its own shell runs it. */
  async attach(world: TmuxWorld, terminal: Terminal): Promise<void> {
    const before = clientsOf(world).length;
    const command = world.backend.attachCommand(terminal, { TMUX: `${this.#socket},1,0` });
    if (command === 'gone') throw new Error('gone');
    const words = command.argv.map((word) => `'${word}'`).join(' ');
    this.#screen('send-keys', '-l', `${words}; echo back-$((40 + 2))`);
    this.#screen('send-keys', 'Enter');
    await waitUntil('the client', () => clientsOf(world).length > before);
  }

  press(...keys: readonly string[]): void {
    for (const key of keys) this.#screen('send-keys', key);
  }

  look(): string {
    return this.#screen('capture-pane', '-p');
  }

  /** What tells the person where they are, in the last row of our tmux. */
  line(): string {
    const rows = this.look().split('\n');
    return rows[this.#rows - 2] ?? '';
  }

  get #rows(): number {
    return Number(this.#screen('display-message', '-p', '#{window_height}'));
  }

  async isBack(): Promise<void> {
    await waitUntil('the shell', () => this.look().includes('back-42'));
    // Their own tmux has kept them.
    expect(this.tmux('list-clients', '-F', '#{session_name}').trim()).toBe('mine');
  }

  tmux(...args: readonly string[]): string {
    return run(this.#socket, args);
  }

  #screen(...args: readonly string[]): string {
    return run(this.#screenSocket, args);
  }
}

function run(socket: string, args: readonly string[]): string {
  const env = { ...process.env, TMUX: '', PS1: '$ ' };
  const ran = spawnSync('tmux', ['-u', '-S', socket, ...args], { encoding: 'utf8', env });
  if (ran.status !== 0) throw new Error(`tmux ${args.join(' ')}: ${ran.stderr}`);
  return ran.stdout;
}

function clientsOf(world: TmuxWorld): readonly string[] {
  const listed = world.tmux('list-clients', '-F', '#{client_control_mode} #{client_name}');
  return listed.split('\n').filter((row) => row.startsWith('0 '));
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
  const person = await Nested.open(world, 'a', columns, rows);
  await person.attach(world, terminal);
  await waitUntil('the line', () => person.line().includes('1 other waits · F9 returns'));
  expect(person.line()).toContain('shop/lead waiting: trust');
  const { columns: seen } = (await world.backend.look(terminal)) as { columns: number };
  expect(seen).toBe(columns);
  // Its neighbours belong to the program.
  person.press('x', 'F8', 'C-q', 'F10', 'F9');
  await person.isBack();
  await world.untilScreen(terminal, 'x^[[19~^Q^[[21~');
  const shown = (await world.backend.look(terminal)) as { lines: readonly string[] };
  expect(shown.lines.join('\n')).not.toContain('[20~');
  await waitUntil('its own size', async () => {
    await world.backend.list();
    return world.tmux('display-message', '-p', '-t', terminal.pane, '#{window_width}') === '100';
  });
});

check('the key of one person takes away nobody else', async () => {
  const { world, terminal } = await open();
  const first = await Nested.open(world, 'a', 80, 24);
  const second = await Nested.open(world, 'b', 80, 24);
  await first.attach(world, terminal);
  await second.attach(world, terminal);
  first.press('F9');
  await first.isBack();
  expect(clientsOf(world)).toHaveLength(1);
  second.press('y');
  await world.untilScreen(terminal, 'y');
  second.press('F9');
  await second.isBack();
});

check('the key works in copy mode, which the last one who leaves ends', async () => {
  const { world, terminal } = await open();
  const first = await Nested.open(world, 'a', 80, 24);
  const second = await Nested.open(world, 'b', 80, 24);
  await first.attach(world, terminal);
  await second.attach(world, terminal);
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
  const person = await Nested.open(world, 'a', 80, 24);
  await person.attach(world, terminal);
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
  await person.attach(world, terminal);
  await waitUntil('the way out of tmux', () => person.line().includes('Ctrl-b d returns'));
  person.press('C-]');
  await world.untilScreen(terminal, '^]');
});

check('the next daemon takes the key of the one before back', async () => {
  const { world, terminal } = await open();
  await waitUntil('the key', () => world.tmux('list-keys', '-T', 'root').includes(' F9 '));
  await world.backend.close();
  const person = await Nested.open(world, 'a', 80, 24);
  world.attachKey = 'Alt-q';
  const next = world.open();
  onTestFinished(() => next.close());
  await next.start();
  await waitUntil('the other key', () => world.tmux('list-keys', '-T', 'root').includes(' M-q '));
  expect(world.tmux('list-keys', '-T', 'root')).not.toContain(' F9 ');
  await next.list();
  next.report?.(terminal, 'idle', { name: 'shop/lead' });
  world.tmux('set-option', '-g', 'status-interval', '1');
  const attach = next.attachCommand(terminal, { TMUX: '/elsewhere,1,0' });
  if (attach === 'gone') throw new Error('gone');
  const words = attach.argv.map((word) => `'${word}'`).join(' ');
  person.press(`${words}; echo back-$((40 + 2))`, 'Enter');
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
  const person = await Nested.open(world, 'a', 80, 24);
  await person.attach(world, terminal);
  await waitUntil('the line', () => person.line().includes('a＃[fg=red]＃{pid}＃(touch x)%H'));
});
