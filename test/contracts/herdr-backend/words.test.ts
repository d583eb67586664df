import { expect } from 'vitest';
import { waitUntil } from '../../support/wait-until.ts';
import { looks, program, status, untilDetected, untilStatus } from './clis.ts';
import { chaos, clockAt, count, openNext, paneRecord, withHerdr } from './trouble.ts';

withHerdr(
  'what herdr was told of an agent',
  ({ check, onlyFake }) => {
    check('a daemon that ends takes its words back: nobody would correct them', async (world) => {
      const terminal = await world.launchUntil('ready', [program(world, 'claude')]);
      await untilDetected(world, terminal, 'claude');
      world.backend.report?.(terminal, 'waiting');
      await untilStatus(world, terminal, 'blocked');
      await world.backend.close();
      expect(['idle', 'done', 'working']).toContain(await status(world, terminal));
      const next = await openNext(world);
      next.report?.(terminal, 'waiting');
      await untilStatus(world, terminal, 'blocked');
    });

    onlyFake('a word that is on its way when the daemon ends is taken back, too', async (world) => {
      const terminal = await world.launchUntil('ready', [program(world, 'claude')]);
      await untilDetected(world, terminal, 'claude');
      await world.backend.list();
      await chaos(world, { do: 'delay', ms: 700, method: 'pane.report_agent', times: 1 });
      world.backend.report?.(terminal, 'waiting');
      await waitUntil('herdr has it', async () => (await status(world, terminal)) === 'blocked');
      await world.backend.close();
      expect(['idle', 'done']).toContain(await status(world, terminal));
    });

    check('what a killed daemon said goes where the next one has nothing to say', async (world) => {
      const terminal = await world.launchUntil('ready', [program(world, 'claude')]);
      await untilDetected(world, terminal, 'claude');
      const pane_id = await world.paneOf(terminal);
      const said = { pane_id, source: 'signalbox', agent: 'claude', state: 'blocked', seq: 1 };
      await world.ask('pane.report_agent', said);
      world.backend.report?.(terminal, 'unknown');
      await untilStatus(world, terminal, 'idle');
    });

    check('a clock that was set back between two daemons silences nobody', async (world) => {
      const terminal = await world.launchUntil('ready', [program(world, 'claude')]);
      await untilDetected(world, terminal, 'claude');
      world.backend.report?.(terminal, 'waiting');
      await untilStatus(world, terminal, 'blocked');
      // As if it were killed: it says no more, and takes nothing back.
      const next = await openNext(world, undefined, clockAt(-3_600_000));
      next.report?.(terminal, 'processing');
      await untilStatus(world, terminal, 'working');
      next.report?.(terminal, 'completed');
      await untilStatus(world, terminal, 'idle');
    });

    check('a word of another source that goes away leaves none of ours behind', async (world) => {
      const terminal = await world.launchUntil('ready', [program(world, 'claude')]);
      await untilDetected(world, terminal, 'claude');
      world.backend.report?.(terminal, 'idle');
      await untilStatus(world, terminal, 'idle');
      const pane_id = await world.paneOf(terminal);
      const other = { pane_id, source: 'custom:x', agent: 'claude', seq: 1 };
      await world.ask('pane.report_agent', { ...other, state: 'working' });
      await looks(world, 6);
      await world.ask('pane.clear_agent_authority', { pane_id, source: 'custom:x', seq: 2 });
      world.backend.report?.(terminal, 'processing');
      await untilStatus(world, terminal, 'working');
      world.backend.report?.(terminal, 'idle');
      await untilStatus(world, terminal, 'idle');
      await looks(world, 6);
      expect(world.heard.natives.at(-1)?.[1]?.status).not.toBe('working');
    });

    check('H10: a CLI goes by the name that herdr has for it', async (world) => {
      const terminal = await world.launch([program(world, 'claude')]);
      world.backend.report?.(terminal, 'idle');
      world.backend.report?.(terminal, 'processing');
      await untilStatus(world, terminal, 'working');
      expect((await paneRecord(world, terminal))['agent']).toBe('claude');
    });

    onlyFake('reads of an idle agent with the mouse never turn its wheel', async (world) => {
      const pager = `#!/usr/bin/env node
process.stdin.setRawMode(true);
process.stdout.write('\\x1b[?1049h\\x1b[?1000h\\x1b[?1006h');
process.stdout.write(Array.from({ length: process.stdout.rows }, (_, i) => 'line ' + i).join('\\r\\n'));
process.stdin.resume();
`;
      const terminal = await world.launchUntil('line 1', [program(world, 'claude', pager)]);
      await untilDetected(world, terminal, 'claude');
      await untilStatus(world, terminal, 'idle');
      await world.backend.look(terminal);
      await world.backend.look(terminal, { styled: true });
      await world.backend.readText(terminal, 1_000_000);
      world.backend.report?.(terminal, 'idle');
      await looks(world, 3);
      await world.backend.readText(terminal, 10);
      expect((await count(world)).scrolls).toEqual([]);
    });
  },
  ['0.8.0'],
);
