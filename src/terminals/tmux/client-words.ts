import type { TmuxPlace } from './place.ts';

/**
 * How each of our clients, and each person's that we start, begins. `attach-session` would start a
 * server where there is none, and that one would read the person's tmux.conf: `-N` starts none, and
 * `-f` names what it would read all the same.
 */
export function clientWords({ socket }: Pick<TmuxPlace, 'socket'>): readonly string[] {
  return ['-N', '-u', '-f', '/dev/null', '-S', socket];
}
