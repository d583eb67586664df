import { expect, test } from 'vitest';
import { userAgentId } from '../../src/agents/agent.ts';
import { endLifeIn } from '../../src/fleet/end-life.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { MemoryLedger } from '../../src/store/memory/ledger.ts';
import { env, openWorld, until } from './fleet-world.ts';

const task = { from: userAgentId, body: 'Do it.', kind: 'task' } as const;

/** How its debt ended, and what its giver was told. */
async function ending(ledger: MemoryLedger, debtor: string) {
  const sent = await ledger.read((tx) =>
    tx.messages.list({ to: debtor, states: ['queued', 'uncertain', 'seen'], limit: 9 }),
  );
  const debt = await ledger.read((tx) => tx.debts.find(sent[0]?.id ?? ''));
  const told = await ledger.read((tx) => tx.messages.find(debt?.endedBy ?? ''));
  return { end: debt?.end, outcome: told?.outcome, replyTo: told?.replyTo, task: debt?.task };
}

test('rules 27, 31: a worker whose restart we did not survive is gone, and whoever gave it a task is told', async () => {
  const { fleet, backend, ledger, launch } = await openWorld();
  const agent = await launch('worker', { message: task });
  // As if we had been killed after its old life had ended, and before the next one was noted.
  await ledger.write(async (tx) => {
    await tx.agents.setStatus(agent.id, { status: 'processing', source: 'screen', since: 1 });
    await endLifeIn(tx, { agent: agent.id, epoch: 1 }, { at: 2, cause: 'restarted' });
  });
  expect((await ending(ledger, agent.id)).end).toBeUndefined();
  backend.sights.clear();
  fleet.onChanged('fake');
  await until(async () => (await ending(ledger, agent.id)).end !== undefined);
  const { end, outcome, replyTo, task: id } = await ending(ledger, agent.id);
  expect({ end, outcome, replyTo }).toEqual({ end: 'exited', outcome: 'exited', replyTo: [id] });
});

test('rules 27, 31: a restart that fails after the old life has ended leaves nobody waiting', async () => {
  let isBroken = false;
  const { fleet, ledger, launch } = await openWorld({
    tools: async () => {
      if (isBroken) throw new Error('no tools today');
      return undefined;
    },
  });
  const agent = await launch('worker', { message: task });
  isBroken = true;
  await expect(
    fleet.restart(agent.id, { fresh: false, callerAgent: undefined, callerEnv: env() }),
  ).rejects.toThrow();
  expect(await ending(ledger, agent.id)).toMatchObject({ end: 'exited', outcome: 'exited' });
});

test('rules 30, 37: a restart that succeeds keeps the debt', async () => {
  const { fleet, ledger, launch } = await openWorld();
  const agent = await launch('worker', { message: task });
  await fleet.restart(agent.id, { fresh: false, callerAgent: undefined, callerEnv: env() });
  fleet.onChanged('fake');
  await systemClock.sleep(100);
  expect((await ending(ledger, agent.id)).end).toBeUndefined();
});

test('rules 27, 30, 31: a task that was not read when its worker ended is named, and is owed again after a restart', async () => {
  const { fleet, ledger, launch } = await openWorld();
  const agent = await launch('worker', { message: task });
  await fleet.stop(agent.id, 'person');
  const { end, task: id = '' } = await ending(ledger, agent.id);
  expect(end).toBe('exited');
  const told = await ledger.read(async (tx) => {
    const { endedBy = '' } = (await tx.debts.find(id)) ?? {};
    return await tx.messages.find(endedBy);
  });
  expect(told?.body).toContain(`Still in its inbox, for a restart: ${id}.`);
  await fleet.restart(agent.id, { fresh: false, callerAgent: undefined, callerEnv: env() });
  expect(await ledger.read((tx) => tx.debts.listOwedBy(agent.id))).toMatchObject([{ task: id }]);
});
