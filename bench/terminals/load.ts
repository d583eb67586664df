import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/shared/clock.ts';
import { median, quantile } from '../measure.ts';
import type { Part, Surroundings } from '../suite.ts';
import { playTurn } from './latency.ts';
import { Station } from './station.ts';

/** Bytes that all scripted agents have written, by the system's own account. */
function printed(station: Station): number {
  const listed = execFileSync('tmux', [
    ...[
      '-S',
      join(station.home, 'tmux.sock'),
      'list-panes',
      '-a',
      '-F',
      '#{@sbx-agent} #{pane_pid}',
    ],
  ]);
  const pids = new Set(
    String(listed)
      .split('\n')
      .filter((line) => line.startsWith('agt_'))
      .map((line) => line.split(' ')[1]),
  );
  return [...pids].reduce((sum, pid) => {
    const io = readFileSync(`/proc/${pid}/io`, 'utf8');
    return sum + Number(/^wchar: (\d+)/m.exec(io)?.[1]);
  }, 0);
}

/** Twenty agents that print all the time, and one whose status somebody waits for. */
export async function benchLoad({ folder, quick, signal, say }: Surroundings): Promise<Part> {
  const turns = quick ? 20 : 100;
  say(`20 agents at 50 KB/s each, ${turns} turns of another one`);
  const station = new Station(join(folder, 'load'));
  try {
    await station.start();
    const quiet = await station.launch('quiet');
    const loud = await Promise.all(
      Array.from({ length: 20 }, (_, i) => station.launch(`loud-${i}`)),
    );
    for (const agent of loud) void agent.control.tell('@@flood at 50kb/s');
    await systemClock.sleep(3000);
    const printedBefore = printed(station);
    const before = station.cpuSeconds();
    const startedAt = performance.now();
    const latencies: number[] = [];
    let lost = 0;
    for (let turn = 0; turn < turns; turn++) {
      signal.throwIfAborted();
      try {
        const { settledAt, event } = await playTurn(station, quiet);
        latencies.push(event - settledAt);
      } catch {
        lost++;
      }
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const percent = ((station.cpuSeconds() - before) / seconds) * 100;
    const rate = (printed(station) - printedBefore) / seconds / loud.length / 1000;
    return {
      title: '20 agents at 50 KB/s each',
      how: `20 scripted agents print 50 KB/s each while another plays ${turns} turns. Processor: of the daemon, its worker \
included, over those turns. Latency: from the last byte of a turn to its event at a subscriber, of which 50 ms are the wait for quiet.`,
      rows: [
        {
          what: 'daemon, processor, % of a core',
          measured: { value: percent, unit: '' },
          bar: { atMost: 25 },
        },
        {
          what: 'printed by each loud agent, KB/s',
          measured: { value: rate, unit: '' },
          bar: { atLeast: 45 },
        },
        { what: 'status events lost', measured: { value: lost, unit: '' }, bar: { atMost: 0 } },
        {
          what: 'status latency of the quiet one, median',
          measured: { value: median(latencies), unit: 'ms' },
        },
        {
          what: 'status latency of the quiet one, p99',
          measured: { value: quantile(latencies, 0.99), unit: 'ms' },
          bar: { atMost: 250 },
        },
      ],
      raw: { latencies },
    };
  } finally {
    await station.close();
  }
}
