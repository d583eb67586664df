import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Terminal } from '../../src/terminals/terminal.ts';
import { hasTmux, openTmuxWorld, type TmuxWorld } from '../support/tmux.ts';
import { waitUntil } from '../support/wait-until.ts';

/** What people do in tmux while agents run in it. */
const check = test.skipIf(!hasTmux);

const cat = ['sh', '-c', 'echo ready; exec cat'];

async function stillItself(world: TmuxWorld, terminal: Terminal, text: string): Promise<void> {
  expect(await world.sight(terminal)).toMatchObject({ terminal, isAlive: true });
  expect(await world.backend.write(terminal, Buffer.from(`${text}\r`))).toBe('written');
  await world.untilScreen(terminal, text);
}

check(
  'a terminal that is renamed, moved, broken out or swapped is still the same one (B3)',
  async () => {
    const world = await openTmuxWorld();
    const terminal = await world.launchUntil('ready', cat);
    const other = await world.launchUntil('ready', cat);
    world.tmux('rename-session', '-t', '=sbx-agent-1', 'mine now');
    world.tmux('rename-window', '-t', terminal.pane, 'nice');
    await stillItself(world, terminal, 'renamed');
    world.tmux('swap-pane', '-s', terminal.pane, '-t', other.pane);
    await stillItself(world, terminal, 'swapped');
    await stillItself(world, other, 'swapped too');
    world.tmux('split-window', '-d', '-t', terminal.pane, 'cat');
    await stillItself(world, terminal, 'split');
    world.tmux('break-pane', '-d', '-s', terminal.pane, '-t', '=sbx-agent-2:');
    await stillItself(world, terminal, 'broken out');
    expect(await world.backend.list()).toHaveLength(2);
  },
);

check(
  'a pane that a person splits off the agent’s is not the agent, and stays when the agent’s is closed',
  async () => {
    const world = await openTmuxWorld();
    const terminal = await world.launchUntil('ready', cat);
    const before = world.heard.changes;
    const split = world.tmux(
      'split-window',
      '-d',
      '-P',
      '-F',
      '#{pane_id}',
      '-t',
      terminal.pane,
      'exec cat',
    );
    await waitUntil('the announcement', () => world.heard.changes > before);
    expect(await world.backend.list()).toHaveLength(1);
    await world.backend.closeTerminal(terminal);
    expect(await world.backend.list()).toEqual([]);
    const hub = world.tmux('list-sessions', '-f', '#{@sbx-hub}', '-F', '#{session_id}');
    const left = world.tmux('list-panes', '-a', '-F', '#{pane_id} #{session_id}').split('\n');
    expect(left.some((line) => line.startsWith(`${split} `))).toBe(true);
    expect(left).not.toContain(`${split} ${hub}`);
  },
);

check(
  'a window that a person opens in the agent’s session has neither its identity nor its secrets (rule 40)',
  async () => {
    const world = await openTmuxWorld();
    const env = { PATH: process.env['PATH'] ?? '', SIGNALBOX_TOKEN: 'secret-of-the-agent' };
    await world.launchUntil('ready', cat, { env });
    const file = join(world.folder, 'env');
    world.tmux(
      'new-window',
      '-d',
      '-t',
      '=sbx-agent-1:',
      `env > ${file}.new; mv ${file}.new ${file}; cat`,
    );
    await waitUntil('the environment', () => existsSync(file));
    expect(readFileSync(file, 'utf8')).not.toContain('secret-of-the-agent');
    expect(world.tmux('show-environment', '-t', '=sbx-agent-1')).not.toContain('SIGNALBOX_TOKEN');
    expect(await world.backend.list()).toHaveLength(1);
  },
);

check('a terminal that a person closes is gone, and the others are not touched (B14)', async () => {
  const world = await openTmuxWorld();
  const terminal = await world.launchUntil('ready', cat);
  const other = await world.launchUntil('ready', cat);
  const before = world.heard.changes;
  world.tmux('kill-pane', '-t', terminal.pane);
  await waitUntil('the announcement', () => world.heard.changes > before);
  expect(await world.sight(terminal)).toBeUndefined();
  expect(await world.backend.look(terminal)).toBe('gone');
  expect(await world.backend.write(terminal, Buffer.from('x'))).toBe('gone');
  await stillItself(world, other, 'unharmed');
});

