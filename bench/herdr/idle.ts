import { join } from 'node:path';
import { systemClock } from '../../src/shared/clock.ts';
import { openPipe, plainDescription, plainProvider } from '../delivery/plain-program.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';
import { Station } from '../terminals/station.ts';
import { FakeHerdr } from './fake-herdr.ts';

const count = 50;
/** The last events of the starts come one by one, ten a second (herdr 0.8.0). */
const settleMs = 15_000;
const atMost = 2;
/**
 * A machine so busy that herdr answers nothing for ten seconds has made the daemon connect anew.
 */
const tries = 3;

const launches = { known: launchKnown, blind: launchBlind } as const;

/** What a fleet at rest asks of herdr. */
export async function benchIdle(around: BuiltSurroundings): Promise<Part> {
  const { quick, say } = around;
  const seconds = quick ? 10 : 30;
  say(`idle: ${count} agents in herdr, then as many without rules, for ${seconds} s each`);
  const known = await measure(around, 'known', seconds);
  const blind = await measure(around, 'blind', seconds);
  const rows = [
    ...toRows(`${count} at rest`, known, seconds),
    ...toRows(`${count} without rules`, blind, seconds),
  ];
  const isLost = known === undefined || blind === undefined;
  return {
    title: `${count} agents at rest in herdr`,
    how: `${count} programs (perl, which shows a prompt and reads) launched one by one through the daemon into the fake of herdr 0.8.0. Once all are at rest, and \
${settleMs / 1000} s later, when the events of their starts have been told, the requests that herdr gets within ${seconds} s are counted, by method. Then the same with as many programs \
(\`sleep\`) for whose screens there are no rules: those are \`unknown\` for ever. A time in which the connection was lost, on a busy machine, does not count.`,
    rows,
    ...(isLost ? { failures: ['idle: the connection to herdr was lost again and again'] } : {}),
    raw: { known, blind, seconds },
  };
}

type Requests = Readonly<Record<string, number>>;

function toRows(who: string, requests: Requests | undefined, seconds: number): readonly Row[] {
  if (!requests) return [];
  const rate = (n: number) => ({ value: n / seconds, unit: '/s' }) as const;
  const all = Object.values(requests).reduce((sum, n) => sum + n, 0);
  const methods = Object.entries(requests).sort(([, a], [, b]) => b - a);
  return [
    { what: `${who}: requests in all`, measured: rate(all), bar: { atMost } },
    ...methods.map(([method, n]) => ({ what: `the same: ${method}`, measured: rate(n) })),
  ];
}

async function measure(
  { signal, dist, folder }: BuiltSurroundings,
  kind: keyof typeof launches,
  seconds: number,
): Promise<Requests | undefined> {
  const herdr = new FakeHerdr(join(folder, `h-${kind}`));
  const station = new Station(join(folder, kind), {
    ...{ dist, isBare: true, providers: { [plainProvider]: plainDescription } },
    settings: { terminal: 'herdr' },
    env: herdr.env,
  });
  try {
    await station.start();
    for (let i = 0; i < count; i++) {
      signal.throwIfAborted();
      await launches[kind](station, `a${i}`);
    }
    for (let left = tries; left > 0; left--) {
      await systemClock.sleep(settleMs, signal);
      await herdr.reset();
      await systemClock.sleep(seconds * 1000, signal);
      const { requests } = await herdr.count();
      const isSteady = requests['session.snapshot'] && !requests['events.subscribe'];
      if (isSteady) return requests;
    }
    return undefined;
  } finally {
    await station.close();
    await herdr.stop();
  }
}

async function launchKnown(station: Station, name: string): Promise<void> {
  const { path } = openPipe(join(station.home, 'control'), name);
  await station.launchProgram(name, plainProvider, { BENCH_PIPE: path });
}

async function launchBlind(station: Station, name: string): Promise<void> {
  await station.ask('POST', '/agents', {
    ...{ provider: 'generic', name, notify: true, cwd: '/', extraEnv: {} },
    extraArgs: ['sleep', '3600'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
}
