import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/shared/clock.ts';
import { median, quantile } from '../measure.ts';
import type { Part, Surroundings } from '../suite.ts';
import { type Agent, Station } from './station.ts';

const run = promisify(execFile);

/**
 * From the last byte of a turn's last screen to the status event at a subscriber, against polling
 * with capture-pane.
 */
export async function benchLatency({ folder, quick, signal, say }: Surroundings): Promise<Part> {
  const turns = quick ? 20 : 100;
  say(`status latency: ${turns} turns`);
  const station = new Station(join(folder, 'latency'));
  try {
    await station.start();
    const agent = await station.launch('agent');
    const ours: number[] = [];
    const polled: number[] = [];
    const { pane, socket } = await findPane(station, folder);
    for (let turn = 0; turn < turns; turn++) {
      signal.throwIfAborted();
      const { settledAt, event } = await playTurn(station, agent);
      ours.push(event - settledAt);
      // Every fifth turn also by polling: each takes half a second on average.
      if (turn % 5 === 0) polled.push(await pollTurn(agent, socket, pane));
    }
    return {
      title: 'Status latency',
      how: `${turns} turns of one scripted agent ("@@work 300ms @@say done"). The clock starts when the agent has written the \
last byte of the turn's last screen; 50 ms without output belong to "settled" and are part of the number. Ours: until the \
event reached a subscriber of /events. Polling: \`tmux capture-pane\` as a process every second, until it shows the footer of an \
idle agent, its phase random.`,
      rows: [
        {
          what: 'last byte → status event, median',
          measured: { value: median(ours), unit: 'ms' },
          against: {
            what: 'capture-pane every 1 s',
            quantity: { value: median(polled), unit: 'ms' },
          },
        },
        {
          what: 'settled (50 ms quiet) → status event, median',
          measured: { value: median(ours) - 50, unit: 'ms' },
          bar: { atMost: 100 },
        },
        {
          what: 'last byte → status event, p99',
          measured: { value: quantile(ours, 0.99), unit: 'ms' },
          against: {
            what: 'capture-pane every 1 s',
            quantity: { value: quantile(polled, 0.99), unit: 'ms' },
          },
        },
      ],
      raw: { ours, polled },
    };
  } finally {
    await station.close();
  }
}

export async function playTurn(
  station: Station,
  agent: Agent,
): Promise<{ settledAt: number; event: number }> {
  // Only a rest after work ends the turn: the event of the turn before may still be on its way.
  let hasWorked = false;
  const done = station.next((event) => {
    if (event.agent !== agent.name) return false;
    hasWorked ||= event.status === 'processing';
    return hasWorked && event.status === 'completed';
  });
  const answer = await agent.control.tell('@@work 300ms @@say done');
  const settledAt = performance.now();
  if (answer !== 'ok') throw new Error(`the agent answered ${answer}`);
  return { settledAt, event: (await done).at };
}

async function findPane(station: Station, _folder: string) {
  const socket = join(station.home, 'tmux.sock');
  const { stdout } = await run('tmux', [
    ...['-S', socket, 'list-panes', '-a', '-F', '#{@sbx-agent} #{pane_id}'],
  ]);
  const line = stdout.split('\n').find((text) => text.startsWith('agt_'));
  return { socket, pane: line?.split(' ')[1] ?? '' };
}

async function pollTurn(agent: Agent, socket: string, pane: string): Promise<number> {
  const ended = agent.control.tell('@@work 300ms @@say done').then(() => performance.now());
  await systemClock.sleep(Math.random() * 1000);
  for (;;) {
    const { stdout } = await run('tmux', ['-S', socket, 'capture-pane', '-p', '-t', pane]);
    const endedAt = await Promise.race([ended, Promise.resolve(undefined)]);
    if (endedAt !== undefined && stdout.includes('? for shortcuts')) {
      return performance.now() - endedAt;
    }
    await systemClock.sleep(1000);
  }
}
