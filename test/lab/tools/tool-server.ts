import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one call of a tool was, as its server saw it. */
export interface SeenCall {
  readonly tool: string;
  /** SIGNALBOX_… of the server's environment: whom it would act as. */
  readonly identity: Readonly<Record<string, string>>;
}

/** A small MCP server over stdio whose results hold a word that nobody else knows. */
export interface LabToolServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly word: string;
  calls(): readonly SeenCall[];
}

/**
 * `list_agents` and `ping` answer at once (Qwen Code 0.24.4 has a tool of the first name itself),
 * `wait` after as many seconds as it is told, without a sign of life in between.
 */
export function writeToolServer(folder: string, name: string, word: string): LabToolServer {
  const program = join(folder, `${name}-server.mjs`);
  const log = join(folder, `${name}-calls.ndjson`);
  writeFileSync(program, source);
  return {
    command: process.execPath,
    args: [program, log, word],
    word,
    calls: () =>
      !existsSync(log)
        ? []
        : readFileSync(log, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as SeenCall),
  };
}

const source = `import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [log, word] = process.argv.slice(2);
const identity = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('SIGNALBOX_')),
);
const empty = { type: 'object', properties: {} };
const tools = [
  { name: 'list_agents', description: 'Lists the agents.', inputSchema: empty },
  { name: 'ping', description: 'Says a word.', inputSchema: empty },
  {
    name: 'wait',
    description: 'Waits.',
    inputSchema: { type: 'object', properties: { seconds: { type: 'number' } } },
  },
];
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'lab', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': async ({ name, arguments: given }) => {
    appendFileSync(log, JSON.stringify({ tool: name, identity }) + '\\n');
    if (name === 'wait') await new Promise((done) => setTimeout(done, 1000 * given.seconds));
    return { content: [{ type: 'text', text: 'The word is ' + word + '.' }] };
  },
};
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const said = answer
    ? { result: await answer(params) }
    : { error: { code: -32601, message: 'no ' + method } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...said }) + '\\n');
});
process.stdin.on('end', () => process.exit(0));
`;
