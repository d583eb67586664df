import { appServerSocket } from './app-server.ts';
import { LiveThreads, type ThreadsListener } from './live-threads.ts';

export interface ThreadsSeat {
  readonly threads: LiveThreads;
  leave(): void;
}

/**
 * The threads of one life's app-server, over one connection for all who ask: the state, the way in
 * and the evidence of one agent each take a seat, and the connection ends with the last of them.
 */
export function joinThreads(
  life: { readonly runFolder: string; readonly startedAt: number },
  listener: ThreadsListener,
): ThreadsSeat {
  const path = appServerSocket(life.runFolder);
  const shared = open.get(path) ?? new LiveThreads(path, life.startedAt);
  open.set(path, shared);
  shared.seat(listener);
  return {
    threads: shared,
    leave: () => {
      if (shared.unseat(listener) > 0 || open.get(path) !== shared) return;
      open.delete(path);
      shared.close();
    },
  };
}

const open = new Map<string, LiveThreads>();
