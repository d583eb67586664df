import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Terminal } from '../../../src/terminals/backend.ts';
import type { HerdrWorld } from '../../support/herdr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { chaos, count, openNext, paneRecord, reader, untilReady, withHerdr } from './trouble.ts';

/** A program that herdr takes for that CLI by its name. */
function program(world: HerdrWorld, name: string, text = 'echo ready; exec sleep 3600'): string {
  const bin = join(world.folder, 'clis');
  mkdirSync(bin, { recursive: true });
  const path = join(bin, name);
  writeFileSync(path, text.startsWith('#!') ? text : `#!/bin/sh\n${text.replace('exec ', '')}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function status(world: HerdrWorld, terminal: Terminal): Promise<string> {
  return String((await paneRecord(world, terminal))['agent_status']);
}

async function untilStatus(world: HerdrWorld, terminal: Terminal, wanted: string): Promise<void> {
  await waitUntil(`herdr shows ${wanted}`, async () => {
    const shown = await status(world, terminal);
    return shown === wanted || (wanted === 'idle' && shown === 'done');
  });
}

async function untilDetected(world: HerdrWorld, terminal: Terminal, agent: string): Promise<void> {
  await waitUntil(`${agent} is detected`, async () => {
    return (await paneRecord(world, terminal))['agent'] === agent;
  });
}

/** So many looks at everything later. */
async function looks(world: HerdrWorld, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await world.backend.list();
}

withHerdr('native status', ({ check, onlyFake }, version) => {
  check('what we report is what herdr shows, and its echo is no witness', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    for (const [ours, theirs] of [
      ['processing', 'working'],
      ['waiting', 'blocked'],
      ['idle', 'idle'],
      ['processing', 'working'],
      ['completed', 'idle'],
    ] as const) {
      world.backend.report?.(terminal, ours);
      await untilStatus(world, terminal, theirs);
      await looks(world, 4);
    }
    expect(world.heard.natives).toEqual([]);
    // It goes by its own name there; 0.6.8 cannot show one.
    const shown = version === '0.6.8' ? undefined : 'agent-1';
    expect((await paneRecord(world, terminal))['display_agent']).toBe(shown);
  });

  onlyFake('of two reports on their way the later one counts', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    await world.backend.list();
    for (let i = 0; i < 3; i++) {
      await chaos(world, { do: 'delay', ms: 300, method: 'pane.get', times: 1 });
      world.backend.report?.(terminal, 'processing');
      await waitUntil('the first is on its way', async () => {
        const { faults } = (await chaos(world, { do: 'count' })) as { faults: unknown[] };
        return faults.length === 0;
      });
      world.backend.report?.(terminal, 'idle');
      const before = (await count(world)).requests['pane.report_agent'] ?? 0;
      await waitUntil('both have arrived', async () => {
        const { requests } = await count(world);
        return (requests['pane.report_agent'] ?? 0) >= Math.max(before, 2 * (i + 1));
      });
      await untilStatus(world, terminal, 'idle');
      await looks(world, 4);
      expect(['idle', 'done']).toContain(await status(world, terminal));
    }
    expect(world.heard.natives).toEqual([]);
  });

  onlyFake('a report that was lost is told again', async (world) => {
    const terminal = await world.launchUntil('ready', reader);
    await chaos(world, { do: 'drop', method: 'pane.get', at: 3, times: 1 });
    world.backend.report?.(terminal, 'processing');
    await untilStatus(world, terminal, 'working');
    await chaos(world, { do: 'cut' });
    await waitUntil('the loss', () => world.backend.state().state === 'connecting');
    world.backend.report?.(terminal, 'waiting');
    await untilReady(world.backend);
    await untilStatus(world, terminal, 'blocked');
    expect(world.heard.natives).toEqual([]);
  });

  for (const cli of ['opencode', 'kimi']) {
    check(`${cli}’s own word is told as that, and we do not talk over it`, async (world) => {
      const terminal = await world.launchUntil('ready', [program(world, cli)]);
      await untilDetected(world, terminal, cli);
      const pane_id = await world.paneOf(terminal);
      let seq = 1;
      const begin = { source: `herdr:${cli}`, agent: cli, agent_session_id: 'ses_1', seq: 0 };
      const start = { pane_id, ...begin, session_start_source: 'startup' };
      if (version !== '0.6.8') await world.ask('pane.report_agent_session', start);
      const tell = (state: string) =>
        world.ask('pane.report_agent', {
          ...{ pane_id, source: `herdr:${cli}`, agent: cli, state, seq: seq++ },
          agent_session_id: 'ses_1',
        });
      await tell('working');
      const last = () => world.heard.natives.at(-1);
      if (version === '0.6.8') {
        // Its list of panes does not say whose word it is: then it is nobody's.
        await looks(world, 3);
        expect(world.heard.natives.filter(([, native]) => native?.isOwnWord)).toEqual([]);
        return;
      }
      await waitUntil('it is told', () => last()?.[1]?.status === 'working');
      expect(last()).toEqual([terminal.agent, { status: 'working', isOwnWord: true }]);
      world.backend.report?.(terminal, 'idle');
      await looks(world, 4);
      expect(await status(world, terminal)).toBe('working');
      await tell('blocked');
      await waitUntil('it is told', () => last()?.[1]?.status === 'blocked');
      await tell('idle');
      await waitUntil('done is idle', () => last()?.[1]?.status === 'idle');
      await looks(world, 4);
      expect(world.heard.natives.map(([, native]) => native?.status)).toEqual([
        ...['working', 'blocked', 'idle'],
      ]);
    });
  }

  if (version === '0.6.8') return;

  for (const cli of ['claude', 'codex', 'copilot'] as const) {
    /** As herdr's own integration of that CLI does at the start of a conversation: it names it, and tells no state. */
    const begin = async (world: HerdrWorld, terminal: Terminal, id: string, seq: number) => {
      const session = { source: `herdr:${cli}`, agent: cli, agent_session_id: id, seq };
      const pane_id = await world.paneOf(terminal);
      const params = { pane_id, ...session, session_start_source: 'startup' };
      await world.ask('pane.report_agent_session', params);
    };

    check(
      `D12: where herdr’s ${cli} integration names a session first, its own idea is told, once`,
      async (world) => {
        const terminal = await world.launchUntil('ready', [program(world, cli)]);
        await untilDetected(world, terminal, cli);
        await begin(world, terminal, 'ses_1', 1);
        world.backend.report?.(terminal, 'processing');
        await waitUntil('its own idea', () => world.heard.natives.length > 0);
        expect(world.heard.natives).toEqual([
          [terminal.agent, { status: 'idle', isOwnWord: false }],
        ]);
        world.backend.report?.(terminal, 'waiting');
        await looks(world, 6);
        expect(world.heard.natives).toHaveLength(1);
        expect(['idle', 'done']).toContain(await status(world, terminal));
      },
    );

    check(
      `D12: where herdr’s ${cli} integration comes after us, what we said is not stuck`,
      async (world) => {
        const terminal = await world.launchUntil('ready', [program(world, cli)]);
        await untilDetected(world, terminal, cli);
        world.backend.report?.(terminal, 'starting');
        world.backend.report?.(terminal, 'processing');
        await untilStatus(world, terminal, 'working');
        for (const [id, seq] of [
          ['ses_1', 1],
          ['ses_2', 2],
        ] as const) {
          await begin(world, terminal, id, seq);
          for (const [ours, theirs] of [
            ['waiting', 'blocked'],
            ['completed', 'idle'],
            ['processing', 'working'],
          ] as const) {
            world.backend.report?.(terminal, ours);
            await untilStatus(world, terminal, theirs);
          }
        }
      },
    );

    onlyFake(
      `D12: the word of a daemon that was killed is not stuck, either (${cli})`,
      async (world) => {
        const terminal = await world.launchUntil('ready', [program(world, cli)]);
        await untilDetected(world, terminal, cli);
        // What a daemon that is gone has said, and what came after it.
        const pane_id = await world.paneOf(terminal);
        const said = { pane_id, source: 'signalbox', agent: cli, state: 'blocked', seq: 1 };
        await world.ask('pane.report_agent', said);
        await begin(world, terminal, 'ses_1', 1);
        expect(await status(world, terminal)).toBe('blocked');
        world.backend.report?.(terminal, 'idle');
        await untilStatus(world, terminal, 'idle');
      },
    );
  }

  onlyFake(
    'a session’s end and beginning are not told anew because a connection was cut',
    async (world) => {
      const terminal = await world.launchUntil('ready', [program(world, 'claude')]);
      await untilDetected(world, terminal, 'claude');
      const pane_id = await world.paneOf(terminal);
      const session = {
        source: 'herdr:claude',
        agent: 'claude',
        agent_session_id: 'ses_1',
        seq: 1,
      };
      await world.ask('pane.report_agent_session', { pane_id, ...session });
      world.backend.report?.(terminal, 'processing');
      await waitUntil('its own idea', () => world.heard.natives.length > 0);
      await chaos(world, { do: 'cut' });
      await waitUntil('the loss', () => world.backend.state().state === 'connecting');
      await untilReady(world.backend);
      world.backend.report?.(terminal, 'waiting');
      await looks(world, 6);
      expect(world.heard.natives).toHaveLength(1);
    },
  );

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

  check('D10: a CLI goes by the name that herdr has for it', async (world) => {
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
});
