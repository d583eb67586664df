import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../build.ts';
import { interleave, median } from '../measure.ts';
import type { Part, Surroundings } from '../suite.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'dist', 'signalbox.cjs');

/**
 * `signalbox send` as a whole process, as scripts and hooks use it, against the least that any Node
 * program takes.
 */
export async function benchStartup({ folder, quick, signal, say }: Surroundings): Promise<Part> {
  const runs = quick ? 10 : 40;
  say(`start-up: ${runs} runs of \`signalbox send\` and of \`node -e 0\``);
  buildIfStale();
  const env = cleanEnvironment(join(folder, 'startup'));
  const run = (...args: string[]): number => {
    const startedAt = performance.now();
    const { status, stderr, error } = spawnSync(process.execPath, args, {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ms = performance.now() - startedAt;
    if (error) throw error;
    if (status !== 0) throw new Error(`${args.slice(1).join(' ')} ended with ${status}: ${stderr}`);
    return ms;
  };
  run(program, 'agents', 'add', 'worker');
  const text = 'x'.repeat(500);
  const works = {
    node: async () => run('-e', '0'),
    send: async () => run(program, 'send', 'worker', text),
  };
  await interleave(3, works, signal);
  const ms = await interleave(runs, works, signal);
  return {
    title: 'Start-up',
    how: `${runs} runs of each, in turn, after three to warm up: \`signalbox send worker <500 bytes>\` with the built \
program, and \`node -e 0\`, both without NODE_EXTRA_CA_CERTS and NODE_OPTIONS (a certificate bundle makes Node itself \
40 ms slower, which would flatter us). Medians.`,
    rows: [
      {
        what: '`signalbox send`, whole process',
        measured: { value: median(ms.send), unit: 'ms' },
        against: { what: '`node -e 0`', quantity: { value: median(ms.node), unit: 'ms' } },
        bar: { atMost: 2.5 },
      },
    ],
    raw: { ms },
  };
}

/** A person's own settings must not reach the bench, nor the bench the person's ledger. */
function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of Object.keys(env)) {
    if (/^(SIGNALBOX_|NODE_EXTRA_CA_CERTS$|NODE_OPTIONS$)/.test(name)) delete env[name];
  }
  return { ...env, SIGNALBOX_HOME: home };
}
