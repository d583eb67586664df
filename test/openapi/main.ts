import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { installSchemathesis } from './install.ts';

/**
 * Lets schemathesis ask a real daemon what its own OpenAPI document allows and forbids: first as a
 * script of the user, then as an agent, for the tools and the hooks. Where Python or PyPI is
 * missing it says so, and ends with 0.
 */

/** Those that end or outlive a run: the daemon, its agents, and streams without an end. */
const leftOut = ['shutDown', 'removeAgent', 'followEvents', 'followOutput'];
const ofAgents = '^/(hooks|mcp)';

const installed = installSchemathesis();
if ('why' in installed) say(`LEFT OUT: schemathesis did not run: ${installed.why}`);
else process.exitCode = await withDaemon((run, token) => judge({ ...run, ...installed }, token));

interface Run {
  readonly program: string;
  readonly url: string;
  readonly home: string;
}

async function judge(run: Run, token: string | undefined): Promise<number> {
  const without = leftOut.flatMap((id) => ['--exclude-operation-id', id]);
  const asUser = await ask(run, [...without, '--exclude-path-regex', ofAgents]);
  if (token === undefined) {
    say('LEFT OUT: the tools and hooks, since there is no tmux for an agent with a token');
    return asUser;
  }
  // In lower case on purpose.
  const header = ['--header', `Authorization: bearer ${token}`];
  return asUser || ask(run, [...header, '--include-path-regex', ofAgents]);
}

async function ask({ program, url, home }: Run, args: readonly string[]): Promise<number> {
  for (const file of ['schemathesis.toml', 'hooks.py']) {
    copyFileSync(resolve('test/openapi', file), join(home, file));
  }
  const words = [
    '--config-file',
    'schemathesis.toml',
    'run',
    `${url}/openapi.json`,
    '--no-color',
    ...args,
  ];
  // In the home that is removed: it leaves notes of its own where it runs.
  const child = spawn(program, words, { cwd: home, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function withDaemon(
  act: (run: Pick<Run, 'url' | 'home'>, token: string | undefined) => Promise<number>,
): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-openapi-'));
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('SIGNALBOX_'));
  const env = { ...Object.fromEntries(own), SIGNALBOX_HOME: home };
  const run = (...args: string[]): void => {
    const words = [resolve('dist/signalbox.cjs'), ...args];
    const ran = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`signalbox ${args.join(' ')}: ${ran.stderr}`);
  };
  try {
    run('agents', 'add', 'worker');
    run('send', 'worker', 'hello');
    run('up');
    const token = hasTmux() ? await launchAgent(home, run) : undefined;
    const { socket } = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'));
    return await withRelay(socket, (url) => act({ url, home }, token));
  } finally {
    if (hasTmux()) run('stop', 'runner');
    run('down');
    spawnSync('tmux', ['-S', join(home, 'tmux.sock'), 'kill-server']);
    rmSync(home, { recursive: true, force: true });
  }
}

function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0;
}

/** An agent that does nothing but tell its token. */
async function launchAgent(home: string, run: (...args: string[]) => void): Promise<string> {
  const file = join(home, 'token');
  const script = `echo $SIGNALBOX_TOKEN > ${file}.new && mv ${file}.new ${file}; exec cat`;
  run('launch', 'generic', '--name', 'runner', '--cwd', home, '--', 'sh', '-c', script);
  while (!existsSync(file)) await delay(20);
  return readFileSync(file, 'utf8').trim();
}

/** schemathesis speaks TCP alone. */
async function withRelay<T>(socket: string, act: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((client) => {
    const daemon = connect(socket);
    client.pipe(daemon).on('error', () => client.destroy());
    daemon.pipe(client).on('error', () => daemon.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
