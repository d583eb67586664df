import type { Finding, HookOffer } from '../providers/way-in.ts';
import type { LedgerTransaction } from '../store/ledger.ts';
import { reserveBlock } from './budgets.ts';
import { type Parcel, type ParcelWish, pack } from './deliver.ts';
import { askEvidence } from './follow-evidence.ts';
import type { DeliveryParts } from './parts.ts';
import { readOpen } from './read-open.ts';
import type { Recipient } from './recipient.ts';

/**
 * What a synchronous hook is to print, claimed, or undefined: an empty inbox costs one read and not
 * one write (rule 20).
 */
export async function answerHook(
  parts: DeliveryParts,
  recipient: Recipient,
  offer: AskedOffer,
): Promise<Parcel | undefined> {
  const now = parts.surroundings.clock.now();
  const urgentOnly = offer.route === 'mid-turn';
  const found = await parts.ledger.read(async (tx) => {
    const { waking, urgent, prompt } = await tx.messages.outline(recipient.agent, now);
    if (!(urgentOnly ? urgent : waking)) return 'nothing';
    // It goes in first, as a prompt, once the agent rests (rule 51b).
    if (prompt && !urgentOnly && offer.holdsPrompts) return 'nothing';
    return !urgentOnly && (await isKeepingOthers(tx, recipient, none)) ? 'behind others' : 'free';
  });
  if (found === 'nothing' || offer.gone?.aborted) return undefined;
  const recorded = found === 'free' ? none : await findRecordedWakes(parts, recipient);
  if (found !== 'free' && recorded.size === 0) return undefined;
  return pack(parts, recipient, wishFor(parts, recipient, offer, recorded));
}

const none: ReadonlySet<number> = new Set();

interface AskedOffer extends HookOffer {
  readonly hasRested: boolean;
  /** A prompt may still wait for a way that keeps its standing. */
  readonly holdsPrompts: boolean;
  /** Nobody is there to print it any more: asked once more in the transaction that takes. */
  readonly gone?: AbortSignal | undefined;
}

function wishFor(
  parts: DeliveryParts,
  recipient: Recipient,
  offer: AskedOffer,
  recorded: ReadonlySet<number>,
): ParcelWish {
  const isThere = (): boolean => offer.gone?.aborted !== true;
  if (offer.route === 'mid-turn')
    return { route: 'mid-turn', limit: 'urgent', reserve: async () => isThere() };
  const { agent, ways } = recipient;
  const { limits, surroundings } = parts;
  const limit = Math.min(limits.blocks, ways.maxBlocks ?? Number.POSITIVE_INFINITY);
  const now = surroundings.clock.now();
  const isFresh = !offer.isContinued || offer.hasRested;
  return {
    route: 'turn-boundary',
    leavesPrompts: offer.holdsPrompts,
    // Asked once more in the transaction that takes: another route may have ended its act in
    // between.
    reserve: async (tx) =>
      isThere() &&
      !(await isKeepingOthers(tx, recipient, recorded)) &&
      (await reserveBlock(tx, agent, { limit, now, isFresh })),
  };
}

/**
 * Rule 15: what the agent keeps in a queue of its own comes first, on the route it is on. That is
 * what it was given while it worked, and what was to wake it: a turn may have begun just before.
 */
async function isKeepingOthers(
  tx: LedgerTransaction,
  { agent, epoch }: Recipient,
  recorded: ReadonlySet<number>,
): Promise<boolean> {
  for (const claim of await tx.claims.listUnproven(agent)) {
    const isKept = claim.isBehindTurn || claim.route === 'native';
    if (claim.epoch !== epoch || !claim.provable || !isKept || recorded.has(claim.token)) continue;
    const carried = await tx.claims.listCarried(claim, 'injected');
    // A pointer was read already; only its body is still to be asked for (rule 13).
    if (carried.some(({ inContext }) => inContext !== true)) return true;
  }
  return false;
}

/**
 * What a waiting hook was given, and the CLI has recorded: it has begun with it, and this boundary
 * may be that turn's own. The records are asked now: the last look at them may be older than the
 * wake, and behind a person's prompt it still stands.
 */
async function findRecordedWakes(
  parts: DeliveryParts,
  recipient: Recipient,
): Promise<ReadonlySet<number>> {
  if (!recipient.ways.hasWaitingHook) return none;
  const open = await readOpen(parts, recipient);
  const wakes = open.filter(({ claim, isLive }) => isLive && claim.route === 'native');
  const traces = wakes.map(({ trace }) => trace);
  const findings = await askEvidence(parts, recipient.evidence, traces);
  // Where records cannot be read, nothing waits behind it (rule 50).
  const isRecorded = ({ found, isUnrecognised }: Finding) =>
    found === 'landed' || found === 'seen' || isUnrecognised === true;
  const recorded = wakes.filter((_, i) => {
    const finding = findings[i];
    return finding !== undefined && isRecorded(finding);
  });
  return new Set(recorded.map(({ claim }) => claim.token));
}
