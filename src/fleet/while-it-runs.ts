import type { NativeWay } from '../delivery/recipient.ts';
import type { NativeRoute } from '../providers/way-in.ts';
import { readStartTime } from '../shared/processes.ts';
import type { Terminal } from '../terminals/terminal.ts';

/**
 * A helper such as Codex's app-server may outlive its agent by a moment, and takes messages
 * meanwhile that no terminal would show. So the agent's own process is looked at before each act.
 */
export function whileItRuns(
  native: NativeRoute,
  { pid, startedAt }: Pick<Terminal, 'pid' | 'startedAt'>,
): NativeWay {
  const hasEnded = (): boolean => {
    try {
      return startedAt !== '' && readStartTime(pid) !== startedAt;
    } catch {
      // We could not look (out of file descriptors, say): that does not prove that it has ended.
      return false;
    }
  };
  return {
    blocked: () => {
      if (hasEnded()) return { code: 'process-ended' };
      const why = native.blocked();
      return why === undefined ? undefined : { code: 'native-blocked', why };
    },
    inject: (injection) =>
      native.inject({
        ...injection,
        // Last: the agent may have ended while the ledger was asked.
        begin: async () => (await injection.begin()) && !hasEnded(),
      }),
    ...(native.release
      ? { release: async () => (hasEnded() ? undefined : native.release?.()) }
      : {}),
    ...(native.interrupt
      ? {
          interrupt: async () =>
            hasEnded()
              ? { outcome: 'refused', reason: 'its process has ended' }
              : ((await native.interrupt?.()) ?? { outcome: 'at-rest' }),
        }
      : {}),
    ...(native.withdraw
      ? { withdraw: async (trace) => (await native.withdraw?.(trace)) ?? 'unknown' }
      : {}),
    ...(native.lacks ? { lacks: () => native.lacks?.() } : {}),
    close: () => native.close(),
  };
}
