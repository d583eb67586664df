import { connect } from 'node:net';
import type { TmuxPlace } from './place.ts';

/**
 * Asked at the socket itself: tmux tells "no server" and all other troubles apart only in words.
 */
export function isListening(place: Pick<TmuxPlace, 'socket'>): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(place.socket);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
