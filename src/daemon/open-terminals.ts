import type { Folders } from '../config/folders.ts';
import { type Settings, terminalChoices } from '../config/setting-definitions.ts';
import { configMark, loadSettings } from '../config/settings.ts';
import type { FleetSenses } from '../fleet/open.ts';
import { systemClock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Backend } from '../terminals/backend.ts';
import { type Backends, openBackends } from '../terminals/backends.ts';
import { openHerdrBackend } from '../terminals/herdr/backend.ts';
import { openTmuxBackend } from '../terminals/tmux/backend.ts';
import { relay } from './relay.ts';

interface TerminalSurroundings {
  readonly folders: Folders;
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** Where terminals live: what they tell is given to the fleet, once there is one. */
export function openTerminals(
  { folders, settings, env, log }: TerminalSurroundings,
  ledgerId: string,
  fleet: () => FleetSenses | undefined,
): Backends {
  const optionsOf = (name: string) => ({
    ...{ clock: systemClock, stateFolder: folders.state, ledgerId, env },
    events: relay(name, log, fleet),
  });
  const session = settings['herdr-session'].value;
  // As config.yaml has it now, or as it was when it cannot be read any more.
  let key = settings['attach-key'].value;
  let mark: string | undefined;
  const attachKey = async (): Promise<string> => {
    // Before it is read: what changes meanwhile has another mark.
    const current = configMark(folders);
    if (current !== undefined && current === mark) return key;
    // Every command of the user's tells what is wrong with it.
    const now = await loadSettings(folders, env).catch(() => settings);
    key = now === settings ? key : now['attach-key'].value;
    mark = now === settings ? undefined : current;
    return key;
  };
  return openBackends({
    default: settings.terminal.value,
    names: terminalChoices,
    open: {
      tmux: (name) => openTmuxBackend({ ...optionsOf(name), attachKey }),
      herdr: (name) => openHerdrBackend({ ...optionsOf(name), session }),
    },
  });
}

/** All of them are tried before one that failed is told. */
export async function closeEach(backends: readonly Backend[]): Promise<void> {
  const closed = await Promise.allSettled(backends.map((backend) => backend.close()));
  for (const one of closed) if (one.status === 'rejected') throw one.reason;
}
