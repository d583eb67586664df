import { asObject, type Json } from '../shared/json.ts';
import type { LaunchRequest } from './launch-plan.ts';

/** An MCP server that this start brings along, before it is spelled as one CLI wants it. */
export type Server =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** The name of ours; by it, and by it alone, its tools are allowed (rule 39). */
export const ownServer = 'signalbox';

/**
 * The profile's servers and ours, by name. Ours takes its identity from the agent's environment, so
 * its description only points there (`refer` is how the CLI spells that): the token stands in no
 * file and in no argument.
 */
export function listServers(
  { role, tools, env }: Pick<LaunchRequest, 'role' | 'tools' | 'env'>,
  refer: (variable: string) => string,
): readonly (readonly [string, Server])[] {
  const theirs = Object.entries(role.mcpServers ?? {})
    .filter(([name]) => name !== ownServer)
    .map(([name, server]): readonly [string, Server] => [
      name,
      'url' in server
        ? { kind: 'http', url: server.url, headers: server.headers ?? {} }
        : {
            kind: 'stdio',
            command: server.command,
            args: server.args ?? [],
            env: server.env ?? {},
          },
    ]);
  if (!tools) return theirs;
  const { command, args, http } = tools;
  // One that is not set would be handed on as the words that refer to it (Gemini CLI 0.61.0).
  const variables = tools.variables.filter((name) => env[name] !== undefined);
  const ours: Server = http
    ? {
        kind: 'http',
        url: http.url,
        headers: { Authorization: `Bearer ${refer(http.tokenVariable)}` },
      }
    : {
        kind: 'stdio',
        command,
        args,
        env: Object.fromEntries(variables.map((name) => [name, refer(name)])),
      };
  return [...theirs, [ownServer, ours]];
}

/**
 * Of one server, what the CLI is told to wait for a call of it; the profile's keep the CLI's own
 * limit.
 */
export function limitOf(
  name: string,
  { tools }: Pick<LaunchRequest, 'tools'>,
  field: string,
): Readonly<Record<string, number>> {
  return name === ownServer && tools ? { [field]: tools.timeoutMs } : {};
}

/** Beside those in settings that have an `mcpServers`; nothing where there are none to add. */
export function addServers(
  settings: Json,
  servers: readonly (readonly [string, Server])[],
  describe: (name: string, server: Server) => object,
): Json {
  if (servers.length === 0) return {};
  const ours = servers.map(([name, server]) => [name, describe(name, server)]);
  return { mcpServers: { ...asObject(settings['mcpServers']), ...Object.fromEntries(ours) } };
}
