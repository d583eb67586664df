import type { HookOffer } from '../providers/way-in.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { reserveBlock } from './budgets.ts';
import { type Parcel, type ParcelWish, pack } from './deliver.ts';
import type { DeliveryParts } from './parts.ts';
import type { Recipient } from './recipient.ts';

/** What a synchronous hook is to print, claimed, or undefined: an empty inbox costs one read and not one write (rule 20). */
export async function answerHook(
  parts: DeliveryParts,
  recipient: Recipient,
  offer: HookOffer & { readonly hasRested: boolean },
): Promise<Parcel | undefined> {
  const now = parts.surroundings.clock.now();
  const urgentOnly = offer.route === 'mid-turn';
  const isWaiting = await parts.ledger.read(async (tx) => {
    const { waking, urgent } = await tx.messages.outline(recipient.agent, now);
    if (!(urgentOnly ? urgent : waking)) return false;
    return urgentOnly || !(await isKeepingOthers(tx, recipient));
  });
  return isWaiting ? pack(parts, recipient, wishFor(parts, recipient, offer)) : undefined;
}

function wishFor(
  parts: DeliveryParts,
  recipient: Recipient,
  offer: HookOffer & { readonly hasRested: boolean },
): ParcelWish {
  if (offer.route === 'mid-turn') return { route: 'mid-turn', limit: 'urgent' };
  const { agent, ways } = recipient;
  const { limits, surroundings } = parts;
  const limit = Math.min(limits.blocks, ways.maxBlocks ?? Number.POSITIVE_INFINITY);
  const now = surroundings.clock.now();
  const isFresh = !offer.isContinued || offer.hasRested;
  return {
    route: 'turn-boundary',
    // Asked once more in the transaction that takes: another route may have ended its act in between.
    reserve: async (tx) =>
      !(await isKeepingOthers(tx, recipient)) &&
      (await reserveBlock(tx, agent, { limit, now, isFresh })),
  };
}

/**
 * Rule 15: what the agent keeps in a queue of its own comes first, on the route it is on. That is what it was given while it
 * worked, and what was to wake it: a turn may have begun just before.
 */
async function isKeepingOthers(
  tx: LedgerTransaction,
  { agent, epoch, ways }: Recipient,
): Promise<boolean> {
  for (const claim of await tx.claims.listUnproven(agent)) {
    const isKept = claim.isBehindTurn || (claim.route === 'native' && !ways.hasWaitingHook);
    if (claim.epoch !== epoch || !claim.provable || !isKept) continue;
    const carried = await tx.claims.listCarried(claim, 'injected');
    // A pointer was read already; only its body is still to be asked for (rule 13).
    if (carried.some(({ inContext }) => inContext !== true)) return true;
  }
  return false;
}
