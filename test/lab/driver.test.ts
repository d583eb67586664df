import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { LabTerminal } from './driver.ts';
import { findFamily, isAlive } from './processes.ts';

test('a program runs with its arguments, environment and size as given, without a shell', async () => {
  const terminal = await open(['printf', '%s|%s|', '$HOME; a  b', "'quoted'"], { ONLY: 'this' });
  const screen = await terminal.waitFor('the end', ({ exit }) => exit !== undefined);
  expect(screen.text).toContain("$HOME; a  b|'quoted'|");
  expect(screen).toMatchObject({ columns: 90, rows: 12 });
  expect(screen.text.split('\n')).toHaveLength(12);
});

test('a screen holds text, colours, title, cursor and the exit code of one moment', async () => {
  const script = String.raw`printf '\033]2;a title\007\033[2mdim\033[0m plain'; read _; exit 7`;
  const terminal = await open(['bash', '-c', script]);
  const screen = await terminal.waitFor('its words', ({ text }) => text.startsWith('dim plain'));
  expect(screen.styled).toContain('\u001b[2mdim');
  expect(screen).toMatchObject({ title: 'a title', cursor: { x: 9, y: 0, isVisible: true } });
  await terminal.keys('Enter');
  const last = await terminal.waitFor('its end', ({ exit }) => exit !== undefined);
  // tmux 3.3a sometimes never learns how a program ended.
  expect([7, undefined]).toContain(last.exit?.code);
  expect(last.text).toContain('dim plain');
});

test('a paste reaches the program in brackets, byte for byte', async () => {
  const script = String.raw`printf '\033[?2004h'; stty -echo -icanon; head -c 22 | od -An -c -v; read _`;
  const terminal = await open(['bash', '-c', script]);
  await terminal.settled(200);
  await terminal.paste('a "b" $c ~');
  const { text } = await terminal.waitFor('the bytes', ({ text }) => text.includes('~'));
  const bytes = text.replaceAll(/\s+/g, '');
  expect(bytes).toContain('033[200~a"b"$c~033[201~'.replaceAll(' ', ''));
});

test('a paste into a program that has ended does not end the server', async () => {
  const terminal = await open(['true']);
  await terminal.waitFor('its end', ({ exit }) => exit !== undefined);
  await terminal.paste('too late');
  expect((await terminal.capture()).exit).toBeDefined();
});

test('the end takes those along that ignore a hangup and those that left the process tree', async () => {
  const deaf = `trap '' HUP TERM; (setsid bash -c "trap '' HUP TERM; echo away; sleep 300" &) ; sleep 300`;
  const terminal = await open(['bash', '-c', deaf]);
  await terminal.waitFor('the stray child', ({ text }) => text.includes('away'));
  const before = terminal.processes();
  expect(before.filter(({ command }) => command === 'sleep')).toHaveLength(2);
  await terminal.end();
  expect(before.filter(isAlive)).toEqual([]);
  expect(existsSync(terminal.socket)).toBe(false);
});

test('a mark that could mean any process finds none, but says so', () => {
  expect(() => findFamily(undefined, '')).toThrow('marks no family');
});

test('waiting in vain says for what, and shows the screen', async () => {
  const terminal = await open(['bash', '-c', 'echo only this; sleep 300']);
  await terminal.waitFor('a line', ({ text }) => text.includes('only this'));
  const waiting = terminal.waitFor('a miracle', () => false, 100);
  await expect(waiting).rejects.toThrow(/a miracle[\s\S]*only this/);
});

async function open(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<LabTerminal> {
  const terminal = await LabTerminal.open({
    argv,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    cwd: tmpdir(),
    columns: 90,
    rows: 12,
  });
  onTestFinished(() => terminal.end());
  return terminal;
}
