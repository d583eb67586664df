import { hashToken } from '../../agents/token.ts';
import { isPlainObject } from '../../shared/json.ts';
import type { WantedPoll } from '../fleet.ts';
import type { FleetParts } from '../parts.ts';
import type { Roster } from '../roster.ts';
import type { HeldAnswer } from './held-hooks.ts';

/**
 * One poll of a hook that waits for a decision. `unseen`: it comes again. `dismissed`: it ends
 * without a word, and the dialog stays with the person; so of a life that is over, and of what is
 * no question that could be answered here.
 */
export async function holdQuestion(
  { ledger }: Pick<FleetParts, 'ledger'>,
  roster: Roster,
  token: string,
  { cli, hook, body }: WantedPoll,
  signal: AbortSignal,
): Promise<HeldAnswer | 'unseen'> {
  const epoch = await ledger.read((tx) => tx.epochs.findByTokenHash(hashToken(token)));
  if (!epoch || epoch.endedAt !== undefined || !isPlainObject(body)) return 'dismissed';
  const running = roster.get(epoch.agent);
  if (running?.life.epoch.epoch !== epoch.epoch) return 'unseen';
  const event = String(body['hook_event_name'] ?? 'PermissionRequest');
  return running.questions.hold({ cli, hook, call: { event, body } }, signal);
}
