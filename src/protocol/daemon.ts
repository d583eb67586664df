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
   * `yes`: the user asks at a terminal. Without it and without an agent, a script of the user asks.
   */
  terminal: 'signalbox-terminal',
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
 * gone after a clean end.
 */
export interface DaemonInfo {
  readonly pid: number;
  /** Start time of that pid as the system tells it, so that a reused pid is nobody we know. */
  readonly startedAt: string;
  readonly host: string;
  readonly since: string;
  readonly version: string;
  readonly protocol: number;
  readonly terminalBackend: string;
  /** Undefined until it listens. */
  readonly socket?: string;
}

export interface HealthView {
  readonly ok: boolean;
  readonly version: string;
  readonly protocol: number;
  readonly terminalBackend: string;
  readonly components: {
    readonly daemon: DaemonHealth;
    readonly ledger: {
      readonly state: 'ready' | 'missing' | 'failed';
      readonly path: string;
      readonly id?: string;
      readonly detail?: string;
    };
    /** The default one. */
    readonly backend: BackendHealth;
    /** By name, all that are in use; the default one is among them. */
    readonly backends: Readonly<
      Record<
        string,
        BackendHealth & {
          readonly isDefault: boolean;
          /** Agents that run in it, as far as the ledger knows. */
          readonly agents: number;
        }
      >
    >;
    readonly providers: Readonly<Record<string, ProviderHealth>>;
  };
  readonly agents: { readonly running: number; readonly troubled: readonly string[] };
}

interface BackendHealth {
  readonly state: 'connecting' | 'ready' | 'down' | 'unknown';
  readonly version?: string;
  readonly detail?: string;
}

export interface DaemonHealth {
  readonly state: 'running' | 'stopped';
  readonly pid?: number;
  readonly since?: string;
  readonly socket?: string;
  readonly subscribers?: number;
  readonly memoryBytes?: number;
  readonly openFiles?: number;
}

export interface ProviderHealth {
  readonly state: 'found' | 'missing' | 'unknown';
  readonly path?: string;
  readonly version?: string;
  readonly detail?: string;
}

export interface ShutdownView {
  readonly stopping: true;
  /** Agents that live on. */
  readonly agents: number;
}

export interface FaultView {
  readonly error: { readonly code: string; readonly message: string; readonly next: string };
}
