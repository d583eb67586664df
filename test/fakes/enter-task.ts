import type { Agent } from '../../src/agents/agent.ts';
import { accept } from '../../src/delivery/accept.ts';
import { claim, recordInjected } from '../../src/delivery/claim.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { FakeHosts } from './host.ts';

interface Given {
  readonly ledger: MemoryLedger;
  readonly clock: Clock;
  readonly child: Agent;
  readonly parent: Agent;
}

/**
 * A task that is given, and in the conversation of whoever it is for; `isBehindTurn`: it went in
 * while a turn was under way.
 */
export async function enterTask(given: Given, isBehindTurn = false): Promise<string> {
  const { task, taken } = await carryTask(given, isBehindTurn);
  await taken();
  return task;
}

/** A task that is just going in; `taken` writes down that it is in. */
export async function carryTask(
  { ledger, clock, child, parent }: Given,
  isBehindTurn = false,
): Promise<{ readonly task: string; readonly taken: () => Promise<unknown> }> {
  const draft = { kind: 'task', from: parent.id, to: child.id, body: 'work' } as const;
  const [accepted] = await accept(ledger, clock, [draft]);
  if (accepted?.outcome !== 'accepted') throw new Error('not accepted');
  const surroundings = { clock, host: new FakeHosts().start() };
  const wish = { recipient: child.id, epoch: 1, route: 'paste', provable: true } as const;
  const bounds = { count: 1, bytes: 1000, isBehindTurn };
  const claimed = await ledger.write((tx) => claim(tx, surroundings, { ...wish, ...bounds }));
  if (claimed.outcome !== 'claimed') throw new Error(claimed.outcome);
  const { token } = claimed.claim;
  const taken = () => ledger.write((tx) => recordInjected(tx, clock.now(), token, 'in'));
  return { task: accepted.message.id, taken };
}
