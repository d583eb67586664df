import { parseArgs } from 'node:util';
import { cliEntry } from '../cache.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { inClosedNetwork, isNetworkClosed } from '../network.ts';
import { type CliName, cliNames, isCliName } from '../versions.ts';
import { type ToolCheck, toolChecks } from './checks.ts';
import { ToolStage } from './tool-stage.ts';

/**
 * What tools and a role make of a start, measured: each real CLI is started as `launch` starts it,
 * with a small MCP server as `signalbox`, and its model calls the tools.
 *
 *     npm run lab:tools [-- claude-code …] [--only check,check] [--jobs N]
 *
 * The long calls are made only when they are named: `--only wait-130`. Exit code 1 when a check
 * fails or a CLI that was asked for is not installed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, jobs: { type: 'string', default: '1' } },
});

const running = new Set<ToolStage>();

process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  endOnSignals(() => Promise.allSettled([...running].map((stage) => stage.close())));
  const names = positionals.length === 0 ? cliNames : positionals.filter(isCliName);
  if (names.length < positionals.length) {
    process.stderr.write(`usage: lab:tools [${cliNames.join('|')}]… [--only check,check]\n`);
    return 2;
  }
  say(`network: ${isNetworkClosed() ? 'closed, loopback only' : 'open'}`);
  const only = values.only?.split(',');
  const wanted = toolChecks.filter(({ name, isLong }) => only?.includes(name) ?? !isLong);
  const missing = names.filter((name) => !cliEntry(name).isInstalled());
  const left = names.filter((name) => !missing.includes(name));
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let name = left.shift(); name; name = left.shift()) failed += await take(name, wanted);
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  for (const name of missing) say(`${name} is not installed; run: npm run lab:install -- ${name}`);
  say(failed === 0 ? 'All hold.' : `${failed} failed.`);
  return failed > 0 || missing.length > 0 ? 1 : 0;
}

async function take(name: CliName, wanted: readonly ToolCheck[]): Promise<number> {
  const stage = await ToolStage.open(name);
  running.add(stage);
  let failed = 0;
  try {
    for (const check of wanted) {
      const startedAt = performance.now();
      const outcome = await check.run(stage).then(
        (seen) => `✓ ${seen ?? ''}`,
        async (error: unknown) => {
          failed++;
          const screen = await stage.screen().catch(() => 'no screen');
          return `✗ ${error instanceof Error ? error.message : String(error)}\n${screen}`;
        },
      );
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const version = `${name} ${stage.home.cli.version}`;
      say(`${version.padEnd(20)} ${check.name.padEnd(11)} ${seconds.padStart(6)} s  ${outcome}`);
    }
  } finally {
    running.delete(stage);
    await stage.close();
  }
  return failed;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
