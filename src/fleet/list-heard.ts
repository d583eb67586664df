import type { Epoch } from '../agents/epoch.ts';
import { reportBug } from '../shared/report-bug.ts';
import type { Ledger } from '../store/ledger.ts';
import type { TurnStop } from './end-turn.ts';

export type Heard = Pick<TurnStop, 'among' | 'below'>;

/**
 * To read its last words takes a while: what goes in meanwhile is none of that turn's (26), and it
 * waited for whoever answers (30).
 */
export async function listHeard(
  ledger: Ledger,
  { agent, epoch }: Pick<Epoch, 'agent' | 'epoch'>,
): Promise<Heard> {
  try {
    return await ledger.read(async (tx) => {
      const entered = await tx.claims.listEntered(agent, epoch);
      const below = await tx.debts.listOwedTo(agent);
      return { among: entered.map(({ token }) => token), below };
    });
  } catch (error) {
    reportBug('listing what a turn may have held', error);
    return {};
  }
}
