import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../../src/shared/processes.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Json, openHerdr, text, type World } from './world.ts';

const cat = { type: 'pane', command: ['cat'] };

test('a layout takes the place of a tab: a workspace with one pane and nothing else', async () => {
  const world = await openHerdr();
  const { workspace, tab, pane } = await world.workspace();
  const talk = await world.subscribe('tab.closed', 'tab.created', 'pane.closed', 'pane.focused');
  const { layout } = await world.ask('layout.apply', { tab_id: tab, root: cat });
  const root = (layout as Json)['root'] as Json;
  expect(layout).toMatchObject({ workspace_id: workspace, tab_id: 'w1:t2', zoomed: false });
  expect(root).toEqual({
    type: 'pane',
    pane_id: 'w1:p2',
    cwd: expect.any(String),
    command: ['cat'],
  });
  const { snapshot } = await world.ask('session.snapshot');
  expect(snapshot).toMatchObject({
    workspaces: [{ workspace_id: workspace, tab_count: 1, pane_count: 1 }],
    tabs: [{ tab_id: 'w1:t2' }],
    panes: [{ pane_id: 'w1:p2', focused: true }],
  });
  expect(await world.refusal('pane.get', { pane_id: pane })).toBe('pane_not_found');
  await talk.untilEvent('tab_closed', { tab_id: tab });
  await talk.untilEvent('pane_focused', { pane_id: 'w1:p2' });
  expect(talk.events.filter(({ event }) => event === 'pane_closed')).toEqual([]);
});

test('a tab that is replaced keeps its name', async () => {
  const world = await openHerdr();
  const { tab } = await world.workspace();
  await world.ask('tab.rename', { tab_id: tab, label: 'mine' });
  const { layout } = await world.ask('layout.apply', { tab_id: tab, root: cat });
  const { tab: info } = await world.ask('tab.get', { tab_id: text(layout, 'tab_id') });
  expect(info).toMatchObject({ label: 'mine' });
});

test('what is wrong with a layout is said before anything is started', async () => {
  const world = await openHerdr();
  const { workspace, tab } = await world.workspace();
  const refusal = (params: Json) => world.refusal('layout.apply', { root: cat, ...params });
  const split = (first: Json, second: Json) => ({
    type: 'split',
    direction: 'right',
    ratio: 0.5,
    first,
    second,
  });
  const deep = (depth: number): Json => (depth === 0 ? cat : split(deep(depth - 1), cat));
  const wide = (depth: number): Json =>
    depth === 0 ? cat : split(wide(depth - 1), wide(depth - 1));
  expect(await refusal({ workspace_id: workspace, tab_id: tab })).toBe('invalid_target');
  expect(await refusal({ workspace_id: 'w9' })).toBe('workspace_not_found');
  expect(await refusal({ tab_id: 'w9:t1' })).toBe('tab_not_found');
  expect(await refusal({ root: { type: 'pane', command: [] } })).toBe('invalid_layout');
  expect(await refusal({ root: deep(16) })).toBe('invalid_layout');
  expect(await refusal({ root: wide(5) })).toBe('invalid_layout');
  expect(await refusal({ root: { ...cat, env: { 'A=B': 'x' } } })).toBe('invalid_layout');
  expect(await refusal({ root: { type: 'window' } })).toBe('invalid_request');
  expect(await refusal({ root: { ...split(cat, cat), ratio: undefined } })).toBe('invalid_request');
  const missing = { type: 'pane', command: ['no-such-program'] };
  expect(await refusal({ root: split(cat, missing) })).toBe('layout_apply_failed');
  expect(await world.paneIds()).toHaveLength(1);
});

test('an environment that cannot be is refused by its own name elsewhere', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const env = { '': 'x' };
  expect(await world.refusal('workspace.create', { env })).toBe('invalid_env');
  expect(await world.refusal('tab.create', { env })).toBe('invalid_env');
  const split = { target_pane_id: pane, direction: 'down', env };
  expect(await world.refusal('pane.split', split)).toBe('invalid_env');
});

