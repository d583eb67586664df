import type { Epoch } from '../agents/epoch.ts';
import { pause } from '../shared/clock.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { TurnStop } from './end-turn.ts';
import type { FleetParts } from './parts.ts';

export type Heard = Pick<TurnStop, 'among' | 'below'>;

/**
 * A text that began a turn is known to be in once its act is written down, which a short turn does
 * not wait for. Less than the patience of a hook's client (600 ms).
 */
const carryMs = 500;

/**
 * To read its last words takes a while: what goes in meanwhile is none of that turn's (26), and it
 * waited for whoever answers (30). What was just going in may be: it is waited for.
 */
export async function listHeard(
  { ledger, surroundings, delivery }: Pick<FleetParts, 'ledger' | 'surroundings' | 'delivery'>,
  { agent, epoch }: Pick<Epoch, 'agent' | 'epoch'>,
): Promise<Heard> {
  const carried = delivery.whenCarried(agent);
  try {
    const heard = await ledger.read(async (tx) => {
      const entered = await tx.claims.listEntered(agent, epoch);
      const below = await tx.debts.listOwedTo(agent);
      return { among: entered.map(({ token }) => token), below };
    });
    const over = new AbortController();
    await Promise.race([carried, pause(surroundings.clock, carryMs, over.signal)]);
    over.abort();
    return heard;
  } catch (error) {
    reportBug('listing what a turn may have held', error);
    return {};
  }
}
