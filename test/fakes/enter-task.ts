import type { Agent } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import { claim, recordInjected } from '../../src/delivery/claim.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { FakeHosts } from './host.ts';

/**
 * A task that is given, and in the conversation of whoever it is for; `isBehindTurn`: it went in
 * while a turn was under way.
 */
export async function enterTask(
  given: {
    readonly ledger: MemoryLedger;
    readonly clock: Clock;
    readonly child: Agent;
    readonly parent: Agent;
  },
  isBehindTurn = false,
): Promise<string> {
  const { ledger, clock, child, parent } = given;
  const draft = { kind: 'task', from: parent.id, to: child.id, body: 'work' } as const;
  const [accepted] = await accept(ledger, clock, [draft]);
  if (accepted?.outcome !== 'accepted') throw new Error('not accepted');
  const surroundings = { clock, host: new FakeHosts().start() };
  await ledger.write(async (tx) => {
    const wish = { recipient: child.id, epoch: 1, route: 'paste', provable: true } as const;
    const bounds = { count: 1, bytes: 1000, isBehindTurn };
    const claimed = await claim(tx, surroundings, { ...wish, ...bounds });
    if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
    await recordInjected(tx, clock.now(), claimed.claim.token, 'in');
  });
  return accepted.message.id;
}
