import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../wire/json.ts';
import type { Terminal } from './terminals.ts';

/**
 * What runs in the foreground of a terminal: the group's leader first. Only Linux tells this in
 * files.
 */
export function processInfo(terminal: Terminal): Json {
  const group = foregroundGroup(terminal.pid);
  const found = group === undefined ? [] : listGroup(group);
  return {
    shell_pid: terminal.pid,
    ...(group === undefined ? {} : { foreground_process_group_id: group }),
    foreground_processes: found.sort((a, b) => order(a, group) - order(b, group)).map(describe),
  };
}

export function foregroundGroup(pid: number): number | undefined {
  const group = Number(statOf(pid)?.[5]);
  return group > 0 ? group : undefined;
}

/** Its words as they were started, empty if it is gone. */
export function argvOf(pid: number): readonly string[] {
  return read(`/proc/${pid}/cmdline`).split('\0').slice(0, -1);
}

export function environmentOf(pid: number): Readonly<Record<string, string>> {
  const pairs = read(`/proc/${pid}/environ`).split('\0').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => [pair.replace(/=.*$/s, ''), pair.replace(/^[^=]*=/, '')]),
  );
}

const graceMs = 250;

/**
 * Every process of the session that the pane's own process leads: a hangup, a request, and then the
 * end.
 */
export async function endSession(leader: number): Promise<void> {
  const members = listPids().filter((pid) => Number(statOf(pid)?.[3]) === leader);
  // One that was started just now may not lead a session yet.
  const pids = [...new Set([leader, ...members])];
  for (const signal of ['SIGHUP', 'SIGTERM', 'SIGKILL'] as const) {
    for (const pid of pids) send(pid, signal);
    const deadline = performance.now() + graceMs;
    while (performance.now() < deadline) {
      if (!pids.some(isRunning)) return;
      await delay(10);
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function isRunning(pid: number): boolean {
  const state = statOf(pid)?.[0];
  return state !== undefined && state !== 'Z';
}

function order(pid: number, leader: number | undefined): number {
  return pid === leader ? 0 : pid;
}

function describe(pid: number): Json {
  const argv = argvOf(pid);
  const cwd = folderOf(pid);
  return {
    pid,
    name: read(`/proc/${pid}/comm`).trim() || basename(argv[0] ?? ''),
    ...(argv[0] === undefined ? {} : { argv0: argv[0], argv, cmdline: argv.join(' ') }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

/** Its processes, in no order. */
function listGroup(group: number): number[] {
  return listPids().filter((pid) => Number(statOf(pid)?.[2]) === group);
}

/** The processes of every group. For fifty panes, one group at a time would keep a core busy. */
export function listGroups(): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const pid of listPids()) {
    const group = Number(statOf(pid)?.[2]);
    groups.set(group, [...(groups.get(group) ?? []), pid]);
  }
  return groups;
}

function listPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * The fields after the name, which may itself hold spaces and parentheses: state, parent, group,
 * session, tty, foreground.
 */
function statOf(pid: number): readonly string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  return text === '' ? undefined : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // It ended while we looked.
  }
}

/** Where a process is. */
export function folderOf(pid: number | undefined): string | undefined {
  try {
    return pid === undefined ? undefined : readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
