import type { AttachCommand } from '../backend.ts';
import { isSameSocket } from '../same-socket.ts';
import { clientWords } from './client-words.ts';
import type { TmuxPlace } from './place.ts';

/**
 * `$1:@2.%3`: session, window and pane, so that a person lands on the agent whatever was looked at
 * last.
 */
export function attachFrom(
  place: Pick<TmuxPlace, 'tmux' | 'socket'>,
  target: string,
  env: NodeJS.ProcessEnv,
): AttachCommand {
  const tmux = [place.tmux, ...clientWords(place)];
  const [inside] = (env['TMUX'] ?? '').split(',');
  const told = { kind: 'tmux', ids: { target } } as const;
  if (!inside) return { argv: [...tmux, 'attach-session', '-t', target], ...told };
  if (isSameSocket(inside, place.socket)) {
    return { argv: [...tmux, 'switch-client', '-t', target], ...told };
  }
  // Of another server: tmux would refuse to nest, which here is what the person wants.
  return {
    argv: ['env', '-u', 'TMUX', '-u', 'TMUX_PANE', ...tmux, 'attach-session', '-t', target],
    ...told,
  };
}
