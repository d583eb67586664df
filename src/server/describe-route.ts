import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';
import { headers, protocolVersion } from '../protocol/daemon.ts';
import { nameSchema } from '../protocol/schemas/bounds.ts';
import { faultSchema } from '../protocol/schemas/fault.ts';
import { access } from './access.ts';
import { isTimeless } from './guards.ts';

/** The descriptions of routes have these parts in common. */

export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

export const orFault = { default: json(faultSchema, 'What went wrong, and what to do next.') };

export const agentParam = z.object({
  agent: nameSchema.openapi({ param: { name: 'agent', in: 'path' }, description: 'Name or id.' }),
});

type Described = Omit<RouteConfig, 'path' | 'parameters'> & {
  readonly path: string;
  /** The name of the function in a client that is made from the document. */
  readonly operationId: string;
};

/**
 * A route with the headers that every request and answer may have, those that it reads by itself,
 * and its callers.
 */
export function describeRoute<const Route extends Described>(
  route: Route,
  heads: readonly HeaderParameter[] = [],
) {
  const kinds = listKinds(route);
  return createRoute({
    ...route,
    security: listCallers(kinds),
    parameters: [
      ...(isTimeless(route.path) ? [] : [protocol]),
      ...(isForNamed(kinds) ? [agentName] : []),
      commandName,
      ...heads,
    ],
    responses: addHeader(route.responses) as Route['responses'],
  });
}

type HeaderParameter = {
  name: string;
  in: 'header';
  required: false;
  description: string;
  schema: { type: 'string' } | { type: 'integer'; enum: number[] };
};

/** Any value is taken; the description says which ones count. */
export function header(name: string, description: string): HeaderParameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

/** What means the same in every version takes any. */
const protocol: HeaderParameter = {
  ...header(headers.protocol, 'The protocol that the client speaks; without it, the current one.'),
  schema: { type: 'integer', enum: [protocolVersion] },
};

const agentName = header(
  headers.agent,
  'The id or name of the agent that asks; for `/mcp` it is enough where that has no terminal of ours.',
);

const commandName = header(
  headers.command,
  '`heard`: the command line of signalbox asks, and has told what its agent has read.',
);

function listKinds({ method, path }: Pick<Described, 'method' | 'path'>) {
  return access[`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`] ?? [];
}

/** The hooks alone insist on a token. */
function isForNamed(kinds: readonly string[]): boolean {
  return kinds.includes('agent') && !kinds.includes('former');
}

function listCallers(kinds: readonly string[]): Record<string, string[]>[] {
  return [
    ...(isForNamed(kinds) || kinds.includes('user') ? [{}] : []),
    ...(kinds.includes('user') ? [{ userToken: [] }] : []),
    ...(kinds.includes('agent') ? [{ agentToken: [] }] : []),
  ];
}

/**
 * Server-sent events, as OpenAPI 3.2 describes one of them; 3.1 has no words for streams. `data`
 * is JSON of the schema of this name.
 */
export function events(data: object) {
  const text = { type: 'string' as const };
  return {
    'text/event-stream': {
      schema: {
        type: 'object' as const,
        required: ['data'],
        properties: {
          event: text,
          id: text,
          data: { ...text, contentMediaType: 'application/json', contentSchema: data },
        },
      },
    },
  };
}

/** How callers say who they are. */
export const callers = {
  userToken: {
    type: 'apiKey',
    in: 'header',
    name: headers.user,
    description:
      'The content of `user.token` in the state folder: the user asks. Without it, and without an agent, a script of the user asks.',
  },
  agentToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'SIGNALBOX_TOKEN of the environment of an agent that runs.',
  },
} as const;

function addHeader(responses: RouteConfig['responses']): RouteConfig['responses'] {
  const spoken = {
    [headers.protocol]: {
      description: 'The protocol that the daemon speaks.',
      schema: { type: 'integer' as const },
    },
  };
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...spoken, ...('headers' in response ? response.headers : {}) } },
    ]),
  );
}
