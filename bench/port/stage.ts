import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scriptedProvider, writeScriptedProvider } from '../../src/demo/scripted-provider.ts';
import { scriptedAgent } from '../../test/fakes/scripted-agent.ts';

const run = promisify(execFile);

/** A daemon of one build, with an agent whose tools come over the port. */
export interface Stage {
  readonly pid: number;
  readonly socket: string;
  readonly port: number;
  /** One request on the unix socket; its body, and how long it took. */
  ask(path: string, body?: unknown): Promise<{ readonly text: string; readonly ms: number }>;
  /** Of the daemon, in MB. */
  memory(): number;
  close(): Promise<void>;
}

export async function openStage(program: string, folder: string, files: number): Promise<Stage> {
  const home = mkdtempSync(join(folder, 'p-'));
  const env = { ...process.env, SIGNALBOX_HOME: home };
  writeFileSync(join(home, 'config.yaml'), writeScriptedProvider(scriptedAgent()));
  mkdirSync(join(home, 'profiles'));
  const profile = `name: far\ndescription: x\nprovider: ${scriptedProvider}\ntoolsOver: http`;
  writeFileSync(join(home, 'profiles', 'far.md'), `---\n${profile}\n---\nWork.\n`);
  const sbx = (...args: string[]) => run(process.execPath, [program, ...args], { env });
  const limited = `ulimit -n ${files}; exec "$0" "$@"`;
  await run('bash', ['-c', limited, process.execPath, program, 'up'], { env });
  await sbx('launch', 'far', '--name', 'worker');
  const info = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'));
  const { pid, socket } = info as { pid: number; socket: string };
  return {
    pid,
    socket,
    port: Number(readFileSync(join(home, 'mcp-port'), 'utf8')),
    ask: (path, body) => ask(socket, path, body),
    memory: () => {
      const [, kib = '0'] =
        /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return Number(kib) / 1024;
    },
    close: async () => {
      // A daemon that is deaf is killed by `down`; agents that cannot be stopped go with their
      // server.
      await sbx('stop', 'worker').catch(() => undefined);
      await sbx('down').catch(() => process.kill(pid, 'SIGKILL'));
      try {
        execFileSync('tmux', ['-S', join(home, 'tmux.sock'), 'kill-server'], { stdio: 'ignore' });
      } catch {
        // It is gone already.
      }
    },
  };
}

const answerMs = 2000;

/** One request on a daemon's socket. */
export function ask(
  socketPath: string,
  path: string,
  body?: unknown,
  limitMs = answerMs,
): ReturnType<Stage['ask']> {
  const startedAt = performance.now();
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ socketPath, path, method, agent: false, signal: AbortSignal.timeout(limitMs) },
      headers: { 'content-type': 'application/json' },
    });
    asked.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        if ((response.statusCode ?? 500) >= 400) reject(new Error(text));
        else resolve({ text, ms: performance.now() - startedAt });
      });
    });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
