import type { Role } from '../agents/role.ts';
import type { Bus } from '../events/bus.ts';
import { isRunning } from '../fleet/is-running.ts';
import { hashToken } from '../fleet/launch.ts';
import type { ToolServer } from '../providers/provider.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Ledger } from '../store/ledger.ts';
import { findProgram } from './hook-program.ts';
import type { Fetch } from './listen.ts';
import { Loopback } from './loopback.ts';

/** What the proxy needs of its agent's environment; some CLIs hand on only what they are told to. */
const tokenVariable = 'SIGNALBOX_TOKEN';
const variables = [
  'SIGNALBOX_SOCKET',
  'SIGNALBOX_AGENT',
  'SIGNALBOX_EPOCH',
  tokenVariable,
  'SIGNALBOX_HOME',
];

/** For the CLI's own setting. No call of ours takes longer: `handoff` returns a handle before any limit. */
const timeoutMs = 15 * 60_000;

export interface Tools {
  /** The MCP server that an agent of this role is given: the stdio proxy, or, where its profile asks for it, HTTP. */
  serverFor(role: Role): Promise<ToolServer>;
  /** Serves agents that run already, and follows those to come. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ToolsParts {
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly fetch: Fetch;
  readonly stateFolder: string;
  readonly clock: Clock;
  readonly log: Log;
}

export function openTools({ ledger, bus, ...parts }: ToolsParts): Tools {
  const isWanted = (): Promise<boolean> =>
    ledger.read(async (tx) => {
      for (const agent of await tx.agents.list()) {
        if (agent.role?.isOverHttp && (await isRunning(tx, agent))) return true;
      }
      return false;
    });
  const onLifeEnd = (act: () => Promise<void>) =>
    bus.on('tools over HTTP', ['agent.*.exited', 'agent.*.removed'], act);
  const isLiving = async (token: string): Promise<boolean> => {
    const life = await ledger.read((tx) => tx.epochs.findByTokenHash(hashToken(token)));
    return life !== undefined && life.endedAt === undefined;
  };
  const loopback = new Loopback({ ...parts, isLiving, isWanted, onLifeEnd });
  const stdio: ToolServer = {
    command: process.execPath,
    args: findProgram('mcp.cjs', ['mcp', 'main.ts']),
    variables,
    timeoutMs,
  };
  return {
    serverFor: async ({ isOverHttp = false }) =>
      isOverHttp ? { ...stdio, http: { url: await loopback.open(), tokenVariable } } : stdio,
    start: () => loopback.review(),
    close: () => loopback.close(),
  };
}
