import { resolve } from 'node:path';
import { followPage } from '../../pages/follow-page.ts';
import { PageShell } from '../../pages/shell.ts';
import type { PageWorld } from '../../pages/world.ts';
import { pagePath } from '../../support/cli-pages.ts';
import { endOnSignals } from '../end-on-signals.ts';
import { inClosedNetwork } from '../network.ts';
import { type CliName, cliNames, isCliName } from '../versions.ts';
import { openRealWorld } from './world.ts';

/**
 * Follows the pages as a new user does, with the real CLIs and the mock model: the README and
 * getting started with Claude Code, and each CLI's own page with that one:
 *
 *     npm run lab:pages -- claude-code codex
 */
let running: PageWorld | undefined;
process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  const names = process.argv.slice(2);
  if (!names.every(isCliName)) {
    process.stderr.write(`usage: npm run lab:pages -- [${cliNames.join('|')}]…\n`);
    return 2;
  }
  endOnSignals(async () => running?.close());
  let failures = 0;
  for (const name of names.length > 0 ? names : cliNames) {
    failures += await follow(name).catch((error: unknown) => {
      process.stdout.write(`✗ ${name}: ${error instanceof Error ? error.message : error}\n`);
      return 1;
    });
  }
  return failures === 0 ? 0 : 1;
}

async function follow(name: CliName): Promise<number> {
  const isFirst = name === 'claude-code';
  const files = [...(isFirst ? ['README.md', 'docs/getting-started.md'] : []), pagePath(name)];
  const world = await openRealWorld(resolve('dist/signalbox.cjs'), name, isFirst ? ['codex'] : []);
  running = world;
  let failures = 0;
  try {
    const shell = await PageShell.open(world);
    try {
      for (const file of files) {
        const startedAt = performance.now();
        const wrong = await followPage(file, { world, shell });
        const seconds = Math.round((performance.now() - startedAt) / 1000);
        process.stdout.write(`${wrong.length === 0 ? '✓' : '✗'} ${name}: ${file}, ${seconds} s\n`);
        for (const line of wrong) process.stdout.write(`${line}\n`);
        failures += wrong.length;
      }
    } finally {
      await shell.close();
    }
  } finally {
    running = undefined;
    await world.close();
  }
  return failures;
}
