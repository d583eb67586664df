import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { tempHome } from '../support/home.ts';
import { type Control, controlVariable, openControl, scriptedAgent } from './scripted-agent.ts';

/** What a person sees, and what tmux says of the program. */
export interface Sight {
  /** Rows without trailing blanks, up to the last one that is not empty. */
  readonly rows: readonly string[];
  readonly text: string;
  readonly title: string;
  readonly cursor: string;
  readonly isCursorShown: boolean;
  readonly isDead: boolean;
  readonly exitCode: string;
  readonly exitSignal: string;
}

/**
 * One scripted agent in a tmux server of the test's own, which is gone with all its programs when
 * the test ends.
 */
export interface Stage {
  readonly pid: number;
  look(): Sight;
  /** Screen and scrollback, wrapped rows joined. */
  readHistory(): string;
  /** Looks until it is so, and fails with the screen when it never is. */
  waitFor(what: string, isSo: (sight: Sight) => boolean): Promise<Sight>;
  type(text: string): void;
  press(...keys: readonly string[]): void;
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  closeTerminal(): void;
  openControl(): Promise<Control>;
}

export interface StageOptions {
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
}

const deadlineMs = 120_000;

export function openStage({ args = [], columns = 80, rows = 24 }: StageOptions = {}): Stage {
  const folder = tempHome('sbx-stage-');
  const socket = join(folder, 's');
  const control = join(folder, 'c');
  const tmux = (...command: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...command], { encoding: 'utf8' });
  // The first window holds the server: options that a window reads at its start can be set while it
  // is there.
  tmux('new-session', '-d', '-s', 'hold', 'sleep', '600');
  tmux('set', '-g', 'remain-on-exit', 'on', ';', 'set', '-g', 'history-limit', '20000');
  const where = ['-s', 'agent', '-x', String(columns), '-y', String(rows)];
  const told = ['-d', '-P', '-F', '#{pane_id} #{pane_pid} #{pid}'];
  const env = ['-e', `${controlVariable}=${control}`];
  const born = tmux('new-session', ...told, ...where, ...env, '--', ...scriptedAgent(...args));
  const [pane = '', ...pids] = born.trim().split(' ');
  const [pid = 0, server = 0] = pids.map(Number);
  onTestFinished(async () => {
    spawnSync('tmux', ['-S', socket, 'kill-server']);
    // It may have been told to survive a hangup.
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await waitUntil('the end of tmux and the agent', () => !isAlive(pid) && !isAlive(server));
  });

  const look = (): Sight => {
    const flags = ['display-message', '-p', '-t', pane, sightFormat];
    const screen = tmux(...flags, ';', 'capture-pane', '-p', '-t', pane);
    const sight = readSight(screen);
    // tmux 3.3a loses about every second SIGCHLD of a program in a pane (22 of 40 on Linux 6.18):
    // the pane is dead, the program a zombie and its exit code unknown, until the next SIGCHLD
    // comes. So we send one.
    if (sight.isDead && sight.exitCode + sight.exitSignal === '') process.kill(server, 'SIGCHLD');
    return sight;
  };
  return {
    pid,
    look,
    readHistory: () => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', pane),
    waitFor: async (what, isSo) => {
      let sight = look();
      await waitUntil(
        () => `${what}; it shows:\n${sight.text}\n${JSON.stringify(sight)}`,
        () => {
          sight = look();
          return isSo(sight);
        },
      );
      return sight;
    },
    type: (text) => void tmux('send-keys', '-t', pane, '-l', '--', text),
    press: (...keys) => void tmux('send-keys', '-t', pane, ...keys),
    paste: (text) =>
      void tmux('set-buffer', '--', text, ';', 'paste-buffer', '-p', '-r', '-d', '-t', pane),
    resize: (x, y) => void tmux('resize-window', '-t', 'agent', '-x', String(x), '-y', String(y)),
    closeTerminal: () => void tmux('kill-pane', '-t', pane),
    openControl: async () => {
      const way = await openControl(control, deadlineMs);
      onTestFinished(() => way.close());
      return way;
    },
  };
}

const sightFormat = [
  '#{cursor_x},#{cursor_y}',
  '#{cursor_flag}',
  '#{pane_dead}',
  '#{pane_dead_status}',
  '#{pane_dead_signal}',
  '#{pane_title}',
].join(' ');

function readSight(printed: string): Sight {
  const [line = '', ...rows] = printed.trimEnd().split('\n');
  const [cursor = '', flag, dead, exitCode = '', exitSignal = '', ...title] = line.split(' ');
  return {
    rows,
    text: rows.join('\n'),
    title: title.join(' '),
    cursor,
    isCursorShown: flag === '1',
    isDead: dead === '1',
    exitCode,
    exitSignal,
  };
}

/** Fails when it has not become so after a while that is long for anything but a fault. */
export async function waitUntil(what: string | (() => string), isSo: () => boolean): Promise<void> {
  const stepMs = 10;
  for (let left = deadlineMs; !isSo(); left -= stepMs) {
    if (left <= 0)
      throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
    await delay(stepMs);
  }
}

/** A zombie is gone for all purposes. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
