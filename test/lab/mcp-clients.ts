import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Loopback } from '../../src/daemon/loopback.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { addRunning, state } from '../support/mail.ts';
import { callTool } from '../support/mcp.ts';
import { TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { cacheFolder, marker } from './cache.ts';
import { installInto } from './install-entry.ts';

/**
 * Both official MCP clients in TypeScript, cancelling a handoff over HTTP by an abort and by their
 * own time limit. The answer must come as a message, once, and be taken by a later call of the same
 * client (rules 17, 31).
 *
 *     node --import tsx test/lab/mcp-clients.ts
 */
const clients = [
  {
    package: '@modelcontextprotocol/sdk',
    version: '1.32.2',
    client: '@modelcontextprotocol/sdk/client/index.js',
    transport: '@modelcontextprotocol/sdk/client/streamableHttp.js',
    modes: [undefined],
  },
  {
    package: '@modelcontextprotocol/client',
    version: '2.4.0',
    client: '@modelcontextprotocol/client',
    transport: '@modelcontextprotocol/client',
    modes: ['legacy', 'auto'],
  },
] as const;

type Program = (typeof clients)[number];
// biome-ignore lint/suspicious/noExplicitAny: two packages of different shapes, of which only what they share is used
type Loaded = any;

process.exitCode = await main();

async function main(): Promise<number> {
  let failed = 0;
  for (const program of clients) {
    const folder = await install(program);
    for (const mode of program.modes) {
      for (const how of ['abort', 'time limit'] as const) {
        const what = `${program.package} ${program.version} ${mode ?? ''}, ${how}`;
        const outcome = await tryOne(program, folder, mode, how).catch((error) => `✗ ${error}`);
        if (outcome.startsWith('✗')) failed++;
        process.stdout.write(`${what}: ${outcome}\n`);
      }
    }
  }
  return failed === 0 ? 0 : 1;
}

async function install(program: Program): Promise<string> {
  const { package: name, version } = program;
  const label = `${name.replace(/\W+/g, '-').slice(1)}-${version}`;
  const folder = join(cacheFolder(), label);
  const entry = { label, folder, isInstalled: () => existsSync(join(folder, marker)) };
  mkdirSync(cacheFolder(), { recursive: true });
  await installInto({ entry, package: name, version, finish: async () => undefined });
  return folder;
}

async function tryOne(
  program: Program,
  folder: string,
  mode: string | undefined,
  how: 'abort' | 'time limit',
): Promise<string> {
  const server = new TestServer();
  await addRunning(server, 'lead');
  const worker = await addRunning(server, 'worker');
  const stateFolder = mkdtempSync(join(tmpdir(), 'signalbox-lab-'));
  const quiet = () => undefined;
  const loopback = new Loopback({
    fetch: (request, carried) => server.fetch(request, carried),
    stateFolder,
    clock: systemClock,
    isGiven: async () => true,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    listPorts: async () => [],
    onTaken: async () => undefined,
    onLifeEnd: () => quiet,
  });
  const client = await connect(program, folder, mode, await loopback.open());
  try {
    const waiting = async () => {
      const debts = await server.ledger.read((tx) => tx.debts.listOwedBy(worker.id));
      return debts.filter((debt) => debt.waiter !== undefined);
    };
    const over = new AbortController();
    const wish = how === 'abort' ? { signal: over.signal } : { timeout: 2000 };
    const call = { name: 'handoff', arguments: { profile: 'worker', task: 'Say ok.' } };
    const asked = program.version.startsWith('1.')
      ? client.callTool(call, undefined, wish)
      : client.callTool(call, wish);
    const refused = asked.then(
      () => 'answered',
      () => 'cancelled',
    );
    const { task } = await waitUntil('the wait', async () => (await waiting())[0]);
    over.abort();
    if ((await refused) !== 'cancelled') return '✗ the call was answered';
    await waitUntil('its end in the daemon', async () => (await waiting()).length === 0);
    await callTool(server, worker, 'send_message', { body: 'ok', reply_to: task });
    const take = async () =>
      (await client.callTool({ name: 'check_inbox', arguments: {} })).structuredContent.messages;
    const got = await take();
    if (got.length !== 1 || got[0].body !== 'ok' || got[0].repeat)
      return `✗ ${JSON.stringify(got)}`;
    let copies = 0;
    await waitUntil('the ack', async () => {
      copies += (await take()).length;
      return (await state(server, got[0].id)) === 'acked';
    });
    return copies === 0
      ? '✓ the answer came as a message, once, and was taken'
      : `✗ ${copies} more`;
  } finally {
    await client.close();
    await loopback.close();
    rmSync(stateFolder, { recursive: true, force: true });
  }
}

async function connect(
  program: Program,
  folder: string,
  mode: string | undefined,
  url: string,
): Promise<Loaded> {
  const load = async (name: string): Promise<Loaded> => {
    const find = createRequire(join(folder, 'package.json'));
    return import(pathToFileURL(find.resolve(name)).href);
  };
  const { Client } = await load(program.client);
  const { StreamableHTTPClientTransport } = await load(program.transport);
  const options = mode === undefined ? {} : { versionNegotiation: { mode } };
  const client = new Client({ name: 'lab', version: '1' }, options);
  const headers = { authorization: 'Bearer tok_lead' };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return client;
}
