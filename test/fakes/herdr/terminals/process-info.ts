import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { Json } from '../wire/json.ts';
import type { Terminal } from './terminals.ts';

/** What runs in the foreground of a terminal: the group's leader first. Only Linux tells this in files. */
export function processInfo(terminal: Terminal): Json {
  const group = foregroundGroup(terminal.pid);
  const found = group === undefined ? [] : listGroup(group);
  return {
    shell_pid: terminal.pid,
    ...(group === undefined ? {} : { foreground_process_group_id: group }),
    tty: terminal.tty,
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

function order(pid: number, leader: number | undefined): number {
  return pid === leader ? 0 : pid;
}

function describe(pid: number): Json {
  const argv = argvOf(pid);
  const cwd = linkOf(`/proc/${pid}/cwd`);
  return {
    pid,
    name: read(`/proc/${pid}/comm`).trim() || basename(argv[0] ?? ''),
    ...(argv[0] === undefined ? {} : { argv0: argv[0], argv, cmdline: argv.join(' ') }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function listGroup(group: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => Number(statOf(pid)?.[2]) === group);
}

/** The fields after the name, which may itself hold spaces and parentheses: state, parent, group, session, tty, foreground. */
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

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
