import type { Epoch } from '../../agents/epoch.ts';
import { nothingOnRecord, type OnRecord, readOnRecord } from '../../delivery/on-record.ts';
import { readUntilTold } from '../../fleet/read-until-told.ts';
import type { Provider, WantedConversation } from '../../providers/provider.ts';
import type { Clock } from '../../shared/clock.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { Ledger } from '../../store/ledger.ts';

/**
 * What the CLI's records say about the tasks that its agent owes, read by a hook while no daemon
 * runs, or while one takes longer than a hook may wait: nobody may have heard that a person
 * interrupted the turn before (rule 9). Records that are late are waited for as the daemon does:
 * of the two the first counts.
 */
export async function readOwed(
  { ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock },
  provider: Pick<Provider, 'openEvidence'>,
  { agent, epoch, startedAt, providerVersion: version }: Epoch,
  place: WantedConversation,
): Promise<OnRecord> {
  // The records of a conversation are found without the rest.
  const unknown = { pid: process.ppid, runFolder: '' };
  const context = { ...place, ...unknown, agent, startedAt, version };
  const live = { current: () => context, changed: () => undefined };
  try {
    const evidence = provider.openEvidence?.(live);
    try {
      const asked = { agent, epoch, evidence };
      const read = () => readOnRecord({ ledger, log }, asked);
      const given = { ledger, clock, agent, among: undefined, read };
      return await readUntilTold(given, new AbortController().signal);
    } finally {
      evidence?.close();
    }
  } catch (error) {
    // The end itself matters more: what an earlier turn held stays owed.
    reportBug('reading the records of what is owed', error);
    return nothingOnRecord;
  }
}

/** Its errors are reported as bugs. */
const log = { info: () => undefined, warn: () => undefined };