test('a program is looked up along the path that it is given, and from its folder', async () => {
  const world = await openHerdr();
  await world.workspace();
  const bin = join(world.herdr.folder, 'own');
  mkdirSync(bin);
  writeFileSync(join(bin, 'mine'), '#!/bin/sh\necho found; exec cat\n');
  chmodSync(join(bin, 'mine'), 0o755);
  const path = `${bin}:${process.env['PATH']}`;
  await world.untilShown(await world.run(['mine'], { env: { PATH: path } }), 'found');
  await world.untilShown(await world.run(['./mine'], { cwd: bin }), 'found');
});

test('a folder that is not there becomes the home folder, without a word', async () => {
  const world = await openHerdr();
  await world.workspace();
  const pane = await world.run(['sh', '-c', 'echo "in $(pwd)"; exec cat'], { cwd: '/no/such' });
  await world.untilShown(pane, `in ${world.herdr.folder}`);
});

test('a terminal says what it is, unless whoever started it says otherwise', async () => {
  const world = await openHerdr();
  await world.workspace();
  const command = ['sh', '-c', 'echo "$TERM $COLORTERM"; exec cat'];
  await world.untilShown(await world.run(command), 'xterm-256color truecolor');
  await world.untilShown(await world.run(command, { env: { TERM: 'dumb' } }), 'dumb truecolor');
});

test('the environment of the server is the one that programs get', async () => {
  const world = await openHerdr({ env: { SET_FOR_SERVER: 'yes' } });
  await world.workspace();
  const pane = await world.run(['sh', '-c', 'echo "is $SET_FOR_SERVER"; exec cat']);
  await world.untilShown(pane, 'is yes');
});

test('a pane ends with its command', async () => {
  const world = await openHerdr();
  const { pane } = await world.workspace();
  const talk = await world.subscribe('pane.exited');
  const own = await world.run(['sh', '-c', 'read -r line']);
  const { process_info } = await world.ask('pane.process_info', { pane_id: own });
  expect(process_info).toMatchObject({
    foreground_processes: [{ argv: ['sh', '-c', 'read -r line'] }],
  });
  await world.ask('pane.send_text', { pane_id: own, text: '\r' });
  await talk.untilEvent('pane_exited', { pane_id: own });
  expect(await world.paneIds()).toEqual([pane]);
});

test('closing ends a program that does not care for a hangup, with all that it started', async () => {
  const world = await openHerdr();
  await world.workspace();
  const script = 'trap "" HUP TERM; sleep 1000 & echo "child $!"; wait; sleep 1000';
  const pane = await world.run(['sh', '-c', script]);
  await world.untilShown(pane, 'child \\d+', 'regex');
  const [, child] = /child (\d+)/.exec(await world.screen(pane)) ?? [];
  const pid = await pidOf(world, pane);
  await world.ask('pane.close', { pane_id: pane });
  await waitUntil('the end of both', () => !isAlive(pid) && !isAlive(Number(child)));
});

test('a restart does not run commands again', async () => {
  const world = await openHerdr();
  const { tab } = await world.workspace();
  await world.ask('layout.apply', { tab_id: tab, root: { ...cat, label: 'mine' } });
  await world.ask('server.stop');
  await world.herdr.restart();
  const { panes } = await world.ask('pane.list');
  expect(panes).toMatchObject([{ pane_id: 'w1:p2', label: 'mine' }]);
  await world.ask('pane.send_text', { pane_id: 'w1:p2', text: 'echo sh""ell\r' });
  await world.untilShown('w1:p2', 'shell');
});

async function pidOf(world: World, pane: string): Promise<number> {
  const { process_info } = await world.ask('pane.process_info', { pane_id: pane });
  return Number((process_info as Json)['shell_pid']);
}
