import type {
  daemonHealthSchema,
  daemonInfoSchema,
  healthSchema,
  providerHealthSchema,
  shutdownSchema,
} from './schemas/daemon.ts';
import type { Document } from './schemas/document.ts';
import type { faultSchema } from './schemas/fault.ts';

/**
 * Both sides name it in every request and answer. It grows when an old client and a new daemon
 * could misunderstand each other.
 */
export const protocolVersion = 1;

export const headers = {
  protocol: 'signalbox-protocol',
  /** The id of the agent that asks; absent for the user. */
  agent: 'signalbox-agent',
  /**
   * The user's token: the user asks at a terminal. Without it and without an agent, a script of the
   * user asks (rule 52).
   */
  user: 'signalbox-user',
  /**
   * `heard`: a command of ours asks, which has said at its start what its agent has read (rule 17).
   * What the command itself has printed since, nobody has read yet.
   */
  command: 'signalbox-command',
  /** `confirmed`: this client tells when it has printed what it was handed. */
  handOver: 'signalbox-hand-over',
  /** With it: the name that this client has given itself, for as long as it runs. */
  client: 'signalbox-client',
} as const;

/** In the `_meta` of an MCP tool's result: the id under which a client that confirms does so. */
export const handOverMeta = 'signalbox/hand-over';

/** Of a daemon that ended because another one has the state folder; EX_TEMPFAIL of sysexits.h. */
export const takenExitCode = 75;

/**
 * `daemon.json` in the state folder: who runs there, and where to reach it. Written under the lock,
 * gone after a clean end. The start time of its pid tells a reused pid from it; the socket is
 * absent until it listens.
 */
export type DaemonInfo = Document<typeof daemonInfoSchema>;

export type HealthView = Document<typeof healthSchema>;

export type DaemonHealth = Document<typeof daemonHealthSchema>;

export type ProviderHealth = Document<typeof providerHealthSchema>;

export type ShutdownView = Document<typeof shutdownSchema>;

export type FaultView = Document<typeof faultSchema>;
