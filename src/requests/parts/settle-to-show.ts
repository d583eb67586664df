import type { Agent } from '../../agents/agent.ts';
import { settleInboxes } from '../../fleet/settle-inboxes.ts';
import { errorFacts } from '../../shared/log.ts';
import { reportBug } from '../../shared/report-bug.ts';
import type { Context } from '../context.ts';

/**
 * Settles what is due in these inboxes before they are shown. On a full disk, or while others write
 * for long, the agents are shown as they stand: looking must not fail for what is due.
 */
export async function settleToShow(
  context: Context,
  agents: readonly Pick<Agent, 'id'>[],
): Promise<void> {
  try {
    await settleInboxes(context, agents);
  } catch (error) {
    reportBug('settling what is due before it is shown', error);
    context.log?.warn(errorFacts(error), 'what is due in an inbox could not be settled');
  }
}
