import { expect, test } from 'vitest';
import type { Agent } from '../agents/agent.ts';
import type { Epoch } from '../agents/epoch.ts';
import type { Provider } from '../providers/provider.ts';
import { chooseConversation } from './choose-conversation.ts';
import type { FleetParts } from './parts.ts';
import type { Roster } from './roster.ts';

test('rule 37: where /clear is told by nothing, the conversation that it led to is resumed', async () => {
  expect(await choose(async () => 'after')).toEqual({ resume: 'after', isUnsaved: false });
});

test('rule 41: where that cannot be read, the one it is known by is resumed', async () => {
  const fails = () => Promise.reject(Object.assign(new Error('EMFILE'), { code: 'EMFILE' }));
  expect(await choose(fails)).toEqual({ resume: 'before', isUnsaved: false });
});

/** Of a saved conversation neither the ledger nor the life before is asked. */
function choose(findLast: NonNullable<Provider['findLast']>) {
  const provider = { findSaved: async () => 'saved', findLast } as unknown as Provider;
  return chooseConversation(
    {} as FleetParts,
    { remains: () => undefined } as unknown as Roster,
    {
      agent: { id: 'agt_1', cwd: '/srv/app' } as Agent,
      epoch: { conversation: 'before' } as Epoch,
    },
    { provider, env: {} },
  );
}
