import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
});
