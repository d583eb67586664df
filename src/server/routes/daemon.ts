import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type HealthView, protocolVersion } from '../../protocol/daemon.ts';
import { digitsSchema } from '../../protocol/schemas/bounds.ts';
import { healthSchema, shutdownSchema } from '../../protocol/schemas/daemon.ts';
import { Fault } from '../../shared/fault.ts';
import { errorFacts } from '../../shared/log.ts';
import { reportBug } from '../../shared/report-bug.ts';
import { describeRoute, json, orFault } from '../describe-route.ts';
import type { ServerParts } from '../parts.ts';

export function addDaemonRoutes(app: OpenAPIHono, parts: ServerParts): void {
  app.openapi(health, async (c) => c.json(await readHealth(parts), 200));
  app.openapi(shutdown, async (c) => {
    const { pid, isReplaced } = c.req.valid('query');
    if (pid !== undefined && pid !== parts.daemon().pid) throw otherDaemon(pid);
    const { agents } = parts.fleet.health();
    parts.shutdown(isReplaced === 'true');
    return c.json({ stopping: true as const, agents: agents.running }, 200);
  });
}

/**
 * B2. Each component answers for itself: one that cannot be asked is shown as failed, beside the
 * others.
 */
async function readHealth(parts: ServerParts): Promise<HealthView> {
  const { backend, agents, ...all } = parts.fleet.health();
  const { name, ...backendState } = backend;
  const ledger = await readLedgerHealth(parts);
  const backends = await addAgents(parts, all.backends);
  return {
    ok: ledger.state === 'ready' && Object.values(backends).every(isWell),
    version: parts.version,
    protocol: protocolVersion,
    terminalBackend: name,
    components: {
      daemon: parts.daemon(),
      ledger,
      backend: backendState,
      backends,
      providers: await parts.providers().catch((error: unknown) => {
        reportBug('looking for the providers', error);
        parts.log.error(errorFacts(error), 'the providers cannot be looked for');
        return {};
      }),
    },
    agents,
  };
}

type Backends = HealthView['components']['backends'];

/**
 * Each with the agents that run in it, as far as the ledger knows: those of one that is down are
 * seen by nobody.
 */
async function addAgents(
  { ledger }: ServerParts,
  states: ReturnType<ServerParts['fleet']['health']>['backends'],
): Promise<Backends> {
  const agents = await ledger
    .read((tx) => tx.agents.list())
    .catch((error) => reportBug("counting a backend's agents", error) ?? []);
  const count = (name: string): number =>
    agents.filter(({ backend, status }) => backend === name && status !== 'exited').length;
  return Object.fromEntries(
    states.map(({ name, ...state }) => [name, { ...state, agents: count(name) }]),
  );
}

/** Another than the default one is missed only by its agents. */
function isWell({ state, isDefault, agents }: Backends[string]): boolean {
  return state === 'ready' || (!isDefault && agents === 0);
}

async function readLedgerHealth({
  ledger,
  ledgerPath: path,
}: ServerParts): Promise<HealthView['components']['ledger']> {
  try {
    await ledger.read((tx) => tx.agents.isLiving(''));
    return { state: 'ready', path, id: ledger.id };
  } catch (error) {
    reportBug('asking the ledger how it is', error);
    return { state: 'failed', path, detail: error instanceof Error ? error.message : '' };
  }
}

function otherDaemon(pid: number): Fault {
  return new Fault(
    'wrong-state',
    `This daemon is not the process ${pid}: that one has ended, and this one goes on.`,
    'See `signalbox health`.',
  );
}

const health = describeRoute({
  operationId: 'getHealth',
  method: 'get',
  path: '/health',
  summary: 'The active backend and the state of each component.',
  responses: { 200: json(healthSchema, 'How things stand.'), ...orFault },
});

const shutdown = describeRoute({
  operationId: 'shutDown',
  method: 'post',
  path: '/shutdown',
  summary: 'Ends the daemon. Agents and their terminals live on.',
  request: {
    query: z.object({
      pid: digitsSchema.optional().openapi({
        ...{ type: 'integer', minimum: 0, description: 'End it only if this is its process.' },
      }),
      isReplaced: z.enum(['true', 'false']).optional().openapi({
        description: 'Another daemon follows. Without it, commands that only look start none.',
      }),
    }),
  },
  responses: { 200: json(shutdownSchema, 'It is stopping.'), ...orFault },
});
