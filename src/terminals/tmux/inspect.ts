import { statSync } from 'node:fs';
import { findProgram } from './find-program.ts';
import { listKnownCrashes } from './known-crashes.ts';
import { findPlace } from './place.ts';
import { requireTmux } from './version.ts';

export interface TmuxSight {
  /** The installed one. */
  readonly version: string;
  /** Of the server that runs, where one does. */
  readonly crashes: readonly string[];
  readonly limits: readonly string[];
}

/**
 * tmux as the person who asks has it, and the server that agents live in; nothing is started.
 * Throws a Fault when it cannot be used.
 */
export async function inspectTmux(stateFolder: string, env: NodeJS.ProcessEnv): Promise<TmuxSight> {
  const version = await requireTmux({ tmux: 'tmux', env });
  if (!isFolder(stateFolder)) {
    return { version, crashes: listKnownCrashes(version), limits: [] };
  }
  const used = await findProgram(findPlace({ stateFolder, ledgerId: '', env }));
  const isOther = used.server !== undefined && used.version !== version;
  return {
    version,
    crashes: listKnownCrashes(used.version),
    limits: isOther ? describeOther(used.version, used.server) : [],
  };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // It lies below a file, say: then no server of ours runs there, and whoever opens the ledger
    // says what is wrong.
    return false;
  }
}

function describeOther(running: string, server: number | undefined): readonly string[] {
  return [
    `the server that your agents run in is ${running}; signalbox talks to it with that one's own program`,
    `for the installed one stop the agents, run \`signalbox down\` and \`kill ${server}\`, and start them again`,
  ];
}
