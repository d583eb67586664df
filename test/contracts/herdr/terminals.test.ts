import { expect, test } from 'vitest';
import { isAlive } from '../../../src/shared/processes.ts';
import { readSgr } from '../../support/sgr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { openTerminal, sizeOf } from './terminal-session.ts';
import { type Json, onlyFake, openHerdr, text } from './world.ts';

/** Shows every byte that it gets: `^M` for a carriage return, `^[` for an escape. */
const mirror = (before = '') => ['sh', '-c', `stty raw -echo; ${before} echo ready; exec cat -v`];
const pasteOn = "printf '\\033[?2004h';";

test('row 18: a single pane has 23 rows and 53 columns', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  expect(await sizeOf(world, pane)).toBe('23 53');
});

test('row 20: text is written raw, input is pasted where the program wants that', async () => {
  const world = await openHerdr();
  await world.workspace();
  const pane = await world.run(mirror(pasteOn));
  await world.untilShown(pane, 'ready');
  await world.ask('pane.send_text', { pane_id: pane, text: 'raw\r' });
  await world.untilShown(pane, 'raw^M');
  await world.ask('pane.send_input', { pane_id: pane, text: 'one\ttwo', keys: ['Enter'] });
  await world.untilShown(pane, '^[[201~^M');
  expect(await world.screen(pane)).toMatch(/raw\^M\^\[\[200~one\s+two\^\[\[201~\^M/);
});

test('input is written as it is to a program that did not ask for pastes', async () => {
  const world = await openHerdr();
  await world.workspace();
  const pane = await world.run(mirror());
  await world.untilShown(pane, 'ready');
  await world.ask('pane.send_input', { pane_id: pane, text: 'żółw $x "q"', keys: ['enter'] });
  await world.untilShown(pane, '$x "q"^M');
  expect(await world.screen(pane)).not.toContain('200~');
});

test('keys become the bytes that a terminal sends', async () => {
  const world = await openHerdr();
  await world.workspace();
  const pane = await world.run(mirror());
  await world.untilShown(pane, 'ready');
  const keys = ['a', 'Enter', 'esc', 'ctrl+c', 'C-c', 'shift+tab', 'Up', 'left', 'space', 'b'];
  await world.ask('pane.send_keys', { pane_id: pane, keys });
  await world.untilShown(pane, 'a^M^[^C^C^[[Z^[[A^[[D b');
});

test('an unknown key is refused, and then nothing of the request is written', async () => {
  const world = await openHerdr();
  await world.workspace();
  const pane = await world.run(mirror());
  await world.untilShown(pane, 'ready');
  for (const key of ['home', 'end', 'pageup', 'delete']) {
    const params = { pane_id: pane, keys: ['x', key] };
    expect(await world.refusal('pane.send_keys', params)).toBe('invalid_key');
  }
  await world.ask('pane.send_keys', { pane_id: pane, keys: ['y'] });
  await world.untilShown(pane, 'y');
  expect(await world.screen(pane)).not.toContain('x');
});

test('a command runs without a shell, with its own environment and what herdr tells every pane', async () => {
  const world = await openHerdr();
  const { workspace } = await world.workspace();
  const script =
    'for n in FOO HERDR_ENV HERDR_PANE_ID HERDR_TAB_ID HERDR_WORKSPACE_ID; do printenv $n; done; printf "%s|" "$@"; pwd; printenv TMUX; echo over; exec cat';
  const command = ['sh', '-c', script, 'sh', 'a b', '$HOME', "it's"];
  const leaf = { env: { FOO: 'bar baz', HERDR_ENV: 'mine' }, cwd: '/', label: 'worker' };
  const pane = await world.run(command, leaf);
  await world.untilShown(pane, 'over');
  const { pane: info } = await world.ask('pane.get', { pane_id: pane });
  expect(info).toMatchObject({ label: 'worker', workspace_id: workspace });
  const tab = text(info, 'tab_id');
  expect((await world.screen(pane)).trimEnd().split('\n')).toEqual([
    'bar baz',
    '1',
    pane,
    tab,
    workspace,
    "a b|$HOME|it's|/",
    'over',
  ]);
});

test('a layout starts all its panes and tells the ids that they got', async () => {
  const world = await openHerdr();
  await world.workspace();
  const leaf = (word: string) => ({
    type: 'pane',
    command: ['sh', '-c', `echo ${word}; exec cat`],
  });
  const inner = {
    type: 'split',
    direction: 'down',
    ratio: 0.5,
    first: leaf('two'),
    second: leaf('three'),
  };
  const root = { type: 'split', direction: 'right', ratio: 0.5, first: leaf('one'), second: inner };
  const { layout } = await world.ask('layout.apply', { root, tab_label: 'team' });
  const { first, second } = (layout as Json)['root'] as {
    first: Json;
    second: Record<string, Json>;
  };
  await world.untilShown(text(first, 'pane_id'), 'one');
  await world.untilShown(text(second['first'], 'pane_id'), 'two');
  await world.untilShown(text(second['second'], 'pane_id'), 'three');
  const { tab } = await world.ask('tab.get', { tab_id: text(layout, 'tab_id') });
  expect(tab).toMatchObject({ label: 'team', pane_count: 3 });
});

test('a read gives the screen, the scrollback, joined lines or colours', async () => {
  const world = await openHerdr();
  await world.workspace();
  const long = 'x'.repeat(70);
  const script = `seq 1 200; echo ${long}; printf '\\033[31mred\\033[0m\\n'; exec cat`;
  const pane = await world.run(['sh', '-c', script]);
  await world.untilShown(pane, 'red');
  expect(await world.screen(pane)).not.toContain('\n150\n');
  expect(await world.screen(pane)).not.toContain(long);
  expect(await world.screen(pane, 'recent_unwrapped')).toContain(long);
  const styled = readSgr(await world.screen(pane, 'visible', { format: 'ansi' }));
  expect(styled.find(({ text }) => text.includes('red'))).toMatchObject({ colour: '1' });
  const all = await world.ask('pane.read', { pane_id: pane, source: 'recent', lines: 1000 });
  expect(all['read']).toMatchObject({ truncated: false, revision: 0, source: 'recent' });
  expect(text(all['read'], 'text')).toMatch(/^1\n2\n3\n/);
  const some = await world.ask('pane.read', { pane_id: pane, source: 'recent', lines: 5 });
  expect(some['read']).toMatchObject({ truncated: true });
  const usual = await world.ask('pane.read', { pane_id: pane, source: 'recent' });
  expect(text(usual['read'], 'text').split('\n').length).toBeLessThanOrEqual(80);
});

test('text ends in a line feed, detection is plain, and visible gives the last lines', async () => {
  const world = await openHerdr();
  await world.workspace();
  const script = "printf '\\033[31mone\\033[0m\\ntwo\\nthree'; exec cat";
  const pane = await world.run(['sh', '-c', script]);
  await world.untilShown(pane, 'three');
  expect(await world.screen(pane)).toBe('one\ntwo\nthree\n');
  expect(await world.screen(pane, 'detection', { format: 'ansi' })).toBe('one\ntwo\nthree\n');
  const some = await world.ask('pane.read', { pane_id: pane, source: 'visible', lines: 2 });
  expect(some['read']).toMatchObject({ text: 'two\nthree\n', truncated: true });
  const none = await world.ask('pane.read', { pane_id: pane, source: 'visible', lines: 0 });
  expect(none['read']).toMatchObject({ text: '', truncated: true });
});

onlyFake('recent rows are counted from the bottom of the screen, blank ones too', async () => {
  const world = await openHerdr();
  await world.workspace();
  const pane = await world.run(['sh', '-c', 'echo top; exec cat']);
  await world.untilShown(pane, 'top');
  const recent = { pane_id: pane, source: 'recent' };
  const few = await world.ask('pane.read', { ...recent, lines: 5 });
  expect(few['read']).toMatchObject({ text: '', truncated: true });
  const all = await world.ask('pane.read', { ...recent, lines: 23 });
  expect(all['read']).toMatchObject({ text: 'top\n', truncated: false });
});

test('the alternate screen has no history', async () => {
  const world = await openHerdr();
  await world.workspace();
  const script = "seq 1 100; printf '\\033[?1049h\\033[Hother'; exec cat";
  const pane = await world.run(['sh', '-c', script]);
  await world.untilShown(pane, 'other');
  expect(await world.screen(pane, 'recent', { lines: 500 })).toBe('other\n');
});

test('a wait for output sees what is there, times out, and fails with its pane', async () => {
  const world = await openHerdr();
  await world.workspace();
  const pane = await world.run(['sh', '-c', 'echo al"re"ady; exec cat']);
  expect(await world.untilShown(pane, 'already')).toMatchObject({ matched_line: 'already' });
  const wait = (match: Json, timeout_ms = 300) =>
    world.refusal('pane.wait_for_output', { pane_id: pane, source: 'recent', match, timeout_ms });
  expect(await wait({ type: 'regex', value: '^nev.r$' })).toBe('timeout');
  expect(await wait({ type: 'regex', value: '(' })).toBe('invalid_regex');
  const waiting = wait({ type: 'substring', value: 'never' }, 20_000);
  await world.ask('pane.close', { pane_id: pane });
  expect(await waiting).toBe('pane_not_found');
});

test('the processes of a pane are known: its own and those in the foreground', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  await world.ask('pane.send_text', { pane_id: pane, text: 'echo own $$; sleep 1000\r' });
  const found: Json = await waitUntil('sleep in the foreground', async () => {
    const { process_info } = await world.ask('pane.process_info', { pane_id: pane });
    const processes = (process_info as Json)['foreground_processes'] as Json[];
    return processes.some(({ name }) => name === 'sleep') ? (process_info as Json) : undefined;
  });
  const [, own] = /^own (\d+)$/m.exec(await world.screen(pane)) ?? [];
  expect(found['shell_pid']).toBe(Number(own));
  expect(found['foreground_process_group_id']).not.toBe(found['shell_pid']);
  expect(found).not.toHaveProperty('tty');
});

test('closing a pane ends its program', async () => {
  const world = await openHerdr();
  await world.workspace();
  const pane = await world.run(['sh', '-c', 'exec sleep 1000']);
  const { process_info } = await world.ask('pane.process_info', { pane_id: pane });
  const pid = Number((process_info as Json)['shell_pid']);
  await world.ask('pane.close', { pane_id: pane });
  await waitUntil('the end of the program', () => !isAlive(pid));
});

test('an observer gets frames of what a pane shows, and changes nothing', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const watch = openTerminal(world, 'observe', pane);
  await waitUntil('a first frame', () => watch.frames.length > 0);
  await world.ask('pane.send_text', { pane_id: pane, text: 'echo sh""own; stty size\r' });
  await waitUntil('a frame with the output', () => watch.shown().includes('shown'));
  await world.untilShown(pane, '23 53');
});

test('a controller sets the size and types', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const control = openTerminal(world, 'control', pane, '--cols', '100', '--rows', '40');
  await waitUntil('a first frame', () => control.frames.length > 0);
  control.say({ type: 'terminal.input', text: 'stty size\r' });
  await world.untilShown(pane, '40 100');
  control.say({ type: 'terminal.resize', cols: 90, rows: 30 });
  control.say({ type: 'terminal.input', bytes: Buffer.from('stty size\r').toString('base64') });
  await world.untilShown(pane, '30 90');
});

test('there is one controller at a time, and it sets a size also when it asks for none', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const control = openTerminal(world, 'control', pane);
  await waitUntil('a first frame', () => control.frames.length > 0);
  expect(control.frames[0]).toMatchObject({ type: 'terminal.frame', seq: 1, full: true });
  await world.ask('pane.send_text', { pane_id: pane, text: 'echo is $(stty size)\r' });
  await world.untilShown(pane, 'is 40 120');
  const second = openTerminal(world, 'control', pane);
  await waitUntil('a refusal', () => second.frames.length > 0);
  expect(second.frames[0]).toMatchObject({
    type: 'terminal.closed',
    reason: expect.stringContaining('already has an attached client; retry with --takeover'),
  });
  control.say({ type: 'terminal.release' });
  await waitUntil('the end of its control', control.isOver);
  const third = openTerminal(world, 'control', pane);
  await waitUntil('a first frame', () => third.frames.length > 0);
  expect(third.frames[0]).toMatchObject({ type: 'terminal.frame', full: true });
});

test('frames tell where the cursor is and whether it is shown; later ones are not full', async () => {
  const world = await openHerdr();
  await world.workspace();
  const script =
    "printf '\\033[?25l\\033[5;7H'; read -r x; printf '\\033[?25h\\033[6;8H'; exec cat";
  const pane = await world.run(['sh', '-c', script]);
  const watch = openTerminal(world, 'observe', pane);
  await waitUntil('the cursor', () => watch.shown().includes('\x1b[5;7H\x1b[?25l'));
  await world.ask('pane.send_text', { pane_id: pane, text: '\r' });
  await waitUntil('the cursor elsewhere', () => watch.shown().includes('\x1b[6;8H\x1b[?25h'));
  expect(watch.frames.map((frame) => frame['full'])).toEqual([
    true,
    ...watch.frames.slice(1).map(() => false),
  ]);
});
