import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentView } from '../../src/protocol/agents.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import type { Station } from '../terminals/station.ts';

/**
 * A program that the daemon takes for Claude Code: it has its version, is given its hooks, and
 * sleeps.
 */
export interface FakeClaude {
  /** As its hooks get it: with the agent's token. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly conversation: string;
  readonly id: string;
}

interface FakeClaudeWish {
  readonly name?: string;
  readonly parent?: string;
  /** The backend it is to live in; else the daemon's own. */
  readonly terminal?: string;
}

export async function launchFakeClaude(
  station: Pick<Station, 'ask'>,
  folder: string,
  wish: FakeClaudeWish = {},
): Promise<FakeClaude> {
  const { name = 'claude' } = wish;
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
    ...wish,
    name,
    notify: true,
    cwd: folder,
    extraArgs: [],
    env: { PATH: `${folder}:${PATH}`, HOME: folder },
    extraEnv: {},
  });
  const { id, conversation = '' } = await station.ask<AgentView>('GET', `/agents/${name}`);
  const text = await waitUntil('the program', () => readIfThere(told));
  return { env: Object.fromEntries(parse(text)), cwd: folder, conversation, id };
}

/** As the CLI runs it. Milliseconds from its start to its end. */
export async function runHook(
  command: string,
  { env }: FakeClaude,
  payload: string,
): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('sh', ['-c', command], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(payload);
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  const ms = performance.now() - startedAt;
  if (code !== 0 || printed !== '') throw new Error(`a hook ended with ${code}: ${printed}`);
  return ms;
}

/** The payload of a Stop of Claude Code 2.1.325; each of another turn. */
export function writeStop({ conversation, cwd }: FakeClaude, answer: string): string {
  return JSON.stringify({
    session_id: conversation,
    transcript_path: join(cwd, `${conversation}.jsonl`),
    cwd,
    prompt_id: randomUUID(),
    permission_mode: 'default',
    effort: { level: 'medium' },
    hook_event_name: 'Stop',
    stop_hook_active: false,
    last_assistant_message: answer,
    background_tasks: [],
    session_crons: [],
  });
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
