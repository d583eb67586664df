import { nameMessages } from '../../delivery/name-messages.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { DirectContext } from './context.ts';

/**
 * With the inbox in every name, also in the caller's own: so it stands in every list. What it is
 * for has been done by then, and must not fail because a name cannot be read: ids mean the same.
 */
export async function nameForPerson(
  { ledger }: DirectContext,
  ids: readonly string[],
): Promise<(id: string) => string> {
  try {
    return await ledger.read((tx) => nameMessages(tx, nobody, ids));
  } catch (error) {
    reportBug('naming messages', error);
    return (id) => id;
  }
}

const nobody = '';
