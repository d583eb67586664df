import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { tempHome } from '../../../test/support/home.ts';
import { findFolders } from '../../config/folders.ts';
import { type DaemonInfo, protocolVersion } from '../../protocol/daemon.ts';
import { readStartTime, systemHost } from '../../shared/processes.ts';
import { DaemonLink } from './daemon-link.ts';
import { awaitAnswer } from './tasks.ts';

/**
 * A home in which no daemon can be started, since its log cannot be written. That stays so: else a
 * request that tries again meanwhile would start a real one, which nobody ends.
 */
function openClosed() {
  const home = tempHome();
  writeFileSync(join(home, 'logs'), '');
  const env = { PATH: process.env['PATH'], SIGNALBOX_HOME: home };
  return { begin: () => listen(home), link: new DaemonLink(findFolders(env), env) };
}

/** Somebody else has started one: this process, which has an answer to everything. */
async function listen(home: string): Promise<void> {
  const socket = join(home, 'run', 'daemon.sock');
  mkdirSync(join(home, 'run'), { mode: 0o700, recursive: true });
  const server = createServer((_, response) => response.end('{"outcome":"answered"}'));
  await new Promise<void>((done) => server.listen(socket, done));
  chmodSync(socket, 0o600);
  onTestFinished(() => void server.close());
  const info: DaemonInfo = {
    ...{ pid: process.pid, startedAt: readStartTime(process.pid) ?? '', socket },
    ...{ host: systemHost.identity.host, protocol: protocolVersion, terminalBackend: 'tmux' },
    ...{ since: new Date(0).toISOString(), version: packageJson.version },
  };
  writeFileSync(join(home, 'daemon.json'), JSON.stringify(info), { mode: 0o600 });
}

test('a start that failed is tried again with the next request', async () => {
  const { begin, link } = openClosed();
  await expect(link.start()).rejects.toMatchObject({ code: 'daemon-unavailable' });
  await begin();
  expect(await link.start()).toMatchObject({ isNew: false });
});

test('rule 31: a wait for an answer goes on when a daemon can be had again', async () => {
  const { begin, link } = openClosed();
  await expect(link.start()).rejects.toMatchObject({ code: 'daemon-unavailable' });
  const waiting = awaitAnswer(link, 'msg_1', 60_000);
  await begin();
  expect(await waiting).toMatchObject({ outcome: 'answered' });
});
