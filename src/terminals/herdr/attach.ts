import type { AttachCommand } from '../backend.ts';
import { isSameSocket } from '../same-socket.ts';
import type { HerdrPlace } from './place.ts';
import type { PaneRecord } from './wire.ts';

/**
 * From inside the same herdr, to the agent's tab; from elsewhere, the terminal itself, whatever is
 * looked at in herdr.
 */
export function attachFrom(
  place: Pick<HerdrPlace, 'session' | 'socket'>,
  { tab, terminal }: Pick<PaneRecord, 'tab' | 'terminal'>,
  env: NodeJS.ProcessEnv,
): AttachCommand {
  const session = place.session === undefined ? [] : ['--session', place.session];
  const named = place.session === undefined ? {} : { session: place.session };
  const told = { kind: 'herdr', ids: { ...named, tab, terminal } } as const;
  const inside = env['HERDR_ENV'] ? env['HERDR_SOCKET_PATH'] : undefined;
  if (inside && isSameSocket(inside, place.socket))
    return { argv: ['herdr', ...session, 'tab', 'focus', tab], ...told };
  return { argv: ['herdr', ...session, 'terminal', 'attach', terminal], ...told };
}
