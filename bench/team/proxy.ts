import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launchFakeClaude } from '../delivery/fake-claude.ts';
import { interleave, median } from '../measure.ts';
import type { BuiltSurroundings } from '../parts.ts';
import type { Part, Row } from '../suite.ts';
import { Station } from '../terminals/station.ts';
import { type Memory, StdioClient } from './stdio-client.ts';

/** What each agent pays for its tools, for as long as it runs and when it starts. */
export async function benchProxy(around: BuiltSurroundings): Promise<Part> {
  const { folder, quick, signal, say, dist } = around;
  const starts = quick ? 10 : 40;
  const lives = quick ? 3 : 10;
  say(`proxy: ${starts} starts and ${lives} lives of each`);
  const station = new Station(join(folder, 'proxy'), { dist, isBare: true });
  try {
    await station.start();
    const { env } = await launchFakeClaude(station, join(folder, 'fake'));
    const proxy = (): StdioClient => new StdioClient([join(dist, 'mcp.cjs')], env);
    const sdkServer = await buildSdkServer(join(folder, 'sdk-server.cjs'));
    const list = join(folder, 'tools.json');
    writeFileSync(list, JSON.stringify(await listTools(proxy())));
    const sdk = (): StdioClient => new StdioClient([sdkServer, list], env);
    const works = {
      proxy: () => timeStart(proxy),
      sdk: () => timeStart(sdk),
      node: () => timeNode(env),
    };
    await interleave(2, works, signal);
    const ms = await interleave(starts, works, signal);
    const memory = { proxy: [] as Memory[], sdk: [] as Memory[] };
    const look = async (name: 'proxy' | 'sdk', open: () => StdioClient): Promise<number> => {
      memory[name].push(await readMemory(open()));
      return 0;
    };
    await interleave(
      lives,
      { proxy: () => look('proxy', proxy), sdk: () => look('sdk', sdk) },
      signal,
    );
    const compare = (what: string, kind: keyof Memory): Row => ({
      what,
      measured: { value: median(memory.proxy.map((one) => one[kind])), unit: 'MB' },
      against: {
        what: 'by the SDK',
        quantity: { value: median(memory.sdk.map((one) => one[kind])), unit: 'MB' },
      },
    });
    const inNode = { what: 'node -e 0', quantity: { value: median(ms.node), unit: 'ms' } } as const;
    return {
      title: 'The stdio proxy of the tools',
      how: `Memory: ${lives} lives of each in turn, after \`initialize\`, \`tools/list\` and one call of \`list_agents\`: PSS, what the process has for itself and \
its share of what it maps together with others, of which Node's own text is most. By the SDK: the same seven tools in one process on @modelcontextprotocol/server over stdio, bundled as ours is, \
at its least: their list comes from a file, and a call is one request to the daemon. Start: ${starts} of each in turn, after two to warm up, from the spawn to the answer to \`initialize\`, \
which comes from the daemon; \`node -e 0\` from the spawn to its end.`,
      rows: [
        { ...compare('proxy, memory (PSS)', 'pss'), bar: { atMost: 0.5 } },
        compare('the same, of its own alone', 'own'),
        compare('the same, resident, Node’s own text included', 'rss'),
        {
          what: `proxy, spawn → answer to initialize, median (n ${starts})`,
          measured: { value: median(ms.proxy), unit: 'ms' },
          against: inNode,
          bar: { atMost: 2 },
        },
        {
          what: 'by the SDK, the same',
          measured: { value: median(ms.sdk), unit: 'ms' },
          against: inNode,
        },
      ],
      raw: { ms, memory },
    };
  } finally {
    await station.close();
  }
}

async function buildSdkServer(outfile: string): Promise<string> {
  const entry = fileURLToPath(new URL('sdk-server.ts', import.meta.url));
  await build({
    entryPoints: [entry],
    outfile,
    ...({ bundle: true, platform: 'node', target: 'node20.19', format: 'cjs' } as const),
  });
  return outfile;
}

async function listTools(client: StdioClient): Promise<unknown> {
  try {
    await client.initialize();
    return await client.ask('tools/list');
  } finally {
    await client.close();
  }
}

async function readMemory(client: StdioClient): Promise<Memory> {
  try {
    await client.initialize();
    await client.ask('tools/list');
    await client.ask('tools/call', { name: 'list_agents', arguments: {} });
    return client.memory;
  } finally {
    await client.close();
  }
}

async function timeStart(open: () => StdioClient): Promise<number> {
  const startedAt = performance.now();
  const client = open();
  try {
    await client.initialize();
    return performance.now() - startedAt;
  } finally {
    await client.close();
  }
}

async function timeNode(env: Readonly<Record<string, string>>): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((done) => child.once('exit', done));
  return performance.now() - startedAt;
}
