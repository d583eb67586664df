import type { Folders } from '../config/folders.ts';
import type { AttachView } from '../protocol/terminals.ts';
import { Fault } from '../shared/fault.ts';
import { quote } from '../shared/quote.ts';
import { shortSocketPath } from '../shared/short-path.ts';
import { attachFrom as attachToHerdr } from '../terminals/herdr/attach.ts';
import { findSocket } from '../terminals/herdr/place.ts';
import { attachFrom as attachToTmux } from '../terminals/tmux/attach.ts';
import { findProgram } from '../terminals/tmux/find-program.ts';
import { findPlace } from '../terminals/tmux/place.ts';

/**
 * The command that brings a person to a terminal, made here: `tmux` or `herdr`, as this user's own
 * PATH finds them, with the ids that the daemon told. Nothing else of its answer is run, and an id
 * of another form is refused: it would be an option, or a command of tmux. A tmux server that is
 * older than the installed tmux is reached with its own program, which `findTmux` names.
 */
export async function buildAttach(
  { kind, ids = {} }: Pick<AttachView, 'kind' | 'ids'>,
  { state }: Folders,
  env: NodeJS.ProcessEnv,
  findTmux = findTmuxFor,
): Promise<readonly string[]> {
  const id = (name: string, form: RegExp): string => {
    const told: unknown = ids[name];
    if (typeof told === 'string' && form.test(told)) return told;
    throw wrongAnswer(`${name} ${quote(String(told))}`);
  };
  switch (kind) {
    case 'tmux': {
      const target = id('target', /^\$\d{1,9}:@\d{1,9}\.%\d{1,9}$/);
      const socket = shortSocketPath(state, 'tmux.sock', env);
      return attachToTmux({ tmux: await findTmux(state, env), socket }, target, env).argv;
    }
    case 'herdr': {
      const session = ids['session'] === undefined ? undefined : id('session', word);
      const record = { tab: id('tab', word), terminal: id('terminal', word) };
      const socket = findSocket(session ?? 'current', env);
      return attachToHerdr({ session, socket }, record, env).argv;
    }
    default:
      throw wrongAnswer(`a terminal of ${quote(String(kind))}`);
  }
}

async function findTmuxFor(stateFolder: string, env: NodeJS.ProcessEnv): Promise<string> {
  return (await findProgram(findPlace({ stateFolder, ledgerId: '', env }))).tmux;
}

/** Never an option. */
const word = /^[A-Za-z0-9_][\w:.-]{0,99}$/;

function wrongAnswer(what: string): Fault {
  return new Fault(
    'protocol-mismatch',
    `The daemon answered with ${what}, which this command does not know; nothing was run.`,
    'Run `signalbox down`, then the command again: it starts a daemon of its own version. Agents live on.',
  );
}
