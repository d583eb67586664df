import { takesConnections } from '../../shared/takes-connections.ts';
import type { TmuxPlace } from './place.ts';

/**
 * Asked at the socket itself: tmux tells "no server" and all other troubles apart only in words.
 */
export function isListening({ socket }: Pick<TmuxPlace, 'socket'>): Promise<boolean> {
  return takesConnections(socket);
}
