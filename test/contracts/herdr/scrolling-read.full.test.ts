import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitUntil } from '../../support/wait-until.ts';
import { type Json, onlyFake, openHerdr, type World } from './world.ts';

/**
 * Row 19. An agent that shows the end of a hundred lines, and more of them when the wheel is
 * turned.
 */
const pager = `#!/usr/bin/env node
const { rows } = process.stdout;
const most = 100 - rows;
let at = most;
const paint = () => {
  const lines = Array.from({ length: rows }, (_, i) => 'line ' + (at + i + 1));
  process.stdout.write('\\x1b[?2026h\\x1b[2J\\x1b[H' + lines.join('\\r\\n') + '\\x1b[?2026l');
};
process.stdin.setRawMode(true);
process.stdout.write('\\x1b[?1049h\\x1b[?1000h\\x1b[?1006h');
process.stdin.on('data', (data) => {
  for (const [, button] of String(data).matchAll(/\\x1b\\[<(6[45]);\\d+;\\d+M/g)) {
    at = Math.max(0, Math.min(most, at + (button === '64' ? -2 : 2)));
  }
  paint();
});
paint();
`;

onlyFake('row 19: a long read of an idle agent turns its wheel, up and back', async () => {
  const world = await openHerdr();
  const pane = await startPager(world);
  const read = await world.ask('pane.read', { pane_id: pane, source: 'recent', lines: 60 });
  const lines = String((read['read'] as Json)['text'])
    .trimEnd()
    .split('\n');
  expect(lines.at(-1)).toBe('line 100');
  expect(lines[0]).toBe('line 41');
  expect(await world.screen(pane)).toContain('line 100');
  expect(await scrolls(world)).toMatchObject([{ pane_id: pane, method: 'pane.read', lines: 60 }]);
});

onlyFake('row 19: other reads do not', async () => {
  const world = await openHerdr();
  const pane = await startPager(world);
  await world.screen(pane);
  await world.screen(pane, 'detection');
  await world.screen(pane, 'recent', { lines: 23 });
  await world.screen(pane, 'recent', { lines: 500, format: 'ansi' });
  await world.screen(pane, 'recent_unwrapped', { lines: 500, format: 'ansi' });
  await world.untilShown(pane, 'line 100');
  await tell(world, pane, 'working');
  await world.screen(pane, 'recent', { lines: 500 });
  const long = { target: pane, source: 'recent', lines: 500 };
  expect(await world.refusal('agent.read', long)).toBe('agent_not_idle');
  expect(await scrolls(world)).toEqual([]);
});

onlyFake('row 19: whoever reads meanwhile gets what was there before, or waits', async () => {
  const world = await openHerdr();
  const pane = await startPager(world);
  const long = world.screen(pane, 'recent_unwrapped', { lines: 100 });
  await waitUntil('the program has moved', async () => {
    const text = await world.screen(pane, 'visible', { format: 'text' });
    expect(text).toContain('line 100');
    return (await Promise.race([long, Promise.resolve('')])) !== '';
  });
  expect((await long).split('\n')[0]).toBe('line 1');
  expect(await scrolls(world)).toHaveLength(1);
});

onlyFake('row 19: herdr 0.6.8 knows nothing of the kind', async () => {
  const world = await openHerdr({ version: '0.6.8' });
  await world.workspace();
  const { agent } = await world.ask('agent.start', { name: 'a', argv: [program(world)] });
  const pane = String((agent as Json)['pane_id']);
  await world.untilShown(pane, 'line 100');
  await world.screen(pane, 'recent', { lines: 500 });
  expect(await scrolls(world)).toEqual([]);
});

async function startPager(world: World): Promise<string> {
  await world.workspace();
  const pane = await world.run([program(world)]);
  await world.untilShown(pane, 'line 100');
  await waitUntil('an idle agent', async () => {
    const { pane: info } = await world.ask('pane.get', { pane_id: pane });
    return ['idle', 'done'].includes(String((info as Json)['agent_status']));
  });
  return pane;
}

function program(world: World): string {
  const bin = join(world.herdr.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), pager);
  chmodSync(join(bin, 'claude'), 0o755);
  return join(bin, 'claude');
}

async function tell(world: World, pane: string, state: string): Promise<void> {
  const params = { pane_id: pane, source: 'custom:test', agent: 'claude', state };
  await world.ask('pane.report_agent', params);
}

async function scrolls(world: World): Promise<unknown> {
  return (await world.herdr.chaos({ do: 'count' }))['scrolls'];
}
