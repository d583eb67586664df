import { existsSync, rmSync } from 'node:fs';
import { findDaemon } from '../client/socket/find-daemon.ts';
import { systemClock } from '../shared/clock.ts';
import { endTree, listTree, type ProcessRef } from '../shared/process-tree.ts';
import { readStartTime } from '../shared/processes.ts';
import { JournalReader } from './journal.ts';
import { findServer } from './tmux-by-hand.ts';

/** From SIGTERM to SIGKILL. Nothing of the demo is worth a longer farewell. */
const patienceMs = 300;

/**
 * Ends everything that runs in a demo's folder and removes the folder: the daemon first, so that
 * nothing is started any more, then the tmux server, then the agents' programs, which may outlive
 * their terminals. Looks again until nothing is found: a launch may have been under way. Returns
 * what could not be ended.
 */
export async function sweep(home: string): Promise<readonly number[]> {
  if (!existsSync(home)) return [];
  const find = createFinder(home);
  let left: readonly ProcessRef[] = [];
  for (let round = 0; round < 5; round++) {
    const daemon = findDaemon({ state: home, config: home });
    if (daemon) await endTree(() => living([daemon]), systemClock, 0);
    const server = await findServer(home);
    const found = [...find(), ...(server === undefined ? [] : toRefs(server))];
    if (found.length === 0) break;
    ({ left } = await endTree(
      () => unique([...living(found), ...find()]),
      systemClock,
      patienceMs,
    ));
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  return left.map(({ pid }) => pid);
}

/**
 * By what the programs wrote down of themselves, and on Linux by the folder in the environment of
 * everything else.
 */
function createFinder(home: string): () => readonly ProcessRef[] {
  const reader = new JournalReader(home);
  const started = reader
    .read()
    .flatMap((entry) =>
      entry.fact === 'started' ? [{ pid: entry.pid, startedAt: entry.startedAt }] : [],
    );
  reader.close();
  return () => unique([...living(started), ...listTree(undefined, [`SIGNALBOX_HOME=${home}`])]);
}

function toRefs(pid: number): readonly ProcessRef[] {
  const startedAt = readStartTime(pid);
  return startedAt === undefined ? [] : [{ pid, startedAt }];
}

function living(refs: readonly ProcessRef[]): readonly ProcessRef[] {
  return refs.filter(({ pid, startedAt }) => readStartTime(pid) === startedAt);
}

function unique(refs: readonly ProcessRef[]): readonly ProcessRef[] {
  return [...new Map(refs.map((ref) => [ref.pid, ref])).values()];
}
