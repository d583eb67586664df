import { connect } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../../src/shared/clock.ts';
import { interleave, median, quantile } from '../measure.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';
import { Station } from '../terminals/station.ts';
import { FakeHerdr } from './fake-herdr.ts';
import { HookedAgent } from './hooked-agent.ts';

const atMostMore = 150;

/**
 * From a send into an agent that lives in herdr, against the same agent in tmux, with one daemon.
 */
export async function benchLatency(around: BuiltSurroundings): Promise<Part> {
  const { folder, quick, signal, say, dist } = around;
  const runs = quick ? 20 : 60;
  say(`latency: ${runs} messages each way, in herdr and in tmux`);
  const herdr = new FakeHerdr(join(folder, 'h'));
  const station = new Station(join(folder, 'latency'), { dist, isBare: true, env: herdr.env });
  try {
    await station.start();
    const inTmux = await HookedAgent.launch(station, folder, 'tmux');
    const inHerdr = await HookedAgent.launch(station, folder, 'herdr');
    const works = {
      wakeTmux: () => inTmux.wake(),
      wakeHerdr: () => inHerdr.wake(),
      joinTmux: () => inTmux.join(),
      joinHerdr: () => inHerdr.join(),
      tick: () => askLate(herdr.socket),
    };
    await interleave(3, works, signal);
    const ms = await interleave(runs, works, signal);
    return {
      title: 'Delivery in herdr',
      how: `${runs} of each, in turn, after three to warm up, with one daemon: an agent that it takes for Claude Code 2.1.325 in tmux, and one in the fake of herdr 0.8.0 with \
all its habits. Native: a hook waits, as at an agent at rest; from \`POST /messages\` to the words that the hook writes. Turn boundary: a message came while the agent worked; from the \
start of its Stop hook to what the hook prints. herdr's tick: a ping whose line comes 5 ms after its connection, for which herdr looks every 100 ms; ours send theirs with the connection.`,
      rows: [
        ...compare('native, waiting hook: send → its words', ms.wakeHerdr, ms.wakeTmux),
        ...compare('turn boundary: Stop → its words', ms.joinHerdr, ms.joinTmux),
        {
          what: 'herdr’s own tick: an answer to a late line, median',
          measured: { value: median(ms.tick), unit: 'ms' },
        },
      ],
      raw: { ms },
    };
  } finally {
    await station.close();
    await herdr.stop();
  }
}

function compare(what: string, herdr: readonly number[], tmux: readonly number[]): readonly Row[] {
  const row = (name: string, of: (values: readonly number[]) => number): Row => ({
    what: name,
    measured: { value: of(herdr), unit: 'ms' },
    against: { what: 'tmux', quantity: { value: of(tmux), unit: 'ms' } },
  });
  return [
    { ...row(`${what}, median`, median), bar: { atMostMore } },
    row('the same, p95', (values) => quantile(values, 0.95)),
  ];
}

function askLate(path: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((done, failed) => {
    const socket = connect(path);
    socket.once('error', failed);
    socket.once('data', () => {
      socket.destroy();
      done(performance.now() - startedAt);
    });
    socket.once('connect', () => {
      const line = `${JSON.stringify({ id: 'bench', method: 'ping', params: {} })}\n`;
      void systemClock.sleep(5).then(() => socket.write(line));
    });
  });
}
