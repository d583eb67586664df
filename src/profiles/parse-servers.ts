import type { Role } from '../agents/role.ts';
import type { ValueReader } from '../shared/value-reader.ts';

type Servers = NonNullable<Role['mcpServers']>;

/** Names go into files and arguments of seven CLIs, some as keys of TOML. */
const serverName = /^[A-Za-z0-9_-]{1,64}$/;
const mostServers = 32;
const mostWords = 200;

/**
 * MCP servers as most files write them: `{ name: { command, args, env } | { url, headers } }`. What
 * would be a second signalbox, or another orchestrator that acts in its place, is kept out with a
 * remark.
 */
export function parseServers(
  value: unknown,
  reader: ValueReader,
  remark: (text: string) => void,
): Servers {
  if (value === undefined || value === null) return {};
  if (Array.isArray(value)) {
    remark('mcpServers is a list of names, which only Claude Code’s own sub-agents know: not used');
    return {};
  }
  const entries = Object.entries(reader.map(value, 'mcpServers'));
  if (entries.length > mostServers) reader.refuse('mcpServers', `more than ${mostServers} entries`);
  const servers: [string, Servers[string]][] = [];
  for (const [name, entry] of entries) {
    reader.text(name, 'mcpServers', serverName);
    if (isReplaced(name, entry))
      remark(`the MCP server ${name} is kept out: signalbox replaces it`);
    else servers.push([name, parseServer(entry, `mcpServers.${name}`, reader, remark)]);
  }
  return Object.fromEntries(servers);
}

function parseServer(
  value: unknown,
  place: string,
  reader: ValueReader,
  remark: (text: string) => void,
): Servers[string] {
  const { command, args, env, url, headers, type, ...rest } = reader.map(value, place);
  for (const key of Object.keys(rest)) remark(`${place}.${key} is not used`);
  if (type !== undefined) reader.choice(type, `${place}.type`, serverTypes);
  if (url !== undefined) {
    const target = reader.text(url, `${place}.url`, /^https?:\/\/[^\s\0]+$/);
    const sent = parseTexts(headers, `${place}.headers`, reader);
    return { url: target, ...(headers === undefined ? {} : { headers: sent }) };
  }
  const words = reader
    .list(args ?? [], `${place}.args`, mostWords)
    .map((word, at) => reader.text(word, `${place}.args[${at}]`, /^[^\0]*$/));
  return {
    command: reader.text(command, `${place}.command`, /^[^\0]+$/),
    ...(words.length === 0 ? {} : { args: words }),
    ...(env === undefined ? {} : { env: parseTexts(env, `${place}.env`, reader) }),
  };
}

const serverTypes = ['stdio', 'http', 'sse', 'streamable-http', 'local', 'remote'] as const;

/** Values of variables and headers: numbers and truth values are written without quotes by most. */
export function parseTexts(
  value: unknown,
  place: string,
  reader: ValueReader,
): Readonly<Record<string, string>> {
  const entries = Object.entries(reader.map(value ?? {}, place)).map(([name, given]) => {
    const isScalar = ['string', 'number', 'boolean'].includes(typeof given);
    return [name, isScalar ? String(given) : reader.text(given, `${place}.${name}`)];
  });
  return Object.fromEntries(entries);
}

function isReplaced(name: string, entry: unknown): boolean {
  return name === 'signalbox' || /\bcao-mcp-server\b/.test(`${name} ${JSON.stringify(entry)}`);
}
