import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { daemonEnvironment, daemonProgram } from '../client/socket/daemon-program.ts';
import { findFolders } from '../config/folders.ts';
import { loadSettings, withTerminal } from '../config/settings.ts';
import type { DaemonInfo, FaultView } from '../protocol/daemon.ts';
import { exitCodes, Fault, type FaultCode } from '../shared/fault.ts';
import { parseObject } from '../shared/json.ts';
import { formatLogLine } from './log-line.ts';
import { formatTime, writeDocument, writeOut } from './output.ts';

/**
 * The daemon as our own child, for a service manager or a person who wants to watch. Its end is
 * ours.
 */
export async function runInForeground(
  given: NodeJS.ProcessEnv,
  terminal: string | undefined,
  json: boolean,
): Promise<number> {
  const env = withTerminal(given, terminal);
  const folders = findFolders(env);
  await loadSettings(folders, env);
  const child = spawn(process.execPath, [...daemonProgram(), '--foreground'], {
    cwd: '/',
    env: daemonEnvironment(folders, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Ctrl-C reaches both of us; what a service manager sends reaches us alone.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-10_000);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (json) writeDocument(line);
    else writeOut(`${formatLogLine(line)}\n`);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return 0;
  throw explain(said, child.pid);
}

function explain(said: string, pid: number | undefined): Fault {
  for (const line of said.split('\n')) {
    const word = parse(line);
    if (word?.pid !== pid) continue;
    if (word?.taken) {
      const { pid: other, since, version } = word.taken;
      return new Fault(
        'wrong-state',
        `A daemon runs here already: pid ${other}, version ${version}, since ${formatTime(since)}.`,
        'Run `signalbox down` first; agents live on.',
      );
    }
    if (word?.error) {
      const code = Object.hasOwn(exitCodes, word.error.code) ? word.error.code : 'bug';
      return new Fault(code as FaultCode, word.error.message, word.error.next);
    }
  }
  const last = said.trim().split('\n').at(-1) ?? '';
  return new Fault('daemon-unavailable', `The daemon ended: ${last}.`, 'See `signalbox logs`.');
}

function parse(
  line: string,
): { pid?: number; taken?: DaemonInfo; error?: FaultView['error'] } | undefined {
  return parseObject(line);
}
