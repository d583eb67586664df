import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Folders } from '../../config/folders.ts';

/**
 * Beside the bundle in the package. From source it needs tsx, named by its path: the daemon runs in
 * another folder.
 */
export function daemonProgram(): string[] {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  if (!here.endsWith('.ts')) return [join(folder, 'daemon.cjs')];
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return ['--import', loader, join(folder, '..', '..', 'daemon', 'main.ts')];
}

/**
 * The daemon outlives whoever happens to start it, so it keeps nothing of that one: not the agent
 * it may have been, not the multiplexer or CLI it ran in. Agents get the environment of whoever
 * launches them (rule 40), and the daemon's only where an agent launches them that has no process
 * of ours, nor one above it.
 */
export function daemonEnvironment(
  folders: Folders,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isKept(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    // It runs in another folder, where a relative path would mean another place.
    ...(env['SIGNALBOX_HOME'] ? { SIGNALBOX_HOME: folders.state } : {}),
  };
}

function isKept(name: string): boolean {
  if (/^SIGNALBOX_(AGENT|TOKEN|SOCKET|EPOCH|HELPER|TOLD_BY)$/.test(name)) return false;
  // By D-Bus it reaches the desktop of its user; where that runs under systemd, XDG_RUNTIME_DIR
  // says the same.
  if (name === 'DBUS_SESSION_BUS_ADDRESS') return true;
  return /^(SIGNALBOX_\w+|XDG_\w+|LC_\w+|LANG|LANGUAGE|TZ|HOME|USER|LOGNAME|SHELL|PATH|TMPDIR)$/.test(
    name,
  );
}
