import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { headers, protocolVersion } from '../protocol/daemon.ts';
import { Fault } from '../shared/fault.ts';
import { errorFacts } from '../shared/log.ts';
import { bound } from '../shared/quote.ts';
import { reportBug } from '../shared/report-bug.ts';
import { admit, requireListed } from './access.ts';
import { createContext } from './context.ts';
import { describeIssue } from './describe-issue.ts';
import { callers, describeRoute, json, orFault } from './describe-route.ts';
import { Readers } from './event-stream.ts';
import { bugResponse, faultResponse, neutraliseFault, seeApi, toFault } from './fault-response.ts';
import { refuseMethods } from './find-methods.ts';
import { boundBodies, nameProtocol, refuseEndless, refuseOtherProtocols } from './guards.ts';
import { HandOvers } from './hand-overs.ts';
import { addMcpRoutes } from './mcp/routes.ts';
import type { ServerParts } from './parts.ts';
import { addAgentRoutes } from './routes/agents.ts';
import { addDaemonRoutes } from './routes/daemon.ts';
import { addDashboardRoutes } from './routes/dashboard.ts';
import { addEventRoutes } from './routes/events.ts';
import { addHookRoutes } from './routes/hooks.ts';
import { addInboxRoutes } from './routes/inbox.ts';
import { addLifecycleRoutes } from './routes/lifecycle.ts';
import { addMessageRoutes } from './routes/messages.ts';
import { addOutputRoutes } from './routes/output.ts';
import { addQuestionRoutes } from './routes/questions.ts';
import { addTaskRoutes } from './routes/tasks.ts';
import { addWaitingHookRoutes } from './routes/waiting-hooks.ts';

/** Of a request body: an environment and a message fit, whatever else it is, it is not a file. */
const bodyBase = 1024 * 1024;

/** The HTTP API, without a socket: whoever has one hands it requests. */
export function createApp(parts: ServerParts): OpenAPIHono {
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw invalid(result.error.issues);
    },
  });
  app.use(
    nameProtocol,
    admit(parts),
    refuseMethods,
    refuseEndless,
    refuseOtherProtocols(parts.version),
  );
  // A message may be escaped to twice its size. Hooks read, and bound, their own.
  const withMessage = bodyBase + 2 * parts.bodyLimit;
  const limits = new Map([
    ['/agents', withMessage],
    ['/messages', withMessage],
    ['/tasks', withMessage],
    ['/mcp', withMessage],
  ]);
  app.use(
    boundBodies((path) =>
      path.startsWith('/hooks/') ? undefined : (limits.get(path) ?? bodyBase),
    ),
  );
  const handOvers = new HandOvers(parts.clock, (error) => {
    reportBug('losing what was handed over', error);
    parts.log.warn(errorFacts(error), 'what was handed over and not confirmed stays open');
  });
  const readers = new Readers();
  const context = createContext(parts);
  addDaemonRoutes(app, parts);
  addAgentRoutes(app, context);
  addLifecycleRoutes(app, context);
  addOutputRoutes(app, context, readers);
  addQuestionRoutes(app, context);
  addMessageRoutes(app, context);
  addInboxRoutes(app, context, parts.log);
  addTaskRoutes(app, context, handOvers);
  addEventRoutes(app, context, readers);
  addDashboardRoutes(app, context);
  addMcpRoutes(app, parts, context, handOvers);
  // Before those of all events, whose path it would match.
  addWaitingHookRoutes(app, parts);
  addHookRoutes(app, parts);
  describe(app, parts.version);
  requireListed(app.routes);
  app.notFound((c) => faultResponse(unknownRoute(c.req.method, c.req.path)));
  app.onError((error, c) => {
    const fault = toFault(error);
    // What a CLI last said stands in some of them, and to an agent that is others' words (rule 47).
    if (fault) return faultResponse(isOfAgent(c) ? neutraliseFault(fault) : fault);
    const { method, path } = c.req;
    reportBug('answering a request', error);
    parts.log.error({ method, path, ...errorFacts(error) }, 'a request failed');
    return bugResponse();
  });
  return app;
}

/** Whether an agent says that it asks, and so may be a model. */
function isOfAgent(c: Context): boolean {
  return [headers.agent, 'authorization'].some((name) => c.req.header(name) !== undefined);
}

function describe(app: OpenAPIHono, version: string): void {
  for (const [name, scheme] of Object.entries(callers)) {
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  }
  const about = {
    openapi: '3.1.0',
    info: {
      title: 'signalbox',
      version,
      description: `The daemon's API, protocol ${protocolVersion}, on a unix socket.`,
      license: { name: 'Apache-2.0' },
    },
  };
  // Typed as any JSON.
  app.openapi(openApi, (c) => c.json(app.getOpenAPI31Document(about) as never, 200));
}

const openApi = describeRoute({
  operationId: 'getOpenApi',
  method: 'get',
  path: '/openapi.json',
  summary: 'This document.',
  responses: { 200: json(z.looseObject({ openapi: z.string() }), 'OpenAPI 3.1.'), ...orFault },
});

function unknownRoute(method: string, path: string): Fault {
  return new Fault('route-not-found', `There is no ${method} ${bound(path, 80)}.`, seeApi);
}

function invalid(issues: readonly Parameters<typeof describeIssue>[0][]): Fault {
  const said = issues.slice(0, 3).map(describeIssue);
  return new Fault('invalid-input', `The request is not understood: ${said.join('; ')}.`, seeApi);
}
