import { readFileSync } from 'node:fs';
import { systemClock } from '../../src/shared/clock.ts';
import { findFamily } from '../../test/lab/processes.ts';
import { pins } from '../../test/lab/versions.ts';
import { benchLives, type Taken } from '../people/lives.ts';
import type { Part, Row } from '../suite.ts';
import { launchCao } from './cao/seat.ts';
import { type Contest, type PeerSurroundings, withContest } from './contest.ts';
import { modelRests } from './model-rest.ts';
import { type ToolName, toolNames } from './tool.ts';

interface Cost {
  readonly tool: ToolName;
  readonly agents: number;
  /** CPU seconds a minute of the server, and with those of programs that it ran to their end. */
  readonly own: number;
  readonly withEnded: number;
  readonly serverMb: number;
  readonly mcpMb: number;
}

/** Since the launches; what a start leaves to do is no cost of rest. */
const settleMs = 20_000;

/** What the tools cost while their agents do nothing. */
export function benchIdleCost(around: PeerSurroundings): Promise<Part> {
  const agents = around.quick ? 2 : 5;
  // One collection of garbage costs 0.1 s, and comes once in minutes: a short span has it or not.
  const seconds = around.quick ? 60 : 180;
  return benchLives<Cost[]>(around, {
    title: 'Agents at rest',
    clis: ['claude-code'],
    begin: () => [],
    take: (cli, taken) =>
      withContest(around, { cli, withHand: false }, async (contest) => {
        for (let n = 2; n <= agents; n++) {
          around.signal.throwIfAborted();
          await contest.life.launchBeside(`beside${n}`);
          if (contest.cao) await launchCao(contest.cao.place, cli, `beside${n}`);
        }
        for (const seat of contest.seats) await seat.rests();
        await modelRests(contest.life.mock);
        await systemClock.sleep(settleMs);
        taken.push(...(await measureAll(contest, agents, seconds)));
      }),
    toRows: (done) => done.flatMap(describeCli),
    how: `${agents} Claude Codes of each tool at rest, all at the same time, for ${seconds} s. CPU: of the tool's server (our daemon with its worker, cao-server), and with the programs that it started and that ended meanwhile, from /proc. Memory: \
resident size of the server, and of all MCP servers of its agents together.`,
  });
}

async function measureAll(
  { life, cao }: Contest,
  agents: number,
  seconds: number,
): Promise<readonly Cost[]> {
  const servers = [
    { tool: 'signalbox', pid: life.box.daemon.pid, mark: `SIGNALBOX_HOME=${life.box.state}` },
    ...(cao
      ? [
          {
            tool: 'CAO',
            pid: cao.place.server.process.pid,
            mark: `SIGNALBOX_BENCH_PEER=${cao.place.home.folder}`,
          } as const,
        ]
      : []),
  ] as const;
  const before = servers.map(({ pid }) => readCpu(pid));
  await systemClock.sleep(seconds * 1000);
  return servers.map(({ tool, pid, mark }, at) => {
    const after = readCpu(pid);
    const perMinute = (of: 'own' | 'withEnded'): number =>
      ((after[of] - (before[at]?.[of] ?? 0)) * 60) / seconds;
    const mcp = findFamily(undefined, mark).filter((found) => isMcpServer(found.pid));
    return {
      ...{ tool, agents, own: perMinute('own'), withEnded: perMinute('withEnded') },
      serverMb: readMb(pid),
      mcpMb: mcp.reduce((sum, found) => sum + readMb(found.pid), 0),
    };
  });
}

/** Linux counts in hundredths of a second. */
function readCpu(pid: number): { readonly own: number; readonly withEnded: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  const own = (user + system) / 100;
  return { own, withEnded: own + (endedUser + endedSystem) / 100 };
}

function readMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readOf(pid, 'status'))?.[1] ?? 0) / 1024;
}

function readOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // It has ended since it was found, whatever the error says of that.
  }
}

/** By the program's own name: CLIs name it in their arguments, too. */
function isMcpServer(pid: number): boolean {
  const words = readOf(pid, 'cmdline').split('\0').slice(0, 2);
  return words.some((word) => /\/(cao-mcp-server|mcp\.cjs)$/.test(word));
}

function describeCli({ name, taken }: Taken<Cost[]>): readonly Row[] {
  const who = `${name} ${pins[name].version}`;
  return toolNames.flatMap((tool) =>
    taken
      .filter((one) => one.tool === tool)
      .flatMap(({ agents, own, withEnded, serverMb, mcpMb }): readonly Row[] => {
        const of = `${who}, ${tool}, ${agents} agents:`;
        return [
          { what: `${of} CPU a minute, server`, measured: { value: own, unit: 's' } },
          { what: `${of} with what it ran`, measured: { value: withEnded, unit: 's' } },
          { what: `${of} memory, server`, measured: { value: serverMb, unit: 'MB' } },
          { what: `${of} memory, MCP servers`, measured: { value: mcpMb, unit: 'MB' } },
        ];
      }),
  );
}
