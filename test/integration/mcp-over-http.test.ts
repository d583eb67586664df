import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scriptedProvider } from '../../src/demo/scripted-provider.ts';
import { readEnvironment } from '../../src/shared/process-tree.ts';
import { readCall } from '../support/mcp.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

describe.runIf(hasTmux)('tools over HTTP', () => {
  test('a port is open while an agent runs whose profile asks for it, the same after a restart, and no longer', async () => {
    const station = await openStation();
    mkdirSync(join(station.home, 'profiles'));
    writeFileSync(
      join(station.home, 'profiles', 'far.md'),
      `---\nname: far\ndescription: over HTTP\nprovider: ${scriptedProvider}\ntoolsOver: http\n---\nWork.\n`,
    );
    await station.run(['up']);
    const portFile = join(station.home, 'mcp-port');
    expect(existsSync(portFile)).toBe(false);
    const launched = await station.run(['launch', 'far', '--name', 'worker']);
    expect(launched.stderr).toBe('');
    const url = `http://127.0.0.1:${readFileSync(portFile, 'utf8').trim()}/mcp`;
    const { pid } = await station.pane('worker');
    const token = readEnvironment(pid)?.['SIGNALBOX_TOKEN'];
    const list = async () => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'list_agents' },
        }),
      });
      return readCall(await response.text()).text;
    };
    expect(await list()).toMatch(/^worker \(you\)/m);
    await station.killDaemon();
    await expect(fetch(url)).rejects.toThrow();
    await station.run(['up']);
    expect(await list()).toMatch(/^worker \(you\)/m);
    await station.run(['stop', 'worker']);
    await waitUntil('the end of the port', () =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    );
  });

  test('a program that took the port while no daemon ran can use no token that it was sent', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    addProfile(station.home, 'far', 'toolsOver: http\n');
    addProfile(station.home, 'near', '');
    for (const name of ['far', 'near']) {
      const launched = await station.run(['launch', name, '--name', name]);
      expect([name, launched.stderr]).toEqual([name, '']);
    }
    const tokenOf = async (name: string) =>
      readEnvironment((await station.pane(name)).pid)?.['SIGNALBOX_TOKEN'] ?? '';
    const readPort = () => Number(readFileSync(join(station.home, 'mcp-port'), 'utf8'));
    const old = readPort();
    const token = await tokenOf('far');
    expect(await statusOf(old, token)).toBe(200);
    // Its tools come over stdio: on a port it has nothing to ask.
    expect(await statusOf(old, await tokenOf('near'))).toBe(401);

    await station.killDaemon();
    const thief = await takePort(old);
    expect(await statusOf(old, token)).toBe(418);
    expect(await thief.heard()).toBe(`Bearer ${token}`);
    await station.run(['up']);
    expect((await station.run(['launch', 'far', '--name', 'second'])).stderr).toBe('');
    const port = readPort();
    expect(port).not.toBe(old);
    expect(await statusOf(port, await tokenOf('second'))).toBe(200);
    expect(await statusOf(port, token)).toBe(401);
    expect(await statusOf(port, await tokenOf('near'))).toBe(401);

    const said = `another program held port ${old} and may have read its token`;
    const shown = await station.ask('status', 'far');
    expect(String(shown['notes'])).toContain(said);
    expect(String(shown['notes'])).toContain('`signalbox restart far`');
    expect((await station.ask('status', 'second'))['notes'] ?? []).toEqual([]);
    const { attention } = JSON.parse((await station.run(['doctor', '--json'])).stdout);
    const found = attention.filter(({ what }: { what: string }) => what.includes(said));
    expect(found).toEqual([
      { what: expect.stringMatching(/^"far"/), next: expect.stringContaining('restart far') },
    ]);

    // The port is wanted back, so that the other program is told no more; what it was told stays
    // worthless, for later daemons, too.
    await thief.end();
    const isRefused = async () => (await statusOf(old, token)) === 401;
    await waitUntil('the old port to be ours', isRefused);
    await station.killDaemon();
    await station.run(['up']);
    await waitUntil('it to be ours again', isRefused);
    expect(await statusOf(port, await tokenOf('second'))).toBe(200);

    expect((await station.run(['restart', 'far'])).code).toBe(0);
    expect(await statusOf(port, await tokenOf('far'))).toBe(200);
    expect((await station.ask('status', 'far'))['notes'] ?? []).toEqual([]);
  });
});

function addProfile(home: string, name: string, more: string): void {
  mkdirSync(join(home, 'profiles'), { recursive: true });
  const head = `name: ${name}\ndescription: works\nprovider: ${scriptedProvider}\n${more}`;
  writeFileSync(join(home, 'profiles', `${name}.md`), `---\n${head}---\nWork.\n`);
}

/** Undefined: nobody listens. */
async function statusOf(port: number, token: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const url = `http://127.0.0.1:${port}/mcp`;
  const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
  await answer?.text();
  return answer?.status;
}

/** Another process, which listens there and prints the token of whoever calls. */
async function takePort(port: number) {
  const program = `require('node:http').createServer((asked, answer) => {
    console.log(asked.headers.authorization);
    answer.writeHead(418, { connection: 'close' }).end();
  }).listen(${port}, '127.0.0.1', () => console.log('ready'))`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'exit');
  const end = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(end);
  await waitUntil('it to have the port', () => lines.includes('ready'));
  return { heard: () => waitUntil('a token', () => lines[1]), end };
}