check(
  'an agent whose session a person kills lives on with its helpers, is homeless, and gets a session again',
  async () => {
    const world = await openTmuxWorld();
    const helpers = [{ name: 'helper', argv: ['sh', '-c', 'echo helping; exec cat'] }];
    const terminal = await world.launchUntil('ready', cat, { helpers });
    const before = world.heard.changes;
    world.tmux('kill-session', '-t', '=sbx-agent-1');
    await waitUntil('the announcement', () => world.heard.changes > before);
    expect(await world.sight(terminal)).toMatchObject({
      terminal,
      isAlive: true,
      isHomeless: true,
    });
    await stillItself(world, terminal, 'alone');
    expect(await world.backend.rehome(terminal, 'agent-1')).toBe('rehomed');
    expect(await world.sight(terminal)).toMatchObject({
      terminal,
      isAlive: true,
      isHomeless: false,
    });
    expect(
      world.tmux('list-panes', '-s', '-t', '=sbx-agent-1', '-F', '#{pane_id}').split('\n'),
    ).toHaveLength(2);
    expect(await world.backend.rehome(terminal, 'agent-1')).toBe('rehomed');
    await stillItself(world, terminal, 'at home');
    expect(await world.backend.rehome({ ...terminal, epoch: 9, pane: '%77' }, 'x')).toBe('gone');
  },
);

check(
  'what a person starts in the place of an agent ("respawn") is not the agent (B3)',
  async () => {
    const world = await openTmuxWorld();
    const terminal = await world.launch(['true']);
    await waitUntil('its end', async () => (await world.sight(terminal))?.isAlive === false);
    // On a server of tmux below 3.8 a respawn while we read can crash it: we hang up first, as we
    // would be after `down`.
    await world.backend.close();
    world.tmux('respawn-pane', '-t', terminal.pane, 'echo somebody else; exec cat');
    const next = world.open();
    onTestFinished(() => next.close());
    await next.start();
    expect(await next.list()).toEqual([]);
    expect(await next.look(terminal)).toBe('gone');
    expect(await next.write(terminal, Buffer.from('x'))).toBe('gone');
    // The person's own command is not ours to answer for.
    world.tmux('set-option', '-s', 'message-limit', '0');
    world.tmux('set-option', '-s', 'message-limit', '100');
  },
);

check(
  'while a person scrolls in the terminal nothing is written, and the look says so',
  async () => {
    const world = await openTmuxWorld();
    const terminal = await world.launchUntil('ready', cat);
    world.tmux('copy-mode', '-t', terminal.pane);
    expect(await world.backend.look(terminal)).toMatchObject({ obstacle: 'copy-mode' });
    expect(await world.backend.write(terminal, Buffer.from('q\r'))).toBe('copy-mode');
    expect(await world.backend.look(terminal)).toMatchObject({ obstacle: 'copy-mode' });
    world.tmux('send-keys', '-t', terminal.pane, '-X', 'cancel');
    await stillItself(world, terminal, 'back');
  },
);

check(
  'a person’s keys are seen, ours are not; attaching works, also from inside another tmux',
  async () => {
    const world = await openTmuxWorld();
    const terminal = await world.launchUntil('ready', cat);
    await stillItself(world, terminal, 'by us');
    expect((await lookOf(world, terminal)).humanKeyAt).toBeUndefined();
    // A tmux of the person's own around it is a real terminal, and a nested one.
    const outer = (...args: string[]) =>
      spawnSync('tmux', ['-S', join(world.folder, 'outer'), ...args], { encoding: 'utf8' });
    onTestFinished(() => void outer('kill-server'));
    const attach = world.backend.attachCommand(terminal, {
      TMUX: `${join(world.folder, 'outer')},1,0`,
    });
    if (attach === 'gone') throw new Error('gone');
    outer('-f', '/dev/null', 'new-session', '-d', '-x', '90', '-y', '25', '--', ...attach.argv);
    const keyAt = await waitUntil(
      'the person',
      async () => (await lookOf(world, terminal)).humanKeyAt,
    );
    expect(await world.backend.look(terminal)).toMatchObject({ columns: 90 });
    await waitUntil('a later second', async () => {
      outer('send-keys', 'by-hand', 'Enter');
      return ((await lookOf(world, terminal)).humanKeyAt ?? 0) > keyAt;
    });
    await world.untilScreen(terminal, 'by-hand');
  },
);

async function lookOf(world: TmuxWorld, terminal: Terminal) {
  const look = await world.backend.look(terminal);
  if (look === 'gone') throw new Error('gone');
  return look;
}
