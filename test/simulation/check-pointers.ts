import { signalbox } from '../../src/agents/agent.ts';
import { isSettled } from '../../src/messages/transitions.ts';
import type { LedgerTransaction } from '../../src/store/ledger.ts';
import type { FakeAgent } from './agent.ts';
import { listOpen } from './calm.ts';
import type { World } from './world.ts';

/**
 * Two rests of 10 s, the turn between them and its proof; turns of a fake agent may take a minute.
 * Milliseconds.
 */
const enoughMs = 180_000;

/** Nobody is there. What was only named has its time to be named again (rule 13). */
export async function awaitReminders({ scheduler, isTight }: World): Promise<void> {
  if (isTight) return;
  const end = scheduler.monotonicMs + enoughMs;
  await scheduler.run(() => scheduler.monotonicMs >= end);
}

/**
 * Rule 13: what an agent that rests was told of, and has not fetched, was named once more; then its
 * sender was told.
 */
export async function checkPointers(world: World): Promise<readonly string[]> {
  // What a person interrupted is theirs to go on with (rule 42c), and a spent budget holds
  // reminders, too.
  if (world.chosen.peopleInterrupt || world.isTight) return [];
  const broken: string[] = [];
  for (const agent of world.agents) {
    const { isRemoved, isAlive, isAtRest, composer } = agent;
    if (isRemoved || !isAlive || !isAtRest || !composer.isEmpty) continue;
    for (const { id } of await listOpen(world, agent.id)) {
      const missing = await world.inner.read((tx) => findMissing(tx, world, agent, id));
      if (missing !== undefined)
        broken.push(`rule 13: ${missing}: ${id} of ${agent.id} (${agent.kind.name})`);
    }
  }
  return broken;
}

async function findMissing(
  tx: LedgerTransaction,
  { truth: { judged } }: World,
  { epoch }: FakeAgent,
  id: string,
): Promise<string | undefined> {
  const message = await tx.messages.find(id);
  const attempt = (await tx.claims.listAttempts(id)).find(({ token }) => token === message?.token);
  if (message?.state !== 'injected' || message.inContext !== true) return undefined;
  if (!attempt?.isPointer || attempt.epoch !== epoch || attempt.handedOutAt !== undefined)
    return undefined;
  const findKey = (end: string) =>
    tx.messages.findByKey(signalbox.id, `unread:${id}:${attempt.token}:${end}`);
  judged.note('rule 13: a pointer left unread');
  const reminder = await findKey('0');
  if (!reminder) return 'only named, and never again';
  if (!isSettled(reminder.state) || !(await tx.agents.isLiving(message.from))) return undefined;
  judged.note('rule 13: a pointer named twice');
  return (await findKey('told')) ? undefined : 'not read, and its sender does not know';
}
