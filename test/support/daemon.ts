import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DaemonInfo } from '../../src/protocol/daemon.ts';
import { type Box, boxAt } from '../integration/fixtures/box.ts';
import { tempHome } from './home.ts';
import { waitUntil } from './wait-until.ts';

/** A state folder in which daemons run; when the test is over, none does, nor their tmux server. */
export interface DaemonBox extends Box {
  readonly info: () => DaemonInfo & { readonly socket: string };
  /** Of this state folder, by looking at every process there is. */
  readonly daemons: () => readonly number[];
  /** SIGKILL, and wait for its end. */
  readonly kill: (pid: number) => Promise<void>;
  readonly http: (wanted: Wanted) => Promise<HttpAnswer>;
}

export interface Wanted {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects, and fails where it is not there
  readonly json: () => any;
}

export function openDaemonBox(home = tempHome()): DaemonBox {
  const box = boxAt(home);
  const info = () => JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'));
  const daemons = () => listDaemons(home);
  const kill = async (pid: number): Promise<void> => {
    killIfThere(pid);
    await waitUntil(`the end of ${pid}`, () => !daemons().includes(pid));
  };
  onTestFinished(async () => {
    for (const pid of daemons()) await kill(pid);
    await endTmux(home);
  });
  return { ...box, info, daemons, kill, http: (wanted) => ask(info().socket, wanted) };
}

export function ask(socket: string, wanted: Wanted): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const request = openRequest(socket, wanted, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text, json: () => JSON.parse(text) });
      });
    });
    request.on('error', reject);
    request.end(wanted.body);
  });
}

export function openRequest(
  socketPath: string,
  { path, method = 'GET', headers = {} }: Wanted,
  answered: (response: IncomingMessage) => void,
) {
  return httpRequest({ socketPath, path, method, headers, agent: false }, answered);
}

function listDaemons(home: string): readonly number[] {
  return listProcesses((command, environment) => {
    return command.includes('daemon.cjs') && environment.includes(`SIGNALBOX_HOME=${home}`);
  });
}

/**
 * Killed one by one: a `kill-server` in the moment after the daemon was killed leaves a tmux 3.3a
 * server and its control client waiting for each other for ever.
 */
export async function endTmux(home: string): Promise<void> {
  const find = () => listProcesses((command) => /^tmux\b/.test(command) && command.includes(home));
  for (const pid of find()) killIfThere(pid);
  await waitUntil('the end of its tmux', () => find().length === 0);
}

/** It may have ended since it was found. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function listProcesses(
  isWanted: (command: string, environment: readonly string[]) => boolean,
): readonly number[] {
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      if (isWanted(command, environment)) found.push(Number(name));
    } catch {
      // It ended while we looked, or is somebody else's.
    }
  }
  return found;
}
