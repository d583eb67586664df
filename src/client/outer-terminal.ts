import { Fault } from '../shared/fault.ts';
import { reportBug } from '../shared/report-bug.ts';
import { runTmux } from '../terminals/tmux/run-tmux.ts';

/** The terminal around the tmux that this process runs in. */
export interface OuterTerminal {
  /** tmux hands on what programs write for it. */
  readonly isOpen: boolean;
  /** Its TERM. */
  readonly term: string;
  /** What it calls itself; empty where tmux does not know. */
  readonly type: string;
}

/** tmux 3.3a says 1 for `on`; since 3.4 it is `on` or `all`. */
const format = '#{allow-passthrough}|#{client_termname}|#{client_termtype}';

/** Undefined where tmux cannot be asked. It is the user's own tmux, which is only asked. */
export async function findOuterTerminal(
  env: NodeJS.ProcessEnv,
): Promise<OuterTerminal | undefined> {
  const [socket = ''] = (env['TMUX'] ?? '').split(',');
  const pane = env['TMUX_PANE'] ?? '';
  if (socket === '' || !/^%\d{1,9}$/.test(pane)) return undefined;
  try {
    const place = { tmux: 'tmux', socket, env };
    const words = ['display-message', '-p', '-t', pane, format] as const;
    const { code, stdout } = await runTmux(place, [words]);
    const [isOpen, term = '', type = ''] = stdout.trimEnd().split('|');
    if (code !== 0) return undefined;
    return { isOpen: ['1', 'on', 'all'].includes(isOpen ?? ''), term, type };
  } catch (error) {
    // It is not installed here, or does not answer: the bell is enough.
    if (!(error instanceof Fault)) reportBug('asking tmux for its terminal', error);
    return undefined;
  }
}
