import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/shared/clock.ts';
import type { Backend } from '../../src/terminals/backend.ts';
import { openTmuxBackend } from '../../src/terminals/tmux/backend.ts';
import { controlVariable, openControl, scriptedAgent } from '../../test/fakes/scripted-agent.ts';
import { interleave, median, quantile } from '../measure.ts';
import type { Part, Surroundings } from '../suite.ts';

const run = promisify(execFile);
const text = Buffer.from('x'.repeat(40));

/**
 * Bytes into a terminal: from the wish to the program's read(), through the control client and by a
 * process of tmux.
 */
export async function benchInput({ folder, quick, signal, say }: Surroundings): Promise<Part> {
  const sends = quick ? 20 : 100;
  say(`bytes into a terminal: ${sends} sends each way`);
  const home = join(folder, 'input');
  const control = join(folder, 'input.sock');
  const backend = openTmuxBackend({
    stateFolder: home,
    ledgerId: 'ldg_bench',
    clock: systemClock,
    env: process.env,
    attachKey: async () => 'off',
    events: {
      output: () => undefined,
      changed: () => undefined,
      connection: () => undefined,
      native: () => undefined,
      logTrouble: () => undefined,
    },
  });
  try {
    await backend.start();
    const { PATH = '', HOME = '' } = process.env;
    const terminal = await backend.launch({
      agent: 'agt_bench',
      epoch: 1,
      name: 'bench',
      called: 'bench',
      umask: 0o022,
      argv: scriptedAgent(),
      env: { PATH, HOME, LANG: 'C.UTF-8', [controlVariable]: control },
      cwd: folder,
      columns: 120,
      rows: 40,
      logPath: join(home, 'bench.log'),
      helpers: [],
    });
    const agent = await openControl(control);
    let wait: { bytes: number; done: (at: number) => void } | undefined;
    await agent.watchInput((bytes) => {
      if (!wait) return;
      wait.bytes -= bytes.length;
      if (wait.bytes <= 0) wait.done(performance.now());
    });
    const timed = async (send: () => Promise<unknown>): Promise<number> => {
      const arrived = new Promise<number>((done) => {
        wait = { bytes: text.length, done };
      });
      const startedAt = performance.now();
      await Promise.all([send(), arrived]);
      return (await arrived) - startedAt;
    };
    const works = {
      ours: () => timed(() => backend.write(terminal, text)),
      spawned: () =>
        timed(() =>
          run('tmux', [
            '-S',
            join(home, 'tmux.sock'),
            'send-keys',
            '-t',
            terminal.pane,
            '-l',
            String(text),
          ]),
        ),
    };
    await interleave(3, works, signal);
    const ms = await interleave(sends, works, signal);
    agent.close();
    return {
      title: 'Bytes into a terminal',
      how: `${sends} sends of 40 bytes each way, in turn, after three to warm up, from the call until the program's read() \
returned them (it reports them over a socket, which is part of both numbers).`,
      rows: [
        {
          what: 'spawned `tmux send-keys` → read(), median',
          measured: { value: median(ms.spawned), unit: 'ms' },
          against: { what: 'ours', quantity: { value: median(ms.ours), unit: 'ms' } },
          bar: { atLeast: 5 },
        },
        { what: 'ours, p99', measured: { value: quantile(ms.ours, 0.99), unit: 'ms' } },
      ],
      raw: { ms },
    };
  } finally {
    await closeServer(backend, home);
  }
}

async function closeServer(backend: Backend, home: string): Promise<void> {
  await backend.close();
  await run('tmux', ['-S', join(home, 'tmux.sock'), 'kill-server']).catch(() => undefined);
}
