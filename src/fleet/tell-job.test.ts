import { expect, test } from 'vitest';
import { type Agent, createPuller, userAgentId } from '../agents/agent.ts';
import { MemoryLedger } from '../store/memory/ledger.ts';
import { tellJob } from './tell-job.ts';

const lead: Agent = {
  ...{ ...createPuller('agt_lead', 0), name: 'lead', session: 'default' },
  ...{ notify: true, cwd: '/' },
};
const job =
  'You work for the agent "lead": a later task that signalbox brings you from it is your job like your first one.';

async function tell(
  parent: string | undefined,
  instructions?: string,
): Promise<string | undefined> {
  const ledger = new MemoryLedger();
  await ledger.write((tx) => tx.agents.insert(lead));
  const role = instructions === undefined ? {} : { instructions };
  const worker = {
    id: 'agt_worker',
    session: lead.session,
    ...(parent === undefined ? {} : { parent }),
  };
  const told = await tellJob(ledger, worker, role);
  return told.instructions;
}

test('rule 51: the role of a worker says that later tasks of its parent are its job', async () => {
  expect(await tell('agt_lead')).toBe(job);
  expect(await tell('agt_lead', 'Review.')).toBe(`Review.\n\n${job}`);
});

test('rule 51: one that works for the user, or whose parent is gone, is told nothing of it', async () => {
  expect(await tell(undefined, 'Review.')).toBe('Review.');
  expect(await tell(userAgentId)).toBeUndefined();
  expect(await tell('agt_gone')).toBeUndefined();
});
