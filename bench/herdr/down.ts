import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/shared/clock.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';
import { Station } from '../terminals/station.ts';
import { FakeHerdr } from './fake-herdr.ts';

const most = 6;

/** How herdr may be away. */
const states = {
  gone: 'its socket gone, and it cannot be started',
  refused: 'its socket left behind by a crash, and it cannot be started',
  silent: 'it takes connections and says nothing',
} as const;

type State = keyof typeof states;

/** What a herdr that is away costs: the daemon tries again and again, and ever more seldom. */
export async function benchDown(around: BuiltSurroundings): Promise<Part> {
  const { quick, say } = around;
  const minutes = quick ? 1 : 3;
  const names = Object.keys(states) as State[];
  say(`down: ${minutes} min with herdr away, in ${names.length} ways at once`);
  const found = await Promise.all(names.map((name) => watch(around, name, minutes)));
  return {
    title: 'herdr away',
    how: `One daemon for each way, all at the same time, each with one agent in the fake of herdr 0.8.0, which is then stopped. From that moment on, for ${minutes} min, every \
connection that the daemon tries to open to herdr's socket is noted in the daemon itself, whether somebody listens or not. The number is the most in any 60 s.`,
    rows: names.map(
      (name, i): Row => ({
        what: `connections tried in a minute, most: ${states[name]}`,
        measured: { value: mostInAMinute(found[i] ?? []), unit: '' },
        bar: { atMost: most },
      }),
    ),
    raw: Object.fromEntries(names.map((name, i) => [name, found[i]])),
  };
}

/** Milliseconds after herdr's end at which a connection was tried. */
async function watch(
  { folder, dist, signal }: BuiltSurroundings,
  state: State,
  minutes: number,
): Promise<readonly number[]> {
  const herdr = new FakeHerdr(join(folder, `h-${state}`));
  const home = join(folder, state);
  const connects = join(folder, `${state}.connects`);
  const station = new Station(home, {
    ...{ dist, isBare: true, settings: { terminal: 'herdr' } },
    env: { ...herdr.env, SIGNALBOX_BENCH_CONNECTS: connects },
    preload: fileURLToPath(new URL('count-connects.cjs', import.meta.url)),
  });
  let dummy: Server | undefined;
  try {
    await station.start();
    await station.ask('POST', '/agents', {
      ...{ provider: 'generic', name: 'one', notify: true, cwd: '/', extraEnv: {} },
      extraArgs: ['sleep', '3600'],
      env: { PATH: process.env['PATH'] ?? '' },
    });
    await systemClock.sleep(2000, signal);
    herdr.breakProgram();
    await herdr.stop();
    const endedAt = systemClock.now();
    writeFileSync(connects, '');
    if (state !== 'gone') dummy = await sitAt(herdr.socket, state);
    await systemClock.sleep(minutes * 60_000, signal);
    const lines = readFileSync(connects, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => Number(line) - endedAt);
  } finally {
    await station.close();
    dummy?.close();
    await herdr.stop();
  }
}

/** A socket that nobody listens on, or one whose owner does not speak. */
async function sitAt(path: string, state: State): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((done) => server.listen(path, done));
  if (state === 'silent') return server;
  // Node removes the file of a server that it closes.
  renameSync(path, `${path}.aside`);
  server.close();
  renameSync(`${path}.aside`, path);
  return server;
}

function mostInAMinute(times: readonly number[]): number {
  const counts = times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length);
  return Math.max(0, ...counts);
}
