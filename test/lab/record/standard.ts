import type { Scenario } from './scenario.ts';
import { draftScenarios } from './standard-drafts.ts';
import { endScenarios } from './standard-ends.ts';
import { turnScenarios } from './standard-turns.ts';
import type { Traits } from './traits.ts';

/** The states that every CLI has. */
export function standardScenarios(traits: Traits): readonly Scenario[] {
  return [
    ...restScenarios(),
    ...draftScenarios(traits),
    ...turnScenarios(traits),
    ...endScenarios(traits),
  ];
}

function restScenarios(): readonly Scenario[] {
  return [
    {
      // Before anything is drawn; a screen cannot say more about that than that it does not know.
      name: 'blank',
      expect: { status: 'starting', composer: 'unknown' },
      frames: 1,
      drive: async () => undefined,
    },
    {
      name: 'started',
      expect: { status: 'idle', composer: 'empty' },
      drive: (session) => session.ready(),
    },
  ];
}
