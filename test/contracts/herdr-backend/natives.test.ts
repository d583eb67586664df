import { expect } from 'vitest';
import type { Terminal } from '../../../src/terminals/terminal.ts';
import type { HerdrWorld } from '../../support/herdr.ts';
import { sweepList } from '../../support/sweep.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { looks, program, status, untilDetected, untilStatus } from './clis.ts';
import { chaos, count, paneRecord, reader, untilReady, withHerdr } from './trouble.ts';

withHerdr('native status', ({ check, onlyFake }, version) => {
  if (version === '0.6.8') {
    onlyFake(
      'where numbers change hands, herdr is told nothing: it might be told of another’s pane',
      async (world) => {
        const terminal = await world.launchUntil('ready', reader);
        for (const status of ['idle', 'processing', 'waiting'] as const) {
          world.backend.report?.(terminal, status);
          await looks(world, 3);
        }
        const { requests } = await count(world);
        expect(Object.keys(requests)).not.toContain('pane.report_agent');
        expect(world.heard.natives).toEqual([]);
      },
    );
  }

  const ours: typeof check = version === '0.6.8' ? () => undefined : check;
  const oursFake: typeof check = version === '0.6.8' ? () => undefined : onlyFake;

  ours('what we report is what herdr shows, and its echo is no witness', async (world) => {
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
    // It goes by its own name there.
    expect((await paneRecord(world, terminal))['display_agent']).toBe('agent-1');
  });

  oursFake(
    'of two reports on their way the later one counts',
    { tags: ['full'] },
    async (world) => {
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
    },
  );

  oursFake('a report that was lost is told again', { tags: ['full'] }, async (world) => {
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

  for (const cli of sweepList(['opencode', 'kimi'])) {
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

  for (const cli of sweepList(['claude', 'codex', 'copilot'] as const)) {
    /**
     * As herdr's own integration of that CLI does at the start of a conversation: it names it, and
     * tells no state.
     */
    const begin = async (world: HerdrWorld, terminal: Terminal, id: string, seq: number) => {
      const session = { source: `herdr:${cli}`, agent: cli, agent_session_id: id, seq };
      const pane_id = await world.paneOf(terminal);
      const params = { pane_id, ...session, session_start_source: 'startup' };
      await world.ask('pane.report_agent_session', params);
    };

    check(
      `H12: where herdr’s ${cli} integration names a session first, its own idea is told, once`,
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
      `H12: where herdr’s ${cli} integration comes after us, what we said is not stuck`,
      { tags: ['full'] },
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
      `H12: the word of a daemon that was killed is not stuck, either (${cli})`,
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
    { tags: ['full'] },
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
});
