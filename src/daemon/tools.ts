import type { Role } from '../agents/role.ts';
import { hashToken } from '../agents/token.ts';
import type { Bus } from '../events/bus.ts';
import { hasTools } from '../fleet/lost-tools.ts';
import type { ToolServer } from '../providers/launch-plan.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Ledger } from '../store/ledger.ts';
import { findProgram } from './hook-program.ts';
import type { Fetch } from './listen.ts';
import { Loopback } from './loopback.ts';

/**
 * What the proxy needs of its agent's environment; some CLIs hand on only what they are told to.
 */
const tokenVariable = 'SIGNALBOX_TOKEN';
const variables = [
  'SIGNALBOX_SOCKET',
  'SIGNALBOX_AGENT',
  'SIGNALBOX_EPOCH',
  tokenVariable,
  'SIGNALBOX_HOME',
];

/**
 * For the CLI's own setting. No call of ours takes longer: `handoff` returns a handle before any
 * limit.
 */
const timeoutMs = 15 * 60_000;

export interface Tools {
  /**
   * The MCP server that an agent of this role is given: the stdio proxy, or, where its profile asks
   * for it, HTTP.
   */
  serverFor(role: Role): Promise<ToolServer>;
  /**
   * Serves agents that run already, and follows those to come. Until then a call is answered with
   * 503: the app that answers it is made of the fleet, and the fleet of these tools.
   */
  start(fetch: Fetch): Promise<void>;
  close(): Promise<void>;
}

export interface ToolsParts {
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly stateFolder: string;
  readonly clock: Clock;
  readonly log: Log;
}

export function openTools({ ledger, bus, ...parts }: ToolsParts): Tools {
  const { clock, log } = parts;
  const listPorts = async (): Promise<readonly number[]> => {
    const open = await ledger.read((tx) => tx.epochs.listOpen());
    return open.flatMap(({ toolsPort }) => (toolsPort === undefined ? [] : [toolsPort]));
  };
  const isGiven = async (token: string, port: number): Promise<boolean> => {
    const life = await ledger.read((tx) => tx.epochs.findByTokenHash(hashToken(token)));
    return life?.endedAt === undefined && life?.toolsPort === port && hasTools(life);
  };
  const onTaken = async (port: number): Promise<void> => {
    const lost = await ledger.write((tx) => tx.epochs.loseTools(port, clock.now()));
    if (lost > 0) log.warn({ port, agents: lost }, 'another program has the port of these agents');
  };
  const onLifeEnd = (act: () => Promise<void>) =>
    bus.on('tools over HTTP', ['agent.*.exited', 'agent.*.removed'], act);
  let serve: Fetch = () => new Response(null, { status: 503 });
  const loopback = new Loopback({
    ...{ ...parts, isGiven, listPorts, onTaken, onLifeEnd },
    fetch: (request, carried) => serve(request, carried),
  });
  const stdio: ToolServer = {
    command: process.execPath,
    args: findProgram('mcp.cjs', ['mcp', 'main.ts']),
    variables,
    timeoutMs,
  };
  return {
    serverFor: async ({ isOverHttp = false }) =>
      isOverHttp ? { ...stdio, http: { url: await loopback.open(), tokenVariable } } : stdio,
    start: (fetch) => {
      serve = fetch;
      return loopback.review();
    },
    close: () => loopback.close(),
  };
}
