import { mkdirSync } from 'node:fs';
import { cacheFolder, cliEntry, nodeEntry } from './cache.ts';
import { endOnSignals } from './end-on-signals.ts';
import { type InstallOrder, installInto, sweepStages } from './install-entry.ts';
import { prepareCli } from './prepare-cli.ts';
import { endRunning } from './run-to-end.ts';
import { type CliName, cliNames, isCliName, node22, pins } from './versions.ts';

const usage = `npm run lab:install [-- name…]

Installs the pinned CLIs (${cliNames.join(', ')}; all of them without a name)
into ${cacheFolder()}. What is there already is left alone.
`;

/**
 * Two downloads at a time keep the line busy; more only compete for it, and for two cores while
 * they unpack.
 */
const parallel = 2;

const work = main(process.argv.slice(2));
endOnSignals(async () => {
  // An install that fails removes its stage.
  endRunning();
  await work;
});
process.exitCode = await work;

async function main(args: readonly string[]): Promise<number> {
  if (!args.every(isCliName)) {
    process.stderr.write(usage);
    return 2;
  }
  const names = args.length > 0 ? args : cliNames;
  const startedAt = performance.now();
  mkdirSync(cacheFolder(), { recursive: true });
  sweepStages(cacheFolder());
  const orders = ordersFor(names);
  const failed: string[] = [];
  // Node first and alone: preparing those that run on it needs it.
  for (const batch of [orders.slice(0, 1), orders.slice(1)]) {
    const queue = [...batch];
    const lanes = Array.from({ length: parallel }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        if (!(await runOrder(next))) failed.push(next.entry.label);
      }
    });
    await Promise.all(lanes);
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(
    `${orders.length - failed.length} of ${orders.length} ready in ${cacheFolder()}, ${seconds} s`,
  );
  return failed.length === 0 ? 0 : 1;
}

function ordersFor(names: readonly CliName[]): readonly InstallOrder[] {
  const clis = names.map((name) => ({
    entry: cliEntry(name),
    package: pins[name].package,
    version: pins[name].version,
    finish: (stage: string) => prepareCli(name, stage),
  }));
  const needsNode = names.some((name) => pins[name].runtime === 'node-22');
  return needsNode ? [{ entry: nodeEntry(), ...node22, finish: async () => {} }, ...clis] : clis;
}

async function runOrder(order: InstallOrder): Promise<boolean> {
  const startedAt = performance.now();
  // Without a network npm tries for minutes, without a word.
  const beat = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    say(`${order.entry.label}: npm is still busy after ${seconds} s`);
  }, 30_000);
  try {
    const outcome = await installInto(order);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    say(
      `${order.entry.label}: ${outcome === 'present' ? 'there already' : `${outcome}, ${seconds} s`}`,
    );
    return true;
  } catch (error) {
    say(`${order.entry.label}: FAILED: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    clearInterval(beat);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
