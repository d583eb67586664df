import { benchParts } from '../parts.ts';
import type { Part, Surroundings } from '../suite.ts';
import { benchBurst, benchKill } from './burst.ts';
import { refuseOwnSetup } from './consent.ts';
import type { PeerSurroundings } from './contest.ts';
import { findDeck } from './deck/find-deck.ts';
import { benchDialog } from './dialog.ts';
import { benchDraft } from './draft.ts';
import { benchIdleCost } from './idle-cost.ts';
import { benchIdleSend } from './idle-send.ts';
import { caoVersion, installCao } from './install-cao.ts';
import { benchTeamwork } from './team.ts';

const parts: Readonly<Record<string, (around: PeerSurroundings) => Promise<Part>>> = {
  'idle-send': benchIdleSend,
  draft: benchDraft,
  dialog: benchDialog,
  team: benchTeamwork,
  burst: benchBurst,
  kill: benchKill,
  'idle-cost': benchIdleCost,
};

export const peersUsage = `${Object.keys(parts).join(', ')}; names of CLIs choose between claude-code and codex`;

/**
 * signalbox beside CAO, an agent-deck that the reader names, and a script that types, with real
 * CLIs and one mock model.
 */
export async function* benchPeers(around: Surroundings): AsyncGenerator<Part> {
  await refuseOwnSetup();
  const cao = installCao(around.say);
  const left = 'why' in cao ? [`CAO ${caoVersion}: ${cao.why}`] : [];
  const deck = findDeck(process.env);
  const withPeers = Object.entries(parts).map(([name, bench]) => [
    name,
    async (built: Omit<PeerSurroundings, 'cao' | 'deck'>): Promise<Part> => {
      const part = await bench({ ...built, cao, ...(deck === undefined ? {} : { deck }) });
      return { ...part, failures: [...left, ...(part.failures ?? [])] };
    },
  ]);
  yield* benchParts(Object.fromEntries(withPeers), around);
}
