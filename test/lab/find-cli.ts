import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { cliEntry, nodeEntry } from './cache.ts';
import { type CliName, node22, pins } from './versions.ts';

export interface InstalledCli {
  readonly name: CliName;
  readonly version: string;
  /** What to execute, without a shell; arguments follow. */
  readonly argv: readonly string[];
  /**
   * For PATH: holds the CLI under its usual name as the link that npm makes, so that whoever
   * resolves it finds its package.json as on a person's machine. For a CLI that needs Node 22 it
   * holds that `node` too.
   */
  readonly binFolder: string;
  /**
   * Files that a home starts with (what the CLI would unpack or download at its first start); may
   * not exist.
   */
  readonly preparedHome: string;
}

/** Throws when it is not installed: tests that need a CLI must fail, not pass without it. */
export function findCli(name: CliName): InstalledCli {
  const { version, command, runtime } = pins[name];
  const entry = cliEntry(name);
  const needed = runtime === 'node-22' ? [entry, nodeEntry()] : [entry];
  for (const { label, isInstalled } of needed) {
    if (!isInstalled()) {
      throw new Error(`${label} is not installed; run: npm run lab:install -- ${name}`);
    }
  }
  const binFolder = join(entry.folder, 'bin');
  const program = realpathSync(join(binFolder, command));
  return {
    name,
    version,
    argv: [...interpreter(runtime), program],
    binFolder,
    preparedHome: join(entry.folder, 'prepared-home'),
  };
}

export function node22Program(): string {
  return join(nodeEntry().folder, 'node_modules', node22.package, 'bin', 'node');
}

function interpreter(runtime: 'native' | 'node' | 'node-22'): readonly string[] {
  if (runtime === 'native') return [];
  return [runtime === 'node' ? process.execPath : node22Program()];
}
