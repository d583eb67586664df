import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findNestingMark } from '../../src/agents/nesting-mark.ts';
import { fullVariable } from './sweep.ts';

/**
 * Every process that a test starts inherits this variable: so the run can tell at its end whether
 * it left one behind.
 */
const marker = 'SIGNALBOX_TEST_RUN';

/** The second one is for `sweep`. */
const own = [marker, fullVariable];

/**
 * What ends by itself, such as a hook that writes to the ledger when no daemon answers it, may take
 * so long.
 */
const graceMs = 20_000;

export function setup(): () => Promise<void> {
  // Tests start the program that users start.
  execFileSync('node', ['scripts/build.mjs'], { stdio: 'inherit' });
  const run = randomUUID();
  process.env[marker] = run;
  // A person's own settings must not reach a test, nor a test the person's ledger.
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('SIGNALBOX_') && !own.includes(name)) delete process.env[name];
  }
  // Nor may a test that ends or removes everything look into the person's default home.
  const folders = mkdtempSync(join(tmpdir(), 'signalbox-none-'));
  for (const kind of ['CONFIG', 'STATE']) process.env[`XDG_${kind}_HOME`] = join(folders, kind);
  // What a command prints in the shell of a coding CLI is for its model: tests begin as a person
  // does.
  for (let mark = findNestingMark(process.env); mark; mark = findNestingMark(process.env)) {
    delete process.env[mark];
  }
  // Node gives Bash a socket as its standard input. Bash takes that for a remote login and runs the
  // person's .bashrc, unless this variable says that another shell started it.
  process.env['SHLVL'] = '2';
  return async () => {
    rmSync(folders, { recursive: true, force: true });
    const endsAtMs = performance.now() + graceMs;
    let left = listProcesses(`${marker}=${run}`);
    while (left.length > 0 && performance.now() < endsAtMs) {
      await delay(100);
      left = listProcesses(`${marker}=${run}`);
    }
    if (left.length > 0) throw new Error(`The tests left processes behind:\n${left.join('\n')}`);
  };
}

function listProcesses(variable: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  const found: string[] = [];
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable)) continue;
      // A zombie whose parent has not reaped it is gone for all purposes.
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      // Vitest's own workers end after the teardown.
      if (!command.includes('vitest')) found.push(`${pid} ${command}`);
    } catch {
      // It ended while we looked, or is somebody else's.
    }
  }
  return found;
}
