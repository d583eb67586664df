import { join } from 'node:path';
import { systemClock } from '../../src/shared/clock.ts';
import type { Part, Surroundings } from '../suite.ts';
import { Station } from './station.ts';

/** What a hundred agents that do nothing cost the daemon. */
export async function benchIdle({ folder, quick, signal, say }: Surroundings): Promise<Part> {
  const count = quick ? 20 : 100;
  const seconds = quick ? 5 : 30;
  say(`${count} idle agents for ${seconds} s`);
  const station = new Station(join(folder, 'idle'));
  try {
    await station.start();
    // One comes and goes first: what the first launch loads is no cost of an agent.
    await launchPlain(station, 'first');
    await station.ask('DELETE', '/agents/first');
    const empty = await station.holdings();
    for (let i = 0; i < count; i++) {
      signal.throwIfAborted();
      await launchPlain(station, `idle-${i}`);
    }
    await systemClock.sleep(2000);
    const full = await station.holdings();
    const before = station.cpuSeconds();
    await systemClock.sleep(seconds * 1000);
    const percent = ((station.cpuSeconds() - before) / seconds) * 100;
    await station.ask('DELETE', '/agents/idle-0');
    return {
      title: `${count} idle agents`,
      how: `${count} plain programs (\`sleep\`) launched through the daemon. Memory: resident size of the daemon, its worker \
included, after a forced collection, less that of the same daemon after one agent had come and gone. Processor: of the daemon, over ${seconds} s.`,
      rows: [
        {
          what: 'daemon, processor, % of a core',
          measured: { value: percent, unit: '' },
          bar: { atMost: 1 },
        },
        {
          what: 'daemon, memory per agent',
          measured: { value: (full.rssMb - empty.rssMb) / count, unit: 'MB' },
          bar: { atMost: 1.5 },
        },
        { what: 'empty daemon, memory', measured: { value: empty.rssMb, unit: 'MB' } },
      ],
      raw: { empty, full },
    };
  } finally {
    await station.close();
  }
}

async function launchPlain(station: Station, name: string): Promise<void> {
  await station.ask('POST', '/agents', {
    provider: 'generic',
    name,
    notify: true,
    cwd: '/',
    extraArgs: ['sleep', '3600'],
    env: { PATH: process.env['PATH'] ?? '' },
    extraEnv: {},
  });
}
