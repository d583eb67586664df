import type { AgentStatus } from '../../src/agents/agent.ts';
import type { Situation } from '../../src/delivery/pick-route.ts';
import type { RecipientView, Ways } from '../../src/delivery/recipient.ts';

/** What a test says of a situation; the rest of it is in nobody's way. */
export type SituationWish = Omit<Partial<Situation>, 'view'> & { view?: Partial<RecipientView> };

/** An agent with that status, an empty composer, and one plain message for it. */
export function describeSituation(
  status: AgentStatus,
  ways: Ways,
  { view, ...more }: SituationWish = {},
): Situation {
  return {
    view: { status, composer: 'empty', ...view },
    ways,
    nativeBlocked: undefined,
    penBlocked: undefined,
    heldOn: undefined,
    isUrgent: false,
    isTakenOver: false,
    hold: undefined,
    timed: { head: false, urgent: false },
    backOffUntil: 0,
    isFailing: false,
    now: 1_000_000,
    ...more,
  };
}

const base = { pastes: 'message', hasWaitingHook: false } as const;

/** The sorts of CLIs that there are, by how messages get in. */
export const waysOf = {
  hook: {
    ...base,
    routes: ['native', 'turn-boundary', 'mid-turn', 'pull'],
    provable: ['native', 'turn-boundary', 'mid-turn'],
    nativeDuring: [],
    hasWaitingHook: true,
  },
  queue: {
    ...base,
    routes: ['native', 'pull'],
    provable: ['native'],
    nativeDuring: ['processing', 'waiting'],
  },
  join: { ...base, routes: ['native'], provable: ['native'], nativeDuring: ['processing'] },
  paste: {
    ...base,
    routes: ['turn-boundary', 'paste', 'pull'],
    provable: ['turn-boundary', 'paste'],
    nativeDuring: [],
  },
  told: { ...base, routes: ['paste', 'pull'], provable: [], nativeDuring: [], pastes: 'notice' },
  pull: { ...base, routes: ['pull'], provable: [], nativeDuring: [] },
} as const satisfies Record<string, Ways>;

export type WayName = keyof typeof waysOf;
