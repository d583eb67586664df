import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cacheFolder } from './cache.ts';
import { node22Program } from './find-cli.ts';
import { npmInstall } from './install-entry.ts';
import { runToEnd } from './run-to-end.ts';
import { type CliName, openCodePlugin, pins } from './versions.ts';

/**
 * What a freshly installed CLI still lacks: its folder for PATH, and what it would unpack or fetch
 * when first started.
 */
export async function prepareCli(name: CliName, stage: string): Promise<void> {
  linkBin(name, stage);
  if (name === 'copilot') await unpackCopilot(stage);
  if (name === 'opencode') await fetchOpenCodePlugin(stage);
  if (name === 'qwen') makeRipgrepExecutable(stage);
}

function linkBin(name: CliName, stage: string): void {
  const { command, package: packageName, runtime } = pins[name];
  const bin = join(stage, 'bin');
  mkdirSync(bin);
  const folder = join('node_modules', packageName);
  const manifest: { readonly bin: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(stage, folder, 'package.json'), 'utf8'),
  );
  symlinkSync(join('..', folder, manifest.bin[command] ?? ''), join(bin, command));
  if (runtime === 'node-22') {
    // Relative, and as deep below the cache as it will be after the rename.
    symlinkSync(join('..', '..', relative(cacheFolder(), node22Program())), join(bin, 'node'));
  }
}

/** Copilot 1.0.102 unpacks 235 MB into its cache at the first start, whatever it is started for. */
async function unpackCopilot(stage: string): Promise<void> {
  const home = join(stage, 'prepared-home');
  mkdirSync(home);
  await runToEnd([process.execPath, join(stage, 'bin', 'copilot'), '--version'], {
    cwd: home,
    deadlineMs: 120_000,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, COPILOT_OFFLINE: 'true' },
  });
}

async function fetchOpenCodePlugin(stage: string): Promise<void> {
  const config = join(stage, 'prepared-home', '.config', 'opencode');
  mkdirSync(config, { recursive: true });
  await npmInstall(config, openCodePlugin.package, openCodePlugin.version);
}

/** Qwen 0.24.4 ships its search program without the right to be executed. */
function makeRipgrepExecutable(stage: string): void {
  const vendor = join(stage, 'node_modules', pins.qwen.package, 'vendor', 'ripgrep');
  for (const file of readdirSync(vendor, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('/rg')) chmodSync(join(vendor, file), 0o755);
  }
}
