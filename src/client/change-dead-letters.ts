import type { FaultView } from '../protocol/daemon.ts';
import type { MessageView } from '../protocol/messages.ts';
import { Fault } from '../shared/fault.ts';
import type { DirectClient } from './client.ts';

/** Asked for at once; what comes together shares a commit. */
const atOnce = 100;
const pageSize = 1000;

export interface Changed {
  /** As the caller named it, else its full id. */
  readonly id: string;
  readonly message: MessageView;
}

export interface FailedChange {
  readonly id: string;
  readonly error: FaultView['error'];
}

/**
 * Retries or discards several dead letters; with no ids, all of them. One that fails stops no
 * other. A bug is thrown at once: it would be the same for the next one.
 */
export async function changeDeadLetters<C extends Pick<DirectClient, 'listDeadLetters'>>(
  client: C,
  ids: readonly string[],
  apply: (client: C, id: string) => Promise<MessageView>,
): Promise<{ readonly changed: readonly Changed[]; readonly failed: readonly FailedChange[] }> {
  const changed: Changed[] = [];
  const failed: FailedChange[] = [];
  const change = async (id: string): Promise<void> => {
    try {
      changed.push({ id, message: await apply(client, id) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { code, message, next } = error;
      failed.push({ id, error: { code, message, next } });
    }
  };
  const tried = new Set<string>();
  for (;;) {
    // A message that is retried may die again at once: each is tried a single time.
    const found = ids.length > 0 ? ids : await listUntried(client, tried);
    const next = [...new Set(found)].filter((id) => !tried.has(id));
    if (next.length === 0) return { changed, failed };
    for (let from = 0; from < next.length; from += atOnce) {
      await Promise.all(next.slice(from, from + atOnce).map(change));
    }
    for (const id of next) tried.add(id);
  }
}

/** Those that could not be changed stand at the front of the list for good. */
async function listUntried(
  client: Pick<DirectClient, 'listDeadLetters'>,
  tried: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { messages } = await client.listDeadLetters({ max: pageSize + tried.size });
  return messages.map(({ id }) => id);
}
