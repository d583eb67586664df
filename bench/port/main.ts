import { once } from 'node:events';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildIfStale } from '../build.ts';
import { quantile } from '../measure.ts';
import type { Part, Row, Surroundings } from '../suite.ts';
import { openStage, type Stage } from './stage.ts';

/**
 * What strangers, and readers that never read, cost the daemon. `names[0]`: the dist folder of an
 * older build, to measure beside.
 */
export async function* benchPort(around: Surroundings): AsyncGenerator<Part> {
  buildIfStale();
  const [older] = around.names;
  const builds = [
    ...(older === undefined ? [] : [['before', resolve(older)] as const]),
    ['now', resolve('dist')] as const,
  ];
  for (const [title, files, how, load] of loads) {
    const rows: Row[] = [];
    const raw: Record<string, unknown> = {};
    for (const [name, dist] of builds) {
      around.signal.throwIfAborted();
      around.say(`${title}: ${name}`);
      const stage = await openStage(join(dist, 'signalbox.cjs'), around.folder, files);
      try {
        const seen = await measure(stage, load, around.quick);
        raw[name] = seen;
        rows.push(...toRows(`${title}, ${name}`, seen));
      } finally {
        await stage.close();
      }
    }
    yield { title, how, rows, raw };
  }
}

interface Seen {
  readonly restMb: number;
  readonly peakMb: number;
  readonly endMb: number;
  readonly quietMs: readonly number[];
  readonly ms: readonly number[];
  readonly unanswered: number;
}

function toRows(what: string, { restMb, peakMb, endMb, quietMs, ms, unanswered }: Seen): Row[] {
  const mb = (value: number) => ({ value, unit: 'MB' }) as const;
  const time = (values: readonly number[], part: number) =>
    ({ value: quantile(values, part), unit: 'ms' }) as const;
  const rest = { what: 'at rest', quantity: mb(restMb) };
  const against = (part: number) => ({ what: 'at rest', quantity: time(quietMs, part) });
  return [
    { what: `${what}: memory, most`, measured: mb(peakMb), against: rest },
    { what: `${what}: memory, 35 s later`, measured: mb(endMb), against: rest },
    // Of a daemon that is deaf there is nothing to tell.
    ...(ms.length === 0
      ? []
      : [0.5, 0.99].map((part) => ({
          what: `${what}: health, p${part * 100}`,
          measured: time(ms, part),
          against: against(part),
        }))),
    { what: `${what}: health, not answered in 2 s`, measured: { value: unanswered, unit: '' } },
  ];
}

type Load = (stage: Stage, sockets: Socket[]) => Promise<void>;

async function measure(stage: Stage, load: Load, quick: boolean): Promise<Seen> {
  const quiet = await health(stage, 100);
  const restMb = stage.memory();
  let peakMb = restMb;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, stage.memory());
  }, 20);
  const sockets: Socket[] = [];
  try {
    // What takes long goes on meanwhile.
    const loading = load(stage, sockets);
    await Promise.race([loading, delay(2000)]);
    const seen = await health(stage, quick ? 50 : 200);
    await loading;
    await delay(quick ? 2000 : 35_000);
    return { restMb, peakMb, endMb: stage.memory(), quietMs: quiet.ms, ...seen };
  } finally {
    clearInterval(watch);
    for (const socket of sockets) socket.destroy();
  }
}

/** One after another, 10 ms apart; given up after ten that were not answered. */
async function health(stage: Stage, count: number): Promise<Pick<Seen, 'ms' | 'unanswered'>> {
  const ms: number[] = [];
  let unanswered = 0;
  for (let i = 0; i < count && unanswered < 10; i++) {
    await stage.ask('/health').then(
      (answer) => ms.push(answer.ms),
      () => unanswered++,
    );
    await delay(10);
  }
  return { ms, unanswered };
}

const loads: readonly (readonly [string, number, string, Load])[] = [
  [
    'bodies',
    1024,
    '120 connections send a wrong token and 3 MB to the port; `GET /health` on the unix socket meanwhile, 200 times.',
    async ({ port }, sockets) => {
      const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer x\r\ncontent-type: application/json\r\n`;
      const body = Buffer.alloc(3_000_000, 'x');
      for (let i = 0; i < 120; i++) {
        const socket = openSocket(sockets, { port, host: '127.0.0.1' });
        socket.write(`${head}content-length: ${body.length + 1}\r\n\r\n`);
        socket.write(body);
      }
    },
  ],
  [
    'idle connections',
    512,
    '600 connections to the port that say nothing, with 512 descriptors for the daemon; the same requests meanwhile.',
    async ({ port }, sockets) => {
      for (let i = 0; i < 600; i++) openSocket(sockets, { port, host: '127.0.0.1' });
      // All of them are there, or were turned away, before anything is asked.
      for (const socket of sockets) if (socket.connecting) await once(socket, 'connect');
      await delay(500);
    },
  ],
  [
    'readers',
    1024,
    '120 readers of `/events` on the unix socket that ask for 2 000 past events and never read; 1 000 events more meanwhile.',
    async (stage, sockets) => {
      await publish(stage, 2000);
      const { events } = JSON.parse((await stage.ask('/events/recent')).text);
      const last = events.at(-2000)?.id ?? events[0].id;
      for (let i = 0; i < 120; i++) {
        const socket = openSocket(sockets, { path: stage.socket });
        socket.pause();
        socket.write(`GET /events HTTP/1.1\r\nhost: x\r\nlast-event-id: ${last}\r\n\r\n`);
      }
      await publish(stage, 1000);
    },
  ],
];

function openSocket(sockets: Socket[], to: NetConnectOpts): Socket {
  const socket = connect(to);
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

async function publish({ ask }: Stage, count: number): Promise<void> {
  for (let i = 0; i < count; i += 20) {
    const some = Array.from({ length: 20 }, () => ask('/messages', { to: 'user', body: 'x' }));
    await Promise.allSettled(some);
  }
}
