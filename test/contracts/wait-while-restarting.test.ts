import { expect, test } from 'vitest';
import { userAgentId } from '../../src/agents/agent.ts';
import { createCaller } from '../../src/agents/caller.ts';
import { accept } from '../../src/delivery/accept.ts';
import { endLifeIn } from '../../src/fleet/end-life.ts';
import { waitFor } from '../../src/requests/wait-for.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { systemHost } from '../../src/shared/processes.ts';
import { openWorld } from './fleet-world.ts';

test.each([
  ['restarted', 0, false],
  ['restarted', 120_000, true],
  ['stopped', 0, true],
] as const)(
  'rule 48: a wait on an agent that was %s %i ms ago ends at once: %s',
  async (cause, ago, isOver) => {
    const { ledger, launch } = await openWorld();
    const { id } = await launch('worker');
    const draft = { kind: 'message', from: userAgentId, to: id, body: 'x' } as const;
    const [accepted] = await accept(ledger, systemClock, [draft]);
    if (accepted?.outcome !== 'accepted') throw new Error('it was not accepted');
    const end = { at: systemClock.now() - ago, cause };
    await ledger.write((tx) => endLifeIn(tx, { agent: id, epoch: 1 }, end));
    const user = await ledger.read((tx) => tx.agents.find(userAgentId));
    if (!user) throw new Error('there is always the user');
    const context = {
      ...{ ledger, surroundings: { clock: systemClock, host: systemHost }, bodyLimit: 1000 },
      budgets: { wakes: 1, scripts: 1 },
      unwoken: async () => undefined,
      committed: async () => undefined,
    };
    const wish = { id: accepted.message.id, state: 'seen', timeoutMs: 1 } as const;
    const waiting = waitFor(context as never, createCaller(user, true), wish);
    if (isOver) await expect(waiting).rejects.toMatchObject({ code: 'agent-exited' });
    else expect(await waiting).toMatchObject({ reached: false, state: 'queued' });
  },
);
