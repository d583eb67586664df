import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentView } from '../../src/protocol/agents.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import type { Station } from '../terminals/station.ts';

/** A program that the daemon takes for Claude Code: it has its version, is given its hooks, and sleeps. */
export interface FakeClaude {
  /** As its hooks get it: with the agent's token. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly conversation: string;
}

export async function launchFakeClaude(station: Station, folder: string): Promise<FakeClaude> {
  mkdirSync(folder, { recursive: true });
  const told = join(folder, 'environment');
  const lines = [
    '#!/bin/sh',
    '[ "$1" = --version ] && echo \'2.1.325 (Claude Code)\' && exit',
    `env -0 >'${told}.new' && mv '${told}.new' '${told}'`,
    'exec sleep 3600',
  ];
  writeFileSync(join(folder, 'claude'), `${lines.join('\n')}\n`, { mode: 0o755 });
  const { PATH = '' } = process.env;
  await station.ask('POST', '/agents', {
    provider: 'claude-code',
    name: 'claude',
    notify: true,
    cwd: folder,
    extraArgs: [],
    env: { PATH: `${folder}:${PATH}`, HOME: folder },
    extraEnv: {},
  });
  const { conversation = '' } = await station.ask<AgentView>('GET', '/agents/claude');
  const text = await waitUntil('the program', () => readIfThere(told));
  return { env: Object.fromEntries(parse(text)), cwd: folder, conversation };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function parse(text: string): readonly [string, string][] {
  return text
    .split('\0')
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
}
