import type { Folders } from '../../config/folders.ts';
import { Fault } from '../../shared/fault.ts';
import { compareToOurs, judgeDaemon, readInfo } from '../socket/find-daemon.ts';

/**
 * Before the ledger is opened: to open it may be to migrate it, and an older daemon must not write
 * to a ledger whose form it does not know. Where no new one can be started, the ledger alone can
 * still be used.
 */
export async function replaceOlder(
  folders: Folders,
  env: NodeJS.ProcessEnv,
  tell: (sentence: string) => void,
): Promise<void> {
  const info = readInfo(folders);
  if (!info || compareToOurs(info) !== 'older' || judgeDaemon(info) !== 'alive') return;
  const { startDaemon } = await import('../socket/start-daemon.ts');
  try {
    await startDaemon(folders, env, tell);
  } catch (error) {
    const isLeft =
      error instanceof Fault && ['daemon-unavailable', 'timed-out'].includes(error.code);
    if (!isLeft) throw error;
    tell(`${error.message} ${error.next}`);
  }
}
