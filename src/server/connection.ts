/**
 * How a connection ended. `closed`: by the client, after it had taken every answer to its last
 * byte: no byte was left unread in its socket, or the system would have reset it. `reset`: with an
 * answer cut short or not read. `dropped`: by us; nobody can tell.
 */
export type ConnectionEnd = 'closed' | 'reset' | 'dropped';

/** What requests came over, as far as it shows what a client has read (rule 17). */
export interface Connection {
  readonly id: string;
  /** Undefined while it is open. */
  readonly end: ConnectionEnd | undefined;
  /** At once if it has ended. Returns the end of that. */
  onEnd(act: (end: ConnectionEnd) => void): () => void;
}
