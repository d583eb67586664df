import { mkdirSync } from 'node:fs';
import { keepAbsolute } from '../../shared/find-on-path.ts';
import { shortSocketPath } from '../../shared/short-path.ts';

/** Where one private tmux server is reached, and what its programs are started with. */
export interface TmuxPlace {
  /** The program, found on the PATH of `env`. */
  readonly tmux: string;
  /** Short enough for a socket address; leads into the state folder. */
  readonly socket: string;
  readonly stateFolder: string;
  readonly ledgerId: string;
  /** Small on purpose: the server's environment reaches every window that a person opens in it. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * What a person's own window needs; nothing that marks a process as nested in an agent or a
 * multiplexer (rule 40).
 */
const kept = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|XDG_RUNTIME_DIR)$/;

function pickServerEnv(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const picked = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && kept.test(entry[0]),
  );
  const path = keepAbsolute(env['PATH'] ?? '');
  // tmux refuses to start without a terminal type, also where no terminal is.
  const own = { TERM: 'xterm-256color', ...(path === '' ? {} : { PATH: path }) };
  return { ...Object.fromEntries(picked.filter(([name]) => name !== 'PATH')), ...own };
}

export interface PlaceOptions {
  readonly stateFolder: string;
  readonly ledgerId: string;
  readonly env: NodeJS.ProcessEnv;
}

export function findPlace({ stateFolder, ledgerId, env }: PlaceOptions): TmuxPlace {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const socket = shortSocketPath(stateFolder, 'tmux.sock', env);
  return { tmux: 'tmux', socket, stateFolder, ledgerId, env: pickServerEnv(env) };
}
