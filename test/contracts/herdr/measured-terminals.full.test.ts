import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { readSgr } from '../../support/sgr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { measured } from './measured.ts';
import { openTerminal, sizeOf } from './terminal-session.ts';
import { type Json, text, type World } from './world.ts';

measured(
  'H1: a title from outside is shown and neither counted nor told, tokens and the program’s own title are both',
  'silent-title',
  async (world) => {
    await world.workspace();
    const script = "read -r line; printf '\\033]0;own words\\007'; exec cat";
    const pane = await world.run(['sh', '-c', script]);
    const talk = await world.subscribe('pane.updated');
    const info = async () => (await world.ask('pane.get', { pane_id: pane }))['pane'] as Json;
    const before = Number((await info())['revision']);
    const tell = (params: Json) =>
      world.ask('pane.report_metadata', { pane_id: pane, source: 'custom:test', ...params });
    await tell({ title: 'new' });
    expect(await info()).toMatchObject({ title: 'new', revision: before });
    await tell({ title: 'new', display_agent: 'Mine', state_labels: { idle: 'resting' } });
    await world.ask('pane.rename', { pane_id: pane, label: 'named' });
    const agent = { source: 'custom:test', agent: 'my-agent', state: 'working' };
    await world.ask('pane.report_agent', { pane_id: pane, ...agent });
    expect(await info()).toMatchObject({ label: 'named', revision: before });

    await tell({ tokens: { a: 'one' } });
    expect(await info()).toMatchObject({ tokens: { a: 'one' }, revision: before + 1 });
    await world.ask('pane.send_text', { pane_id: pane, text: '\r' });
    // Nobody asks for the title meanwhile.
    const updates = () => talk.events.map(({ data }) => data['pane'] as Json);
    await waitUntil('the title is told', () =>
      updates().some((each) => each['terminal_title'] === 'own words'),
    );
    const ours = updates().filter((each) => each['pane_id'] === pane);
    expect(ours.map((each) => Number(each['revision']) - before)).toEqual([1, 2]);
    expect(await info()).toMatchObject({ terminal_title: 'own words', revision: before + 2 });
  },
);

measured(
  'H3: with no client attached nothing is resized, and a split leaves its pane’s program as it was',
  'no-resize',
  async (world) => {
    const { pane } = await world.workspace();
    expect(await sizeOf(world, pane)).toBe('23 53');
    const elsewhere = await world.workspace();
    const second = await world.split(pane);
    const sizes: string[] = [];
    for (const each of [pane, second, elsewhere.pane]) sizes.push(await sizeOf(world, each));
    expect(sizes).toEqual(['23 53', '23 54', '23 54']);
    const { layout } = await world.ask('pane.layout', { pane_id: pane });
    const heights = ((layout as Json)['panes'] as { rect: { height: number } }[]).map(
      ({ rect }) => rect.height,
    );
    expect(heights).toHaveLength(2);
    for (const height of heights) expect(height).toBeLessThan(23);
    // By now the layout is smaller, and that is what a new pane gets.
    const third = await world.split(second);
    expect(Number.parseInt(await sizeOf(world, third), 10)).toBeLessThan(23);
    expect(await sizeOf(world, second)).toBe('23 54');
  },
);

measured(
  'H4: the size that a controller set stays when it has released the terminal, and when it is gone',
  'kept-size',
  async (world) => {
    const { pane } = await world.workspace();
    const control = openTerminal(world, 'control', pane, '--cols', '120', '--rows', '40');
    await waitUntil('a first frame', () => control.frames.length > 0);
    expect(await sizeOf(world, pane)).toBe('40 120');
    control.say({ type: 'terminal.release' });
    await waitUntil('the end of its control', control.isOver);
    expect(await sizeOf(world, pane)).toBe('40 120');
    const next = openTerminal(world, 'control', pane, '--cols', '100', '--rows', '30');
    await waitUntil('a first frame', () => next.frames.length > 0);
    await next.kill();
    // Whoever comes next is let in once the server has noticed that nobody holds it any more.
    await waitUntil('another can have it', async () => {
      const last = openTerminal(world, 'control', pane, '--cols', '100', '--rows', '30');
      await waitUntil('an answer', () => last.frames.length > 0);
      const isFree = last.frames[0]?.['type'] === 'terminal.frame';
      await last.kill();
      return isFree;
    });
    expect(await sizeOf(world, pane)).toBe('30 100');
  },
);

measured(
  'H5: the layout is saved 5 s after the last change, and at once by a clean stop',
  'late-save',
  async (world) => {
    await world.workspace();
    expect(await afterKill(world)).toEqual([]);
    const { pane } = await world.workspace();
    // Each change puts it off: 6 s after the first, and 3 s after the last.
    await delay(3000);
    await world.split(pane);
    await delay(3000);
    expect(await afterKill(world)).toEqual([]);
    const { pane: saved } = await world.workspace();
    await delay(7000);
    expect(await afterKill(world)).toEqual([saved]);
    const late = await world.split(saved);
    await world.ask('server.stop');
    await world.herdr.restart();
    expect(await world.paneIds()).toEqual([saved, late]);
  },
);

async function afterKill(world: World): Promise<readonly string[]> {
  await world.herdr.kill();
  await world.herdr.restart();
  return world.paneIds();
}

measured(
  'H8: colours of the palette are written by their number, each change after a reset, and rows end in CR LF',
  'palette-colours',
  async (world) => {
    await world.workspace();
    const words = [
      '\\033[31mred\\033[0m plain',
      '\\033[1;92mgreen\\033[0m',
      '\\033[38;2;1;2;3mrgb\\033[0m',
    ];
    const pane = await world.run(['sh', '-c', `printf '${words.join('\\n')}\\nend'; exec cat`]);
    await world.untilShown(pane, 'end');
    const shown = await world.screen(pane, 'visible', { format: 'ansi' });
    expect(shown).toContain('\x1b[0m\x1b[38;5;1mred');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
    expect(shown).toMatch(/\x1b\[1m(?:\x1b\[[\d;]*m)*\x1b\[38;5;10mgreen/);
    expect(shown).toContain('\x1b[38;2;1;2;3mrgb');
    const rows = shown.split('\n').slice(0, 3);
    expect(rows.map((row) => row.at(-1))).toEqual(['\r', '\r', '\r']);
    const drawn = readSgr(shown).map(({ text: each, ...how }) => ({ text: each.trim(), ...how }));
    expect(drawn).toEqual(
      expect.arrayContaining([
        { text: 'red', colour: '1', isBold: false },
        { text: 'plain', colour: undefined, isBold: false },
        { text: 'green', colour: '10', isBold: true },
        { text: 'rgb', colour: '1;2;3', isBold: false },
      ]),
    );
    expect(await world.screen(pane)).toBe('red plain\ngreen\nrgb\nend\n');
  },
);

measured(
  'H9: in one life a closed workspace’s number is not given again, behind a restart it is',
  'numbers-go-on',
  async (world) => {
    await world.workspace();
    const closed = await world.workspace();
    await world.ask('workspace.close', { workspace_id: closed.workspace });
    const next = await world.workspace();
    expect([closed.workspace, next.workspace]).toEqual(['w2', 'w3']);
    await world.ask('workspace.close', { workspace_id: next.workspace });
    await world.ask('server.stop');
    await world.herdr.restart();
    const { workspace } = await world.ask('workspace.create', { cwd: world.herdr.folder });
    expect(text(workspace, 'workspace_id')).toBe(closed.workspace);
  },
);
