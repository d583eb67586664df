import { join } from 'node:path';
import { interleave, median, quantile } from '../measure.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part } from '../suite.ts';
import { Station } from '../terminals/station.ts';
import { launchFakeClaude, runHook, writeStop } from './fake-claude.ts';
import { openNothingServer } from './nothing-server.ts';

/**
 * What every turn of an agent pays at its end, with an empty inbox, against the least that any hook
 * of this kind costs.
 */
export async function benchHook(around: BuiltSurroundings): Promise<Part> {
  const { folder, quick, signal, say, dist } = around;
  const runs = quick ? 10 : 60;
  say(`hook: ${runs} ends of turns each way`);
  const station = new Station(join(folder, 'hook'), { dist, isBare: true });
  const nothing = await openNothingServer(join(folder, 'nothing.sock'));
  try {
    await station.start();
    const claude = await launchFakeClaude(station, join(folder, 'fake'));
    const answer = 'The tests pass now, and this is what I changed. '.repeat(42);
    const post = `${station.home}/hooks/post Stop`;
    const bare = `curl -s --unix-socket ${nothing.path} -X POST -T - -H 'Content-Type: application/json' http://localhost/hooks/Stop`;
    const works = {
      ours: () => runHook(post, claude, writeStop(claude, answer)),
      bare: () => runHook(bare, claude, writeStop(claude, answer)),
    };
    await interleave(3, works, signal);
    const ms = await interleave(runs, works, signal);
    return {
      title: 'Hook at a turn’s end',
      how: `${runs} runs of each, in turn, after three to warm up, as a CLI runs them: \`sh -c\`, the payload of a Stop of Claude Code \
2.1.325 with an answer of 2 KB on stdin, until the process has ended. Ours: the hook client's \`post Stop\` with the identity of an agent that the daemon \
watches (its program only sleeps), each for another turn, with nothing in its inbox. Bare: \`curl --unix-socket\` with the same payload to a process \
that answers 204 to everything.`,
      rows: [
        {
          what: 'hook at a turn’s end, empty inbox, median',
          measured: { value: median(ms.ours), unit: 'ms' },
          against: { what: 'bare sh + curl', quantity: { value: median(ms.bare), unit: 'ms' } },
          bar: { atMost: 2 },
        },
        {
          what: 'the same, p99',
          measured: { value: quantile(ms.ours, 0.99), unit: 'ms' },
          against: {
            what: 'bare sh + curl',
            quantity: { value: quantile(ms.bare, 0.99), unit: 'ms' },
          },
        },
      ],
      raw: { ms },
    };
  } finally {
    nothing.close();
    await station.close();
  }
}
